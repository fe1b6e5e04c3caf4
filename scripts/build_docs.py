"""Build the manual: a folder of static pages that ask no other host for anything.

The documents of the repository, a page for each encoder and the public names from their docstrings
are gathered in a folder, and Sphinx makes pages of them. Its warnings are errors, and every link
between the pages is looked up.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

# From any folder, installed or not: the packages of this checkout.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "encodings"))

from scripts.manual import encoders, names

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


ROOT = Path(__file__).resolve().parents[1]
MADE = ".buildinfo"
"""Files by which a folder is recognised as a manual that Sphinx built."""
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
    """Write the sources of all pages, and the files that they show, into an empty folder."""
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
    for folder, write in (("encoders", encoders.write), ("api", names.write)):
        (into / folder).mkdir()
        write(into / folder)


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


class CannotBuildError(Exception):
    """Something is missing or wrong; the message says what."""


def build(sources: Path, folder: Path) -> None:
    """Make the sources anew, and pages of them; the folder is new or the last build."""
    if folder.exists() and any(folder.iterdir()) and not (folder / MADE).is_file():
        raise CannotBuildError(f"{folder} is not empty, and no manual")
    for old in (sources, folder):
        if old.exists():
            shutil.rmtree(old)
    sources.mkdir(parents=True)
    gather(sources)
    with tempfile.TemporaryDirectory() as cache:
        command = ["-m", "sphinx", "--builder", "html", "--conf-dir", str(ROOT / "docs"), "--quiet"]
        command += ["--fail-on-warning", "--keep-going", "--doctree-dir", cache]
        ended = subprocess.run(
            [sys.executable, "-P", *command, str(sources), str(folder)],
            stdin=subprocess.DEVNULL,
            env={**os.environ, "PYTHONHASHSEED": "0"},
            check=False,
        )
    if ended.returncode:
        raise CannotBuildError("Sphinx had something to say, see above")
    if found := faults(folder):
        raise CannotBuildError("\n".join(["links that lead nowhere", *found]))


def main(argv: Sequence[str] | None = None) -> int:
    """Build, and say where the manual is."""
    parser = argparse.ArgumentParser(prog="scripts/docs", description=__doc__)
    add = parser.add_argument
    add("-o", "--output", metavar="DIR", type=Path, default=ROOT / "dist" / "docs")
    add("--sources", metavar="DIR", type=Path, default=ROOT / "build" / "docs", help="of the pages")
    arguments = parser.parse_args(argv)
    folder = arguments.output.absolute()
    try:
        build(arguments.sources.absolute(), folder)
    except (CannotBuildError, OSError) as error:
        print(f"scripts/docs: {error}", file=sys.stderr)
        return 1
    print(f"{folder / 'index.html'}: {len(list(folder.rglob('*.html')))} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
