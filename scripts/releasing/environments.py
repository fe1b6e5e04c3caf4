"""Versions, archives and environments of a release, and files that disagree about a release.

Statements about a release in several files are compared, and a new version is written into them.
Virtual environments are made, also read-only ones; archives are built and their contents checked.
"""

import os
import re
import shutil
import stat
import subprocess
import tarfile
import tomllib
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from email import message_from_bytes
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

from scripts.frame.arguments import ran

VERSION: Final = re.compile(r'^__version__(?:: Final)? = "(.+)"$', re.MULTILINE)
VERSION_FILES: Final = ("satsweeper/version.py", "encodings/pbcnf/__init__.py")
"""Files that hold the version in a line of its own; the first file's version is packed."""
CHANGELOG: Final = "CHANGELOG.md"
CITATION: Final = "CITATION.cff"
UNRELEASED: Final = "## Unreleased"
_RELEASED = re.compile(r"^## (\d+(?:\.\d+)+) - (\d{4}-\d{2}-\d{2})$")
_SHOWN = re.compile(r"^[c*;#] satsweeper (\d[\w.]*)", re.MULTILINE)
"""Beginning of a line in a document that shows a file or an answer, with the version."""
_PYTHON = re.compile(r"Python (3\.\d+) or later")
_EXTRAS = re.compile(r"(?:satsweeper|'\.)\[([a-z_,]+)\]")


def version(root: Path) -> str:
    """Return the version of the checkout."""
    return _versions(root)[VERSION_FILES[0]]


def disagreements(root: Path) -> list[str]:
    """Return a line for each statement that differs from the others."""
    return [*_of_versions(root), *_of_the_changelog(root), *_of_documents(root)]


def unreleased(root: Path) -> bool:
    """Return whether the changelog has entries under Unreleased."""
    part = _read(root, CHANGELOG).partition(f"{UNRELEASED}\n")[2]
    return bool(re.split(r"^## ", part, maxsplit=1, flags=re.MULTILINE)[0].strip())


def _read(root: Path, name: str) -> str:
    return (root / name).read_text("utf-8")


def _project(root: Path) -> dict[str, Any]:
    return dict(tomllib.loads(_read(root, "pyproject.toml"))["project"])


def _versions(root: Path) -> dict[str, str]:
    found = {name: VERSION.search(_read(root, name)) for name in VERSION_FILES}
    return {name: match[1] if match else "none" for name, match in found.items()}


def citation(root: Path) -> dict[str, str]:
    """Return the fields of the citation file that have a value on their line."""
    lines = re.findall(r"^([\w-]+): +(.+)$", _read(root, CITATION), re.MULTILINE)
    return {name: value.strip('"') for name, value in lines}


def releases(root: Path) -> list[tuple[str, str]]:
    """Return the versions of the changelog and their dates, the newest first."""
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
        above, below = (tuple(map(int, number.split("."))) for number, _ in (newer, older))
        if above <= below or newer[1] < older[1]:
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
        for shown in _SHOWN.findall(text) if name.name != CHANGELOG else ():
            if shown != right:
                yield f"{name}: shows {shown}, not {right}"
        for python in _PYTHON.findall(text):
            if python != oldest:
                yield f"{name}: Python {python} or later; pyproject.toml says {oldest}"
        for named in _EXTRAS.findall(text):
            for extra in sorted(set(named.split(",")) - extras):
                yield f"{name}: there is no extra {extra!r}"
    if f"Python {oldest} or later" not in _read(root, "README.md"):
        yield f"README.md: does not say Python {oldest} or later"
    everything = project["optional-dependencies"]["all"][0].partition("[")[2].rstrip("]")
    # The extras `dev` and `docs` are only for development, so `all` leaves them out.
    for extra in sorted({*everything.split(",")} ^ (extras - {"all", "dev", "docs"})):
        yield f"pyproject.toml: the extra {extra!r} is not in 'all', or is in it and is none"


class FailedError(Exception):
    """A step of a release failed; the message is one line."""


class NoPackageError(FailedError):
    """A package of another project does not exist for a Python."""


