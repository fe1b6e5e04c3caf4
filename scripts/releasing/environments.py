"""What a release is made of and tried in: versions given, environments made, archives built."""

import os
import re
import shutil
import stat
import subprocess
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from email import message_from_bytes
from pathlib import Path
from typing import NamedTuple

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
    """A version of a package does not exist; the message is a line."""


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
    released = f"{UNRELEASED}\n\n## {new} - {day}"
    shown = re.compile(rf"^([c*;#] satsweeper ){re.escape(before)}", re.M)
    documents = [
        path.relative_to(root).as_posix()
        for path in root.glob("docs/**/*.md")
        if shown.search(path.read_text("utf-8"))
    ]
    changes: list[tuple[str, re.Pattern[str], Callable[[re.Match[str]], str], int]] = [
        *((name, VERSION, lambda line: line[0].replace(before, new), 1) for name in VERSION_FILES),
        (CITATION, re.compile(r"^version: .+$", re.M), lambda _: f"version: {new}", 1),
        (CITATION, re.compile(r"^date-released: .+$", re.M), lambda _: f"date-released: {day}", 1),
        (CHANGELOG, re.compile(f"^{UNRELEASED}$", re.M), lambda _: released, 1),
        # Documents show the version wherever this program prints it.
        *((name, shown, lambda line: line[1] + new, 0) for name in documents),
    ]
    for name, what, to, most in changes:
        text, count = what.subn(to, (root / name).read_text("utf-8"), count=most)
        if not count:
            raise CannotPrepareError(f"{root / name}: the line of the version is not there")
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
    """As in ``cpython 3.11.2``."""
    minor: tuple[int, int]


def found(path: str | None = None) -> list[Python]:
    """Return a Python of each version from 3.11 on, the first on ``path`` (PATH by default)."""
    folders = (path or os.environ.get("PATH", os.defpath)).split(os.pathsep)
    places = [Path(folder, name) for folder in folders for name in _NAMES]
    return named(place for place in places if place.is_file())


def named(places: Iterable[Path]) -> list[Python]:
    """Return a Python of each version among these programs, without those that are unusable."""
    pythons: dict[tuple[str, tuple[int, int]], Python] = {}
    for place in places:
        try:
            ended = subprocess.run(
                [place, "-I", "-c", _ASK],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
            )
            kind, version, major, minor = ended.stdout.split()
        except (OSError, ValueError, subprocess.TimeoutExpired):
            continue
        number = int(major), int(minor)
        if number >= OLDEST:
            pythons.setdefault((kind, number), Python(place, f"{kind} {version}", number))
    return sorted(pythons.values(), key=lambda python: (python.minor, python.name))


_NO_PACKAGE = "No matching distribution found for"
_PIP = ("-I", "-m", "pip", "--disable-pip-version-check", "--no-input")


class FailedError(Exception):
    """A step of a release failed; the message is one line."""


class NoPackageError(FailedError):
    """Somebody else's package does not exist for a Python, or not yet."""


def python_of(folder: Path) -> Path:
    """The interpreter of an environment."""
    return folder / "bin" / "python"


def make(python: Path, folder: Path) -> Path:
    """A new environment; its folder."""
    run_program([python, "-I", "-m", "venv", folder], f"{python} could not make an environment")
    return folder


def install(folder: Path, *what: str | Path) -> None:
    """Install by pip, what others have made as packages alone: nothing of theirs is compiled.

    Raises:
        FailedError: pip could not.
    """
    binaries = ("--only-binary", ":all:", "--no-binary", "satsweeper")
    words = [python_of(folder), *_PIP, "install", "--quiet", *binaries, *what]
    run_program(words, f"pip could not install {', '.join(Path(w).name for w in what)}")


def lacking(folder: Path, wheel: Path, extras: Sequence[str]) -> dict[str, str]:
    """The extras that cannot be had for the Python of an environment, and why."""
    found = {}
    for extra in extras:
        words: list[str | Path] = [python_of(folder), *_PIP, "install", "--quiet", "--dry-run"]
        try:
            run_program([*words, "--only-binary", ":all:", f"{wheel}[{extra}]"], extra)
        except FailedError as error:
            found[extra] = str(error).partition(": ")[2]
    return found


def consistent(folder: Path) -> None:
    """Raise FailedError if what is installed does not fit together."""
    run_program([python_of(folder), *_PIP, "check"], "pip check")


@contextmanager
def read_only(folder: Path) -> Iterator[tuple[str, ...] | None]:
    """Nobody can write into the packages of an environment; what has to stand before a command.

    Root can, and has to give up that right: by setpriv. None where that is not to be had.
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
        words = [*(before or ()), str(python_of(folder)), "-c", code]
        tried = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        yield before if tried.returncode else None
    finally:
        for path, mode in modes.items():
            path.chmod(mode)


def run_program(words: Sequence[str | Path], failed: str) -> None:
    """Run a program; raise FailedError, ``failed`` and what the program said last, if it fails."""
    # Nothing of the caller's environment is to be found from in there.
    own = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME")}
    ended = subprocess.run(
        list(map(str, words)),
        env=own,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if ended.returncode:
        lines = (ended.stderr.strip() or ended.stdout.strip() or "nothing").splitlines()
        told = [line for line in lines if "ERROR" in line] or lines
        kind = NoPackageError if _NO_PACKAGE in told[-1] else FailedError
        raise kind(f"{failed}: {' '.join(told[-1].split())}")


def build(python: Path, checkout: Path, work: Path) -> tuple[Path, Path]:
    """The sdist and the wheel of a checkout, the wheel made of what the sdist holds.

    Raises:
        FailedError: a tool fails, or the wheel made of the checkout is another one.
    """
    tools = make(python, work / "tools")
    install(tools, "build", "hatchling", "twine")
    first, second = work / "archives", work / "archives again"
    python_m: list[str | Path] = [python_of(tools), "-I", "-m"]
    for options in (["-o", first], ["--wheel", "-o", second]):
        words: list[str | Path] = [*python_m, "build", "--no-isolation", *options, checkout]
        run_program(words, "python -m build failed")
    (sdist,), (wheel,) = first.glob("*.tar.gz"), first.glob("*.whl")
    if wheel.read_bytes() != (second / wheel.name).read_bytes():
        raise FailedError("the wheel made of the sdist is not the one made of the checkout")
    run_program([*python_m, "twine", "check", "--strict", sdist, wheel], "python -m twine failed")
    return sdist, wheel


def wrong_contents(sdist: Path, wheel: Path, tracked: Sequence[str], version: str) -> list[str]:
    """A line for each file that is missing in an archive or one too many, and wrong metadata."""
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    wrong = [f"{sdist.name}: {name} is missing" for name in sorted({*tracked} - held)]
    new = held - {*tracked, "PKG-INFO"}
    wrong += [f"{sdist.name}: {name} is in no commit" for name in sorted(new)]
    # Folders of the checkout that are packed, and their places in the wheel.
    places = {"encodings/pbcnf/": "pbcnf/", "satsweeper/": "satsweeper/"}
    wanted = {
        there + name.removeprefix(here)
        for here, there in places.items()
        for name in tracked
        if name.startswith(here)
    }
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
