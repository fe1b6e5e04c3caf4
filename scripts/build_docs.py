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
from typing import Any, Final
from urllib.parse import unquote, urlsplit

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from pbcnf import ENCODERS, PARITY_ENCODERS, EncodingError, EncodingSize, Formula, encode
from pbcnf.constraints.constraint import Cardinality, Constraint, Parity, PseudoBoolean
from pbcnf.encoders.protocol import ParityEncoder, takes_weights
from pbcnf.show.drawing import Drawing, draw
from pbcnf.show.svg import svg
from satsweeper.report.table import markdown_table
from scripts.manual import names

ROOT: Final = Path(__file__).resolve().parents[1]
MOST_CLAUSES: Final = 20_000
"""Largest number of clauses of an encoding that is made; the size of larger ones is predicted."""
BOUNDS: Final = {
    "at most 1 of 8": (8, 0, 1), "at most 2 of 8": (8, 0, 2), "exactly 4 of 8": (8, 4, 4),
    "3 to 5 of 8": (8, 3, 5), "at most 1 of 100": (100, 0, 1), "at most 10 of 100": (100, 0, 10),
    "at least 10 of 100": (100, 10, 100), "exactly 50 of 100": (100, 50, 50),
}  # fmt: skip
"""Title of a cardinality constraint -> inputs and bounds."""
WEIGHTS: Final = {
    "weights 1 to 10: at most 20": (tuple(range(1, 11)), 0, 20),
    "weights 1 to 10: from 20 to 30": (tuple(range(1, 11)), 20, 30),
    "20 weights up to 50: at most 255": (tuple(7 * i % 50 + 1 for i in range(20)), 0, 255),
}
"""Title of a weighted sum -> weights and bounds."""
PARITIES: Final = (4, 8, 20, 100)


def table(encoder: Any) -> str:
    """Return the table of the sizes of `BOUNDS`, `WEIGHTS` or `PARITIES`, as far as expressed."""
    rows = []
    for title, constraint in _constraints(encoder):
        try:
            size, star = measured(encoder, constraint)
        except EncodingError:
            continue
        numbers = (size.variables, size.clauses, size.literals)
        texts = [f"{n:,}" if n < 10**9 else f"{n:.1e}".replace("e+", "e") for n in numbers]
        rows.append([f"{title}{star}", *texts])
    heads = ("", "auxiliary variables", "clauses", "literals")
    text = markdown_table(heads, rows, range(1, 4)) + "\n"
    predicted = "\n\\* Predicted: it is too large to be made for this page.\n"
    return text + predicted if "\\*" in text else text


def _constraints(encoder: Any) -> Iterator[tuple[str, Constraint]]:
    if isinstance(encoder, ParityEncoder):
        for n in PARITIES:
            yield f"parity of {n}", Parity(range(1, n + 1), odd=True)
        return
    for title, (n, lower, upper) in BOUNDS.items():
        yield title, Cardinality(range(1, n + 1), lower, upper)
    if takes_weights(encoder):
        for title, (weights, lower, upper) in WEIGHTS.items():
            yield title, PseudoBoolean(range(1, len(weights) + 1), weights, lower, upper)


def measured(encoder: Any, constraint: Constraint) -> tuple[EncodingSize, str]:
    """Return the size of a constraint, and a star if the size is predicted.

    Raises EncodingError for a constraint that the encoder does not express.
    """
    n = len(constraint.lits)
    if isinstance(constraint, Cardinality):
        size = encoder.size(n, constraint.lower, constraint.upper)
        if size.clauses > MOST_CLAUSES:
            return size, " \\*"
    formula = Formula(num_vars=n)
    encode(constraint, formula, encoder)
    return EncodingSize(formula.num_vars - n, formula.num_clauses, formula.num_literals), ""


FAMILIES: Final = {
    "at_most_one": "At most one", "cardinality": "Counts", "pseudo_boolean": "Weighted sums",
    "parity": "Parities",
}  # fmt: skip
"""Folder of encoders -> title of the kind of constraint that they encode."""
_DRAWN: Final = {
    "at_most_one": ((1,) * 8, 0, 1),
    "cardinality": ((1,) * 6, 0, 2),
    "pseudo_boolean": ((5, 3, 2, 1), 0, 6),
}
"""Folder of encoders -> weights, lower and upper bound of the constraint that is drawn."""
_INDEX = """# Encoders

Each on a page of its own: what it emits, drawn; what it promises; how large it is; how it works,
and who published it. Which to choose: [the toolkit](../toolkit.md#how-to-choose), which has
[the contract](../toolkit.md#the-contract) of all in one table. Measured with solvers:
[encodings compared](../encodings.md).
"""
_PROMISES = """## Promises

| bounds | correct | detects | arc-consistent | parsimonious | exact size |
| --- | --- | --- | --- | --- | --- |
| {row} |

Computed for every bound of at most six inputs; what the words mean:
[the contract](../toolkit.md#the-contract). `satsweeper audit {name}` computes it again.
"""


