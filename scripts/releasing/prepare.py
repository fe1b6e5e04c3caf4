"""A new version, written where versions are written."""

import re
from collections.abc import Callable
from datetime import date
from pathlib import Path

from scripts.releasing.agreement import (
    CHANGELOG,
    CITATION,
    UNRELEASED,
    VERSION,
    VERSION_FILES,
    unreleased,
    version,
)


class CannotPrepareError(Exception):
    """There is no such new version; the message is one line."""


def prepare(root: Path, new: str, day: date) -> list[str]:
    """Give what is unreleased a version and a day; the files that were changed.

    Raises:
        CannotPrepareError: it is no version, no newer one, or there is nothing new in it.
    """
    before = version(root)
    if not re.fullmatch(r"\d+\.\d+\.\d+", new):
        raise CannotPrepareError(f"{new!r} is not a version like 1.2.3")
    if tuple(map(int, new.split("."))) <= tuple(map(int, before.split("."))):
        raise CannotPrepareError(f"{new} is not newer than {before}")
    if not unreleased(root):
        raise CannotPrepareError(f"{CHANGELOG}: nothing stands under Unreleased")
    for name in VERSION_FILES:
        _change(root / name, VERSION, lambda line: line[0].replace(before, new))
    _change(root / CITATION, re.compile(r"^version: .+$", re.M), lambda _: f"version: {new}")
    released = re.compile(r"^date-released: .+$", re.M)
    _change(root / CITATION, released, lambda _: f"date-released: {day}")
    heading = re.compile(f"^{UNRELEASED}$", re.M)
    _change(root / CHANGELOG, heading, lambda _: f"{UNRELEASED}\n\n## {new} - {day}")
    shown = re.compile(rf"^([c*;#] satsweeper ){re.escape(before)}", re.M)
    documents = [
        path for path in root.glob("docs/**/*.md") if shown.search(path.read_text("utf-8"))
    ]
    for path in documents:
        _change(path, shown, lambda line: line[1] + new, every=True)
    return [*VERSION_FILES, CITATION, CHANGELOG, *(str(p.relative_to(root)) for p in documents)]


def _change(
    path: Path, what: "re.Pattern[str]", to: "Callable[[re.Match[str]], str]", every: bool = False
) -> None:
    text, count = what.subn(to, path.read_text("utf-8"), count=0 if every else 1)
    if not count:
        raise CannotPrepareError(f"{path}: the line of the version is not there")
    path.write_text(text, "utf-8", newline="\n")