def prepare(root: Path, new: str, day: date) -> list[str]:
    """Give the entries under Unreleased the version ``new`` and a date; return the changed files.

    Raises:
        FailedError: ``new`` is no version or not newer, or nothing is unreleased.
    """
    before = version(root)
    if not re.fullmatch(r"\d+\.\d+\.\d+", new):
        raise FailedError(f"{new!r} is not a version like 1.2.3")
    if tuple(map(int, new.split("."))) <= tuple(map(int, before.split("."))):
        raise FailedError(f"{new} is not newer than {before}")
    if not unreleased(root):
        raise FailedError(f"{CHANGELOG}: nothing stands under Unreleased")
    released = f"{UNRELEASED}\n\n## {new} - {day}"
    shown = re.compile(rf"^([c*;#] satsweeper ){re.escape(before)}", re.M)
    pages = [path.relative_to(root).as_posix() for path in root.glob("docs/**/*.md")]
    documents = [name for name in pages if shown.search(_read(root, name))]
    changes: list[tuple[str, re.Pattern[str], Callable[[re.Match[str]], str], int]] = [
        *((name, VERSION, lambda line: line[0].replace(before, new), 1) for name in VERSION_FILES),
        (CITATION, re.compile(r"^version: .+$", re.M), lambda _: f"version: {new}", 1),
        (CITATION, re.compile(r"^date-released: .+$", re.M), lambda _: f"date-released: {day}", 1),
        (CHANGELOG, re.compile(f"^{UNRELEASED}$", re.M), lambda _: released, 1),
        # Documents show output of the program with the version in it.
        *((name, shown, lambda line: line[1] + new, 0) for name in documents),
    ]
    for name, what, to, most in changes:
        text, count = what.subn(to, _read(root, name), count=most)
        if not count:
            raise FailedError(f"{root / name}: the line of the version is not there")
        (root / name).write_text(text, "utf-8", newline="\n")
    return [*VERSION_FILES, CITATION, CHANGELOG, *documents]


OLDEST = (3, 11)
_NAMES = ("python3", "python", *(f"python3.{minor}" for minor in range(OLDEST[1], 30)))
_ASK = """\
import ensurepip, platform, sys, venv
print(sys.implementation.name, platform.python_version(), *sys.version_info[:2])
"""


class Python(NamedTuple):
    """An interpreter that can make environments."""

    path: Path
    name: str
    """Implementation and version, for example ``cpython 3.11.2``."""
    minor: tuple[int, int]