def write_encoders(into: Path) -> None:
    """Write the pages and drawings of all encoders, and the index of them."""
    promises = contract()
    rows: dict[str, list[list[str]]] = {folder: [] for folder in FAMILIES}
    for name, encoder in encoders().items():
        drawn = drawing(name, encoder)
        (into / f"{name}.svg").write_text(svg(drawn), "utf-8")
        (into / f"{name}.md").write_text(page(name, encoder, drawn, promises.get(name)), "utf-8")
        rows[_folder(encoder)].append([f"[`{name}`]({name}.md)", summary(encoder)])
    parts = [
        f"\n## {title}\n\n{markdown_table(['encoder', 'in a sentence'], rows[folder])}\n"
        for folder, title in FAMILIES.items()
    ]
    names = "\n".join(encoders())
    parts.append(f"\n```{{toctree}}\n:hidden:\n\n{names}\n```\n")
    (into / "index.md").write_text("".join([_INDEX, *parts]), "utf-8")


def encoders() -> dict[str, Any]:
    """Return all encoders by the names of their pages; `CutParity` of every width has one page."""
    parities = {f"parity_{name}": PARITY_ENCODERS[name] for name in ("direct", "cut_4")}
    return {**ENCODERS, **parities}


def _folder(encoder: Any) -> str:
    """Return the folder in `FAMILIES` of the encoder's module."""
    return next(part for part in type(encoder).__module__.split(".") if part in FAMILIES)


def summary(encoder: Any) -> str:
    """Return the first line of the docstring of the encoder's class."""
    return str(type(encoder).__doc__).partition("\n")[0]


def contract() -> dict[str, str]:
    """Return, for each encoder, its row of the contract table in encodings/README.md.

    The rows come without the column of names.
    """
    text = (ROOT / "encodings/README.md").read_text("utf-8")
    rows_text = text.partition("<!-- contract table:")[2].partition("<!-- end of")[0]
    rows = [row.strip("| ").partition(" | ") for row in rows_text.splitlines()]
    return {name.strip("`"): rest for name, _, rest in rows if name.startswith("`")}


def drawing(name: str, encoder: Any) -> Drawing:
    """Return a drawing of a small encoding by ``encoder``."""
    if name in ENCODERS:
        return draw(name, *_DRAWN[_folder(encoder)])
    inputs = 4 if name == "parity_direct" else 7
    formula = Formula(num_vars=inputs)
    encode(Parity(range(1, inputs + 1), odd=True), formula, encoder)
    title = f"{encoder.name}: the parity of x1, …, x{inputs} is odd"
    return Drawing(title, (1,) * inputs, formula.num_vars, tuple(formula.tuples()))


def page(name: str, encoder: Any, drawn: Drawing, promises: str | None) -> str:
    """Return the page of an encoder as Markdown; its last part is the docstring of the class.

    ``promises`` is the encoder's row of `contract`; None for an encoder of parities.
    """
    kind = type(encoder)
    shown = f"{drawn.title}: {drawn.sizes}"
    image = f"```{{image}} {name}.svg\n:alt: {shown}\n:target: ../_images/{name}.svg\n```"
    made_by = "\n"
    if name in ENCODERS:
        # The command that draws the encoder under other bounds, too.
        weights, _, upper = _DRAWN[_folder(encoder)]
        plain = max(weights) == 1
        given = f"--n {len(weights)}" if plain else f"--weights {','.join(map(str, weights))}"
        command = f"python scripts/draw_encoding.py {name} {given} --upper {upper} -o {name}.svg"
        made_by = f" Made by:\n\n```shell\n{command}\n```\n"
    parts = [f"# {name}\n\n{summary(encoder)}\n\n{image}\n\n*{shown}.*{made_by}"]
    if promises is not None:
        parts.append(_PROMISES.format(row=promises, name=name))
    parts.append(f"## Sizes\n\n{table(encoder)}")
    full = f".. autoclass:: {kind.__module__}.{kind.__qualname__}\n   :members:"
    parts.append(f"## In full\n\n```{{eval-rst}}\n{full}\n   :inherited-members:\n```\n")
    return "\n".join(parts)


_LOADED = {"img", "script", "link", "source", "iframe", "object"}
"""Elements whose addresses a browser fetches when it shows a page."""


class _Page(HTMLParser):
    """The ids and the links of a page; a link is its target and whether a browser fetches it."""

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


def faults(folder: Path) -> Iterator[str]:
    """Yield a line for each broken link of the folder's pages and each load from elsewhere."""
    paths = sorted(folder.rglob("*.html"))
    for path, (target, loaded) in ((page, link) for page in paths for link in _read(page).links):
        where = path.relative_to(folder)
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


