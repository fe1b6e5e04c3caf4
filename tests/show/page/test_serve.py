"""The server of the page: the loopback alone, the types of files, a policy that keeps it home."""

import threading
from http.client import HTTPConnection, HTTPResponse

import pytest

from satsweeper.show.page.serve import serving


@pytest.fixture
def port(tmp_path):
    for name in ("index.html", "a.mjs", "a.js", "a.wasm", "a.whl", "built.json"):
        (tmp_path / name).write_text("x")
    (tmp_path / "folder").mkdir()
    with serving(tmp_path) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def get(port: int, path: str, host: str | None = None) -> HTTPResponse:
    connection = HTTPConnection("127.0.0.1", port)
    connection.request("GET", path, headers={"Host": host or f"127.0.0.1:{port}"})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "text/html"),
        ("/a.mjs", "text/javascript"),
        ("/a.js", "text/javascript"),
        ("/a.wasm", "application/wasm"),
        ("/a.whl", "application/zip"),
    ],
)
def test_files_have_the_types_that_browsers_insist_on(port, path, kind):
    answer = get(port, path)
    assert answer.status == 200
    assert answer.headers["Content-Type"].startswith(kind)
    assert "connect-src 'self'" in answer.headers["Content-Security-Policy"]


def test_folders_and_what_lies_above_are_not_shown(port):
    assert [get(port, path).status for path in ("/folder/", "/../x", "/none")] == [404] * 3


def test_another_name_for_this_machine_is_refused(port):
    assert get(port, "/", f"evil.example:{port}").status == 421
    assert get(port, "/", f"localhost:{port}").status == 200
