"""A server of a built page that answers browsers of this machine only."""

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from hashlib import sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import Final

LOOPBACK: Final = "127.0.0.1"
BUILT: Final = "built.json"
"""The file that marks a folder as a built page."""
POLICY: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' blob:; connect-src 'self'; worker-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
"""The content security policy, sent as a header: a worker has no other source of its policy."""


@lru_cache(maxsize=128)
def _content(path: Path, changed: int) -> tuple[bytes, bytes, str]:
    """Return a file, its shortest form for a browser, and its hash in quotes.

    ``changed`` is the time of the last change of the file, so that a new build is read anew.
    """
    raw = path.read_bytes()
    packed = zlib.compress(raw, 6, wbits=31) if path.suffix not in (".zip", ".whl") else raw
    return raw, min(raw, packed, key=len), f'"{sha256(raw).hexdigest()[:32]}"'


class _Handler(SimpleHTTPRequestHandler):
    """A handler that serves files with proper types, and with a policy against foreign content.

    Files are sent in gzip, compressed once, and not at all to a browser that has them.
    """

    protocol_version = "HTTP/1.1"

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

    def send_head(self) -> BytesIO | None:
        path = Path(self.translate_path(self.path))
        if path.is_dir():
            path /= "index.html"
        if not path.is_file():
            self.send_error(404)
            return None
        raw, packed, tag = _content(path, path.stat().st_mtime_ns)
        known = tag in self.headers.get("If-None-Match", "")
        packs = len(packed) < len(raw) and "gzip" in self.headers.get("Accept-Encoding", "")
        body = b"" if known else packed if packs else raw
        self.send_response(304 if known else 200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Length", str(len(body)))
        self.send_header("ETag", tag)
        self.send_header("Vary", "Accept-Encoding")
        if packs and not known:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        return BytesIO(body)

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