def found() -> list[Python]:
    """Return a Python of each version from 3.11 on, the first on PATH."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    places = [Path(folder, name) for folder in folders for name in _NAMES]
    return named(place for place in places if place.is_file())


def named(places: Iterable[Path]) -> list[Python]:
    """Return a Python of each version among the programs ``places``; unusable ones are left out."""
    pythons: dict[tuple[str, tuple[int, int]], Python] = {}
    for place in places:
        try:
            ended = ran([place, "-I", "-c", _ASK], timeout=60)
            kind, version, major, minor = ended.stdout.split()
        except (OSError, ValueError, subprocess.TimeoutExpired):
            continue
        number = int(major), int(minor)
        if number >= OLDEST:
            pythons.setdefault((kind, number), Python(place, f"{kind} {version}", number))
    return sorted(pythons.values(), key=lambda python: (python.minor, python.name))


_NO_PACKAGE = "No matching distribution found for"
_PIP = ("-I", "-m", "pip", "--disable-pip-version-check", "--no-input")


def python_of(folder: Path) -> Path:
    """Return the interpreter of an environment."""
    return folder / "bin" / "python"


def make(python: Path, folder: Path) -> Path:
    """Make a new environment in ``folder``, and return the folder."""
    run_program([python, "-I", "-m", "venv", folder], f"{python} could not make an environment")
    return folder


def install(folder: Path, *what: str | Path) -> None:
    """Install ``what`` by pip; packages of other projects only as wheels, which are not compiled.

    Raises:
        FailedError: pip failed.
    """
    binaries = ("--only-binary", ":all:", "--no-binary", "satsweeper")
    words = [python_of(folder), *_PIP, "install", "--quiet", *binaries, *what]
    run_program(words, f"pip could not install {', '.join(Path(w).name for w in what)}")


def lacking(folder: Path, wheel: Path, extras: Sequence[str]) -> dict[str, str]:
    """Return the extras that cannot be installed for the Python of an environment, and why."""
    found = {}
    words = ("install", "--quiet", "--dry-run", "--only-binary", ":all:")
    for extra in extras:
        try:
            run_program([python_of(folder), *_PIP, *words, f"{wheel}[{extra}]"], extra)
        except FailedError as error:
            found[extra] = str(error).partition(": ")[2]
    return found


def consistent(folder: Path) -> None:
    """Raise FailedError if the installed packages have incompatible versions."""
    run_program([python_of(folder), *_PIP, "check"], "pip check")


@contextmanager
def read_only(folder: Path) -> Iterator[tuple[str, ...] | None]:
    """Make the packages of an environment read-only in the block.

    Yields the words that must precede a command. Root can write in spite of the modes of files, so
    for root these words run the command without that right, by setpriv. Yields None if the packages
    can be written all the same.
    """
    packages = next(path for path in folder.glob("lib*/**/site-packages") if path.is_dir())
    before: tuple[str, ...] | None = ()
    if not os.geteuid():
        powerless = ("setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override")
        before = powerless if shutil.which("setpriv") else None
    paths = [packages, *packages.rglob("*")]
    modes = {path: path.stat().st_mode for path in paths if not path.is_symlink()}
    for path, mode in modes.items():
        path.chmod(mode & ~(stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH))
    try:
        code = f"open({str(packages / 'written')!r}, 'w')"
        tried = ran([*(before or ()), python_of(folder), "-c", code])
        yield before if tried.returncode else None
    finally:
        for path, mode in modes.items():
            path.chmod(mode)


def run_program(words: Sequence[str | Path], failed: str) -> None:
    """Run a program; if it fails, raise FailedError with ``failed`` and the last line of errors."""
    # Python programs must not find packages of the caller through these variables.
    inherited = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME")}
    ended = ran(words, env=inherited)
    if ended.returncode:
        lines = (ended.stderr.strip() or ended.stdout.strip() or "nothing").splitlines()
        errors = [line for line in lines if "ERROR" in line] or lines
        kind = NoPackageError if _NO_PACKAGE in errors[-1] else FailedError
        raise kind(f"{failed}: {' '.join(errors[-1].split())}")


def build(python: Path, checkout: Path, work: Path) -> tuple[Path, Path]:
    """Build and return the sdist and the wheel of a checkout; the wheel is built from the sdist.

    Raises:
        FailedError: a tool fails, or the wheel built from the checkout differs.
    """
    tools = make(python, work / "tools")
    install(tools, "build", "hatchling", "twine")
    first, second = work / "archives", work / "archives again"

    def tool(name: str, *words: str | Path) -> None:
        run_program([python_of(tools), "-I", "-m", name, *words], f"python -m {name} failed")

    tool("build", "--no-isolation", "-o", first, checkout)
    tool("build", "--no-isolation", "--wheel", "-o", second, checkout)
    (sdist,), (wheel,) = first.glob("*.tar.gz"), first.glob("*.whl")
    if wheel.read_bytes() != (second / wheel.name).read_bytes():
        raise FailedError("the wheel made of the sdist is not the one made of the checkout")
    tool("twine", "check", "--strict", sdist, wheel)
    return sdist, wheel


def wrong_contents(sdist: Path, wheel: Path, tracked: Sequence[str], version: str) -> list[str]:
    """Return a line for each missing or surplus file of an archive, and for wrong metadata.

    ``tracked`` are the files of the commit.
    """
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    wrong = [f"{sdist.name}: {name} is missing" for name in sorted({*tracked} - held)]
    new = held - {*tracked, "PKG-INFO"}
    wrong += [f"{sdist.name}: {name} is in no commit" for name in sorted(new)]
    inside = [name.removeprefix("encodings/") for name in tracked]
    wanted = {name for name in inside if name.startswith(("pbcnf/", "satsweeper/"))}
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
        [described] = [name for name in names if name.endswith(".dist-info/METADATA")]
        metadata = message_from_bytes(packed.read(described))
    held = {name for name in names if ".dist-info/" not in name}
    for name in sorted(wanted ^ held):
        wrong.append(f"{wheel.name}: {name} is {'missing' if name in wanted else 'one too many'}")
    for field in ("Name", "Version", "Summary", "Requires-Python", "License-Expression"):
        if not metadata.get(field):
            wrong.append(f"{wheel.name}: no {field}")
    if metadata["Version"] != version:
        wrong.append(f"{wheel.name}: version {metadata['Version']}, not {version}")
    if "# SatSweeper" not in str(metadata.get_payload()):
        wrong.append(f"{wheel.name}: its description is not README.md")
    return wrong
