"""``page`` on the command line: where the page is, and serving it for a while."""

from pathlib import Path

import pytest

from tests.commands import call


@pytest.fixture
def built(tmp_path: Path) -> Path:
    (tmp_path / "built.json").write_text("{}")
    return tmp_path


def test_without_serve_it_says_where_the_page_is(built: Path) -> None:
    ended = call("page", built)
    assert (ended.code, ended.out) == (0, f"{built}\n")


def test_it_serves_until_the_time_is_over_and_tells_the_address(built: Path) -> None:
    ended = call("page", "--serve", "--timeout", 0.01, built)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("http://127.0.0.1:")


def test_a_port_that_is_none_is_refused(built: Path) -> None:
    ended = call("page", "--serve", "--port", 70_000, built)
    assert (ended.code, ended.err) == (1, "port 70000: ports are 0 to 65535\n")
