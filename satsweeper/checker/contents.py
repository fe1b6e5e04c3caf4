"""The files of a certificate: exactly the needed files, each with the hash in the manifest.

Nothing outside of the folder is ever opened: the names come from what a certificate needs, never
from the manifest, and links are refused. Files that are named one by one, such as the proof of a
game, have the same limits.
"""

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from satsweeper.checker.canonical import MOST_IN_LINE, check_form
from satsweeper.checker.errors import WrongCertificateError, wrong_at

MOST_BYTES: Final = 2**31
"""Limit on the bytes of a file; all files of a board of 1000 x 1000 cells had 240 million."""

_O_NOFOLLOW: Final = getattr(os, "O_NOFOLLOW", 0)
_O_NONBLOCK: Final = getattr(os, "O_NONBLOCK", 0)


def read_files(folder: Path, manifest: str, hashes: object, needed: set[str]) -> dict[str, bytes]:
    """Return the files by name after comparing their hashes.

    Args:
        folder: what holds them, and no other file but the manifest.
        manifest: the name of the manifest.
        hashes: what the manifest holds as its files: the SHA-256 of each.
        needed: the names of all files.

    Raises:
        WrongCertificateError: a file is missing, too many, no regular file, or another one.
        OSError: a file cannot be read.
    """
    if not isinstance(hashes, dict):
        raise WrongCertificateError(manifest, "files: no object")
    for name in sorted(needed.symmetric_difference(hashes)):
        fault = "it is not named" if name in needed else "a certificate like this has no such file"
        raise WrongCertificateError(manifest, f"files: {name!r}: {fault}")
    for name in _all_below(folder):
        if name not in needed and name != manifest:
            raise WrongCertificateError(name, "the manifest does not name it")
    files = {}
    for name in sorted(needed):
        files[name] = read_regular(folder, name)
        if hashlib.sha256(files[name]).hexdigest() != hashes[name]:
            raise WrongCertificateError(name, "its hash is not that of the manifest")
        check_form(name, files[name])
    return files


def read_regular(folder: Path, name: str) -> bytes:
    """Return the content of the regular file ``name`` of at most MOST_BYTES.

    Raises WrongCertificateError, and OSError.
    """
    try:
        with _opened(folder / name, name, links=False) as (file, size):
            return file.read(size)
    except FileNotFoundError:
        raise WrongCertificateError(name, "it is missing") from None


def read_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines, with their ends, of the regular file ``path``; links are followed.

    A file that grows is read up to where it ended when it was opened.

    Raises:
        WrongCertificateError: it is another kind of file, has more than MOST_BYTES, or a line of
            more than MOST_IN_LINE.
        OSError: it cannot be read.
    """
    with _opened(path, path.name, links=True) as (file, size):
        yield from _lines(file, size, path.name)


def read_named(path: Path) -> bytes:
    """Return the content of the regular file ``path``; raises what ``read_lines`` raises."""
    with _opened(path, path.name, links=True) as (file, size):
        # A line that is too long is refused before the whole file is in memory.
        for _ in _lines(file, size, path.name):
            pass
        file.seek(0)
        return file.read(size)


@contextmanager
def _opened(path: Path, name: str, *, links: bool) -> Iterator[tuple[IO[bytes], int]]:
    """Open a regular file of MOST_BYTES at most; ``links``: whether links are followed."""
    status = path.stat() if links else path.lstat()
    if not stat.S_ISREG(status.st_mode):
        raise WrongCertificateError(name, "no regular file")
    # Should it have become a link or a pipe meanwhile, it is not followed or waited for.
    descriptor = os.open(path, os.O_RDONLY | _O_NONBLOCK | (0 if links else _O_NOFOLLOW))
    with open(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise WrongCertificateError(name, "no regular file")
        if status.st_size > MOST_BYTES:
            raise WrongCertificateError(name, f"more than {MOST_BYTES} bytes")
        yield file, status.st_size


def _lines(file: IO[bytes], left: int, name: str) -> Iterator[bytes]:
    number = 0
    while line := file.readline(min(left, MOST_IN_LINE + 1)):
        number += 1
        left -= len(line)
        if len(line) > MOST_IN_LINE:
            raise wrong_at(name, number, f"longer than {MOST_IN_LINE} bytes")
        yield line


def _all_below(folder: Path) -> Iterator[str]:
    """Yield the names of everything below ``folder`` that is no folder, links included."""
    for where, folders, files in os.walk(folder):
        below = Path(where).relative_to(folder)
        for name in sorted(files):
            yield (below / name).as_posix()
        for name in sorted(folders):
            if (Path(where) / name).is_symlink():
                yield (below / name).as_posix()