MADE = ".buildinfo"
"""Name of the file by which a folder is recognised as a manual that Sphinx built."""
ELSEWHERE = {
    "README.md": "overview.md", "docs/README.md": "index.md", "encodings/README.md": "toolkit.md",
    "examples/README.md": "examples.md", "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}  # fmt: skip
"""Document -> its name in the manual, for documents whose names differ."""
_IN_THE_CONTENTS = {"overview": "In one page <overview>", "toolkit": "Choosing encoders <toolkit>"}
"""Page -> its entry in the table of contents, for entries that are not the page's heading."""
_WITH_CONTENTS = ("index.md", "gallery.md")
"""Pages whose lists of links become tables of contents."""
_FENCED = re.compile(r"^(```.*?^```)$", re.M | re.S)
_LINK = re.compile(r"\]\(([^)\s#]+)((?:#[^)\s]*)?)\)")


def documents() -> dict[str, str]:
    """Return the page of the manual of each document in the repository."""
    docs = ROOT / "docs"
    paths = [path.relative_to(docs).as_posix() for path in sorted(docs.rglob("*.md"))]
    return {f"docs/{path}": path for path in paths} | ELSEWHERE


def gather(into: Path) -> None:
    """Write the sources of all pages, and the files that they show, into an empty folder."""
    pages = documents()
    for source, page in pages.items():
        text = gathered(source, (ROOT / source).read_text("utf-8"), pages)
        if page in _WITH_CONTENTS:
            text += "".join(contents(text))
        (into / page).parent.mkdir(exist_ok=True)
        (into / page).write_text(text, "utf-8")
    for folder in ("docs/pictures", "examples"):
        files = shutil.ignore_patterns("*.md", "__pycache__")
        shutil.copytree(ROOT / folder, into / Path(folder).name, ignore=files)
    for folder, write in (("encoders", write_encoders), ("api", names.write)):
        (into / folder).mkdir()
        write(into / folder)


def gathered(source: str, text: str, pages: dict[str, str]) -> str:
    """Return the ``text`` of the document ``source`` for the manual.

    Links lead to pages of the manual, and the content of comments ``<!-- built: ... -->`` is shown.
    """
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
        linked = _LINK.sub(moved, parts[index])
        parts[index] = re.sub(r"<!-- built: (.*?) -->", r"\1", linked, flags=re.S)
    # A block of a console without a prompt holds only commands, so it is a shell script.
    shell = re.compile(r"^```console\n(?!.*^\$ )", re.M | re.S)
    parts[1::2] = [shell.sub("```shell\n", block) for block in parts[1::2]]
    return "".join(parts)


def contents(index: str) -> Iterator[str]:
    """Yield a table of contents for each section of ``index`` that is a list of pages."""
    for section in re.split(r"^## ", index, flags=re.M)[1:]:
        title, _, text = section.partition("\n")
        links = re.findall(r"\]\(([\w/]+)\.(?:md|rst)\)", text)
        if links:
            pages = "\n".join(_IN_THE_CONTENTS.get(link, link) for link in dict.fromkeys(links))
            yield f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n{pages}\n```\n"


class CannotBuildError(Exception):
    """The manual cannot be built; the message names the missing or wrong part."""


def build(sources: Path, folder: Path) -> None:
    """Write ``sources`` anew and build their pages into ``folder``, a new folder or an old build.

    The pages are built beside the folder and moved there when they are whole, so that a build that
    is interrupted or fails leaves the manual as it was. Raises CannotBuildError.
    """
    if folder.exists() and any(folder.iterdir()) and not (folder / MADE).is_file():
        raise CannotBuildError(f"{folder} is not empty, and no manual")
    if sources.exists():
        shutil.rmtree(sources)
    sources.mkdir(parents=True)
    gather(sources)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as part:
        made = Path(part) / "pages"
        command = ["-m", "sphinx", "--builder", "html", "--conf-dir", str(ROOT / "docs"), "--quiet"]
        command += ["--fail-on-warning", "--keep-going", "--doctree-dir", f"{part}/trees"]
        command = [sys.executable, "-P", *command, str(sources), str(made)]
        variables = {**os.environ, "PYTHONHASHSEED": "0"}
        ended = subprocess.run(command, stdin=subprocess.DEVNULL, env=variables, check=False)
        if ended.returncode:
            raise CannotBuildError("Sphinx had something to say, see above")
        if found := list(faults(made)):
            raise CannotBuildError("\n".join(["links that lead nowhere", *found]))
        if folder.exists():
            shutil.rmtree(folder)
        made.rename(folder)


def main(argv: Sequence[str] | None = None) -> int:
    """Build the manual and print its place; return the exit code."""
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
