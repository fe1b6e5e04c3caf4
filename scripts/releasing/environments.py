"""Environments to install into: made anew, and made such that nobody can write into them."""

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

_NO_PACKAGE = "No matching distribution found for"
_PIP = ("-I", "-m", "pip", "--disable-pip-version-check", "--no-input")


class FailedError(Exception):
    """A step of a release failed; the message is one line."""


class NoPackageError(FailedError):
    """Somebody else's package does not exist for a Python, or not yet."""


def python_of(folder: Path) -> Path:
    """The interpreter of an environment."""
    return folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"


def make(python: Path, folder: Path) -> Path:
    """A new environment; its folder."""
    _run([python, "-I", "-m", "venv", folder], f"{python} could not make an environment")
    return folder


def install(folder: Path, *what: str | Path) -> None:
    """Install by pip, what others have made as packages alone: nothing of theirs is compiled.

    Raises:
        FailedError: pip could not.
    """
    binaries = ("--only-binary", ":all:", "--no-binary", "satsweeper")
    words = [python_of(folder), *_PIP, "install", "--quiet", *binaries, *what]
    _run(words, f"pip could not install {', '.join(Path(w).name for w in what)}")


def lacking(folder: Path, wheel: Path, extras: Sequence[str]) -> dict[str, str]:
    """The extras that cannot be had for the Python of an environment, and why."""
    found = {}
    for extra in extras:
        words: list[str | Path] = [python_of(folder), *_PIP, "install", "--quiet", "--dry-run"]
        try:
            _run([*words, "--only-binary", ":all:", f"{wheel}[{extra}]"], extra)
        except FailedError as error:
            found[extra] = str(error).partition(": ")[2]
    return found


def consistent(folder: Path) -> None:
    """Raise FailedError if what is installed does not fit together."""
    _run([python_of(folder), *_PIP, "check"], "pip check")


@contextmanager
def read_only(folder: Path) -> Iterator[tuple[str, ...] | None]:
    """Nobody can write into the packages of an environment; what has to stand before a command.

    Root can, and has to give up that right: by setpriv. None where that is not to be had.
    """
    packages = next(path for path in folder.glob("[Ll]ib*/**/site-packages") if path.is_dir())
    before = _powerless()
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


def _powerless() -> tuple[str, ...] | None:
    if not hasattr(os, "geteuid") or os.geteuid():
        return ()
    if shutil.which("setpriv") is None:
        return None
    return ("setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override")


def _run(words: Sequence[str | Path], failed: str) -> None:
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
