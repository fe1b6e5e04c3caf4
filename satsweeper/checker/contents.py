"""The files of a certificate: exactly those it needs, and each with the hash that it should have.

Nothing outside of the folder is ever opened: the names come from what a certificate needs, never
from the manifest, and links are refused.
"""

import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from satsweeper.checker.canonical import check_form
from satsweeper.checker.wrong import WrongCertificateError

MOST_BYTES: Final = 2**31
"""Of a file; of a certificate of 1000 x 1000 cells all together had 240 million."""

_O_NOFOLLOW: Final = getattr(os, "O_NOFOLLOW", 0)
_O_NONBLOCK: Final = getattr(os, "O_NONBLOCK", 0)


def read_files(folder: Path, manifest: str, hashes: object, needed: set[str]) -> dict[str, bytes]:
    """The files by name, once their hashes have been compared.

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
    """The content of a regular file of no more than MOST_BYTES.

    Raises WrongCertificateError, and OSError.
    """
    path = folder / name
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            raise WrongCertificateError(name, "no regular file")
        # Should it have become a link or a pipe meanwhile, it is not followed or waited for.
        descriptor = os.open(path, os.O_RDONLY | _O_NOFOLLOW | _O_NONBLOCK)
    except FileNotFoundError:
        raise WrongCertificateError(name, "it is missing") from None
    with open(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise WrongCertificateError(name, "no regular file")
        if status.st_size > MOST_BYTES:
            raise WrongCertificateError(name, f"more than {MOST_BYTES} bytes")
        return file.read(status.st_size)


def _all_below(folder: Path) -> Iterator[str]:
    """The names of everything below a folder that is no folder, links among it."""
    for where, folders, files in os.walk(folder):
        below = Path(where).relative_to(folder)
        for name in sorted(files):
            yield (below / name).as_posix()
        for name in sorted(folders):
            if (Path(where) / name).is_symlink():
                yield (below / name).as_posix()
