"""The cache of machine code: a folder of the user's, named by a digest of all that code depends on.

numba keeps code in ``__pycache__`` beside the file that defines a function, and holds it for stale
when the time of that file changes. So the cache has a copy of every file of this package, all with
one fixed time: checkouts and environments with the same files and versions share the code. numba
adds the processor to the key, and replaces each of its files at once: processes may share it too.
"""

import os
import platform
import stat
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from typing import Any, Final

_HERE: Final = Path(__file__).parent
_COPY: Final = ".copy"
"""The suffix of copies: not ``.py``, so that nothing imports a copy as a module."""
_TIME: Final = 1_000_000_000
"""The time of every copy, in seconds: any, as long as it never changes."""


@cache
def folder() -> Path | None:
    """Return the folder of the cache, made if need be; None if no folder can be written.

    Machine code is run, so whoever could write there could run anything: the folder belongs to the
    user, and nobody else may write in it. It is in the user's cache, or if that cannot be used, in
    ``__pycache__`` beside the files of this package.
    """
    name = f"kernel-{_digest()}"
    beside = _HERE / "__pycache__"
    for place in filter(None, (_cache(), beside)):
        found = place / name
        # In a folder that others may write they could put one of theirs in the place of this one.
        # Who can do so in ``__pycache__`` can replace the modules of this package as well.
        owned = (found,) if place == beside else (place, found)
        with suppress(OSError):
            if all(map(_make_own, owned)):
                for path in _HERE.glob("*.py"):
                    _copy(path, (found / path.name).with_suffix(_COPY))
                return found
    return None


def _cache() -> Path | None:
    """The folder ``satsweeper`` in the user's cache; None for a user without a home."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    # A path that is not absolute would be one of the current folder.
    if os.path.isabs(named):
        return Path(named, "satsweeper")
    with suppress(RuntimeError):
        home = Path("~").expanduser()
        if home.is_absolute():
            return home / ".cache" / "satsweeper"
    return None


def _make_own(place: Path) -> bool:
    """Make the folder ``place`` if need be; return whether only the user can write there."""
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not os.access(place, os.W_OK):
        return False
    if not hasattr(os, "geteuid"):
        return True
    found = place.lstat()
    own = stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()
    return own and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _copy(path: Path, to: Path) -> None:
    if to.exists():
        return
    # Written aside and renamed: another process finds the whole copy, or none.
    part = to.with_name(f"{to.name}.{os.getpid()}")
    part.write_bytes(path.read_bytes())
    os.utime(part, (_TIME, _TIME))
    part.replace(to)


def _digest() -> str:
    digest = sha256()
    for path in sorted(_HERE.glob("*.py")):
        digest.update(path.read_bytes())
    versions = [f"{name} {_version(name)}" for name in ("numba", "llvmlite", "numpy")]
    words = [sys.implementation.cache_tag, sys.version, platform.machine(), *versions]
    digest.update("\n".join(map(str, words)).encode())
    return digest.hexdigest()[:16]


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def kept_file(function: Callable[..., Any]) -> Path | None:
    """The copy of the file that defines ``function``; None if its machine code is not cached."""
    path, place = Path(function.__code__.co_filename), folder()
    return None if place is None or path.parent != _HERE else (place / path.name).with_suffix(_COPY)


def kept_names() -> frozenset[str]:
    """The functions whose machine code is in the cache, as ``MODULE.NAME``."""
    place = folder()
    names: list[str] = []
    if place is not None:
        with suppress(OSError):
            names = os.listdir(place / "__pycache__")
    return frozenset(name.partition("-")[0] for name in names if name.endswith(".nbi"))


_first_names: Final = cache(kept_names)


def is_kept(function: Callable[..., Any]) -> bool:
    """Whether machine code of ``function`` was in the cache when this process first asked."""
    return name_of(function) in _first_names()


def name_of(function: Callable[..., Any]) -> str:
    """``function``, one of this package, as ``MODULE.NAME``: so numba's files begin."""
    return f"{function.__module__.rpartition('.')[2]}.{function.__name__}"
