"""The links of a built manual: every page, picture and heading they name is there."""

from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_LOADED = {"img", "script", "link", "source", "iframe", "object"}
"""What a browser fetches by itself."""


class _Page(HTMLParser):
    """The ids of a page, and what it links to: (target, whether a browser fetches it)."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.ids.add(value)
            elif name in ("href", "src", "data") and value:
                self.links.append((value, tag in _LOADED))


@cache
def _read(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text("utf-8"))
    return page


def faults(folder: Path) -> list[str]:
    """One line for each link of the folder's pages that leads nowhere, or loads from elsewhere."""
    return [fault for path in sorted(folder.rglob("*.html")) for fault in _faults(path, folder)]


def _faults(path: Path, folder: Path) -> Iterator[str]:
    where = path.relative_to(folder)
    for target, loaded in _read(path).links:
        parts = urlsplit(target)
        if parts.scheme or parts.netloc:
            if loaded and parts.scheme != "data":
                yield f"{where}: loads {target} from another host"
            elif not parts.netloc and parts.scheme not in ("data", "mailto"):
                yield f"{where}: {target} is no address"
            continue
        there = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if not there.is_file():
            yield f"{where}: {target}: there is no such file"
        elif there.suffix == ".html" and unquote(parts.fragment) not in {"", *_read(there).ids}:
            yield f"{where}: {target}: no such heading"
