"""Statements of a release about itself in several files, and their differences."""

import re
import tomllib
from collections.abc import Iterator
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

VERSION: Final = re.compile(r'^__version__(?:: Final)? = "(.+)"$', re.MULTILINE)
VERSION_FILES: Final = ("satsweeper/version.py", "encodings/pbcnf/__init__.py")
"""Each holds the version in a line of its own; the first one is what is packed."""
CHANGELOG: Final = "CHANGELOG.md"
CITATION: Final = "CITATION.cff"
UNRELEASED: Final = "## Unreleased"
_RELEASED = re.compile(r"^## (\d+(?:\.\d+)+) - (\d{4}-\d{2}-\d{2})$")
_SHOWN = re.compile(r"^[c*;#] satsweeper (\d[\w.]*)", re.MULTILINE)
"""Beginnings of lines of this version's files and answers, as documents show them."""
_PYTHON = re.compile(r"Python (3\.\d+) or later")
_EXTRAS = re.compile(r"(?:satsweeper|'\.)\[([a-z_,]+)\]")


def version(root: Path) -> str:
    """The version of the checkout."""
    return _versions(root)[VERSION_FILES[0]]


def disagreements(root: Path) -> list[str]:
    """A line for each place that says something else than the others."""
    return [*_of_versions(root), *_of_the_changelog(root), *_of_documents(root)]


def unreleased(root: Path) -> bool:
    """Whether the changelog holds what no version has yet."""
    part = _read(root, CHANGELOG).partition(f"{UNRELEASED}\n")[2]
    return bool(re.split(r"^## ", part, maxsplit=1, flags=re.MULTILINE)[0].strip())


def _read(root: Path, name: str) -> str:
    return (root / name).read_text("utf-8")


def _project(root: Path) -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads(_read(root, "pyproject.toml"))["project"]
    return found


def _versions(root: Path) -> dict[str, str]:
    found = {name: VERSION.search(_read(root, name)) for name in VERSION_FILES}
    return {name: match[1] if match else "none" for name, match in found.items()}


def citation(root: Path) -> dict[str, str]:
    """The plain fields of the citation file."""
    lines = re.findall(r"^([\w-]+): +(.+)$", _read(root, CITATION), re.MULTILINE)
    return {name: value.strip('"') for name, value in lines}


def releases(root: Path) -> list[tuple[str, str]]:
    """The versions of the changelog and their dates, the newest first."""
    found = map(_RELEASED.match, _read(root, CHANGELOG).splitlines())
    return [(match[1], match[2]) for match in found if match]


def _of_versions(root: Path) -> Iterator[str]:
    right, cited, project = version(root), citation(root), _project(root)
    for name, found in _versions(root).items():
        if found != right:
            yield f"{name}: version {found}, and {VERSION_FILES[0]} says {right}"
    if cited.get("version") != right:
        yield f"{CITATION}: version {cited.get('version')}, not {right}"
    last = next(iter(releases(root)), ("none", "none"))
    if last[0] != right:
        yield f"{CHANGELOG}: the newest version is {last[0]}, not {right}"
    if cited.get("date-released") != last[1]:
        yield f"{CITATION}: released {cited.get('date-released')}; {CHANGELOG}: {last[1]}"
    if cited.get("title") != f"SatSweeper: {project['description']}":
        yield f"{CITATION}: the title is not that of pyproject.toml"
    if cited.get("license") != project["license"]:
        yield f"{CITATION}: license {cited.get('license')}, not {project['license']}"


def _of_the_changelog(root: Path) -> Iterator[str]:
    lines = _read(root, CHANGELOG).splitlines()
    headings = [line for line in lines if line.startswith("## ")]
    if headings[:1] != [UNRELEASED]:
        yield f"{CHANGELOG}: the first heading is not {UNRELEASED!r}"
    for line in headings[1:]:
        if not _RELEASED.match(line):
            yield f"{CHANGELOG}: {line!r} is not '## VERSION - YEAR-MONTH-DAY'"
    found = releases(root)
    for newer, older in pairwise(found):
        one, other = (tuple(map(int, number.split("."))) for number, _ in (newer, older))
        if one <= other or newer[1] < older[1]:
            yield f"{CHANGELOG}: {newer[0]} of {newer[1]} stands above {older[0]} of {older[1]}"
    for name, day in found:
        try:
            date.fromisoformat(day)
        except ValueError:
            yield f"{CHANGELOG}: {name}: there is no day {day}"
    for number, (before, line) in enumerate(pairwise(lines), start=2):
        if line.startswith("#") and before:
            yield f"{CHANGELOG}:{number}: a heading with no empty line before it"
        if line.startswith("#") and lines[number : number + 1] not in ([], [""]):
            yield f"{CHANGELOG}:{number}: a heading with no empty line after it"


def _of_documents(root: Path) -> Iterator[str]:
    right, project = version(root), _project(root)
    oldest = project["requires-python"].removeprefix(">=")
    extras = set(project["optional-dependencies"])
    for path in [*sorted(root.glob("*.md")), *sorted(root.glob("docs/**/*.md"))]:
        text, name = path.read_text("utf-8"), path.relative_to(root)
        if name.name != CHANGELOG:
            yield from (
                f"{name}: shows {v}, not {right}" for v in _SHOWN.findall(text) if v != right
            )
        for python in _PYTHON.findall(text):
            if python != oldest:
                yield f"{name}: Python {python} or later; pyproject.toml says {oldest}"
        for named in _EXTRAS.findall(text):
            for extra in sorted(set(named.split(",")) - extras):
                yield f"{name}: there is no extra {extra!r}"
    if f"Python {oldest} or later" not in _read(root, "README.md"):
        yield f"README.md: does not say Python {oldest} or later"
    everything = project["optional-dependencies"]["all"][0].partition("[")[2].rstrip("]")
    # Development alone needs the packages of `dev` and `docs`.
    for extra in sorted({*everything.split(",")} ^ (extras - {"all", "dev", "docs"})):
        yield f"pyproject.toml: the extra {extra!r} is not in 'all', or is in it and is none"
