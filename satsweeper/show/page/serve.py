"""A server of a built page that answers browsers of this machine only."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

LOOPBACK: Final = "127.0.0.1"
BUILT: Final = "built.json"
"""The file that marks a folder as a built page."""
POLICY: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""The content security policy, sent as a header: a worker has no other source of its policy."""


class _Handler(SimpleHTTPRequestHandler):
    """A handler that serves files with proper types, and with a policy against foreign content."""

    extensions_map: dict[str, str] = {  # noqa: RUF012
        "": "application/octet-stream", ".css": "text/css; charset=utf-8",
        ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8",
        ".json": "application/json", ".mjs": "text/javascript; charset=utf-8",
        ".svg": "image/svg+xml", ".wasm": "application/wasm", ".whl": "application/zip",
        ".zip": "application/zip",
    }  # fmt: skip

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Cache-Control", "no-cache")
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def list_directory(self, path: Any) -> None:
        self.send_error(404)

    def parse_request(self) -> bool:
        if not super().parse_request():
            return False
        # Another host name that resolves to the loopback is refused, so that no other site can read
        # the page by rebinding its name.
        host = self.headers.get("Host", "").rpartition(":")[0]
        if host in (LOOPBACK, "localhost"):
            return True
        self.send_error(421)
        return False

    def log_message(self, format: str, *arguments: object) -> None:
        """Print nothing: the terminal is for the address."""


@contextmanager
def serving(folder: Path, port: int = 0) -> Iterator[ThreadingHTTPServer]:
    """A server of a folder on the loopback; ``port`` 0 takes a free port. Raises ``OSError``."""
    server = ThreadingHTTPServer((LOOPBACK, port), partial(_Handler, directory=str(folder)))
    server.daemon_threads = True
    try:
        yield server
    finally:
        server.server_close()


def address(server: ThreadingHTTPServer) -> str:
    """The address of the page."""
    return f"http://{LOOPBACK}:{server.server_port}/"
