"""The Pythons of this machine that a release is tried on."""

import os
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

OLDEST = (3, 11)
_NAMES = ("python3", "python", *(f"python3.{minor}" for minor in range(OLDEST[1], 30)))
_ASK = """\
import ensurepip, platform, sys, venv
print(sys.implementation.name, platform.python_version(), *sys.version_info[:2])
"""


@dataclass(frozen=True, slots=True)
class Python:
    """An interpreter that can make environments."""

    path: Path
    name: str
    """As in ``cpython 3.11.2``."""
    minor: tuple[int, int]


def found(path: str | None = None) -> list[Python]:
    """One of each version from 3.11 on, the first on PATH, or on the path that is given."""
    folders = (path or os.environ.get("PATH", os.defpath)).split(os.pathsep)
    places = [Path(folder, name) for folder in folders for name in _NAMES]
    return named(place for place in places if place.is_file())


def named(places: Iterable[Path]) -> list[Python]:
    """One of each version among these programs."""
    pythons: dict[tuple[str, tuple[int, int]], Python] = {}
    for place in places:
        python = _asked(place)
        if python is not None:
            pythons.setdefault((python.name.partition(" ")[0], python.minor), python)
    return sorted(pythons.values(), key=lambda python: (python.minor, python.name))


def _asked(place: Path) -> Python | None:
    """What a program says that it is; None if it is none of use."""
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
        return None
    number = int(major), int(minor)
    return Python(place, f"{kind} {version}", number) if number >= OLDEST else None
