"""The pages of the manual that lie in the repository, gathered as Sphinx wants them.

In the repository links between documents are plain Markdown and point to files, for whoever reads
them there. Gathered, every document has its place in one folder, and the lists of links in
``docs/README.md`` become the table of contents.
"""

import os
import re
import shutil
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

_LOADED = {"img", "script", "link", "source", "iframe", "object"}
"""Attributes whose addresses a browser fetches by itself."""


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
    """Return a line for each broken link of the folder's pages and each load from elsewhere."""
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


ROOT = Path(__file__).resolve().parents[2]
ELSEWHERE = {
    "README.md": "overview.md",
    "docs/README.md": "index.md",
    "encodings/README.md": "toolkit.md",
    "examples/README.md": "examples.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
"""Documents that are called otherwise in the manual."""
_IN_THE_CONTENTS = {"overview": "In one page <overview>", "toolkit": "Choosing encoders <toolkit>"}
"""Pages that the table of contents calls otherwise than their heading does."""
_WITH_CONTENTS = ("index.md", "gallery.md")
"""Pages whose lists of links become tables of contents."""
_FENCED = re.compile(r"^(```.*?^```)$", re.M | re.S)
_LINK = re.compile(r"\]\(([^)\s#]+)((?:#[^)\s]*)?)\)")


def documents() -> dict[str, str]:
    """File in the repository -> page of the manual."""
    docs = ROOT / "docs"
    own = [path.relative_to(docs).as_posix() for path in sorted(docs.rglob("*.md"))]
    return {f"docs/{path}": path for path in own} | ELSEWHERE


def gather(into: Path) -> None:
    """Write all documents, and the files that they show or link to."""
    pages = documents()
    for source, page in pages.items():
        text = gathered(source, (ROOT / source).read_text("utf-8"), pages)
        if page in _WITH_CONTENTS:
            text += contents(text)
        (into / page).parent.mkdir(exist_ok=True)
        (into / page).write_text(text, "utf-8")
    for folder in ("docs/pictures", "examples"):
        files = shutil.ignore_patterns("*.md", "__pycache__")
        shutil.copytree(ROOT / folder, into / Path(folder).name, ignore=files)


def gathered(source: str, text: str, pages: dict[str, str]) -> str:
    """The document with links between pages, and with what only the built manual has."""
    here = PurePosixPath(source).parent
    page = PurePosixPath(pages[source]).parent

    def moved(link: re.Match[str]) -> str:
        path, anchor = link.groups()
        if ":" in path:
            return link[0]
        there = os.path.normpath(here / path)
        place = pages.get(there, there.removeprefix("docs/"))
        return f"]({os.path.relpath(place, page)}{anchor})"

    parts = _FENCED.split(text)
    for index in range(0, len(parts), 2):
        parts[index] = re.sub(
            r"<!-- built: (.*?) -->", r"\1", _LINK.sub(moved, parts[index]), flags=re.S
        )
    # A console without a prompt shows commands alone.
    shell = re.compile(r"^```console\n(?!.*^\$ )", re.M | re.S)
    parts[1::2] = [shell.sub("```shell\n", block) for block in parts[1::2]]
    return "".join(parts)


def contents(index: str) -> str:
    """A table of contents for each section of the index that is a list of pages."""
    return "".join(_trees(index))


def _trees(index: str) -> Iterator[str]:
    for section in re.split(r"^## ", index, flags=re.M)[1:]:
        title, _, text = section.partition("\n")
        links = re.findall(r"\]\(([\w/]+)\.(?:md|rst)\)", text)
        if links:
            pages = "\n".join(_IN_THE_CONTENTS.get(link, link) for link in dict.fromkeys(links))
            yield f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n{pages}\n```\n"
