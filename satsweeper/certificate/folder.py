"""A certificate as a folder of files, which appears whole or not at all."""

import ctypes
import hashlib
import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from secrets import token_hex
from typing import Any, Final, Generic, TypeVar

from satsweeper.board.errors import Error
from satsweeper.notation.error import printable

MANIFEST: Final = "manifest.json"
SCHEMA: Final = "satsweeper/certificate/1"
SCHEMAS: Final = (SCHEMA, "satsweeper/odds-certificate/1", "satsweeper/puzzle-certificate/1")
"""The schemas of all kinds of certificates; a certificate may replace any other kind."""

_HERE: Final = -100
"""AT_FDCWD of Linux."""
_EXCHANGE: Final = 2
"""RENAME_EXCHANGE of Linux."""


A = TypeVar("A")


class FolderTakenError(Error, ValueError):
    """Raised for a folder that holds files other than a certificate's."""


@dataclass(frozen=True)
class FoundAndFiles(Generic[A]):
    """An answer, its manifest without the hashes of the files, and the files: name -> content."""

    found: A
    about: Mapping[str, Any] = field(repr=False)
    files: Mapping[str, bytes] = field(repr=False)

    def write(self, folder: str | PathLike[str]) -> dict[str, Any]:
        """Write the certificate as a folder, which the checker takes; return its manifest.

        Raises:
            FolderTakenError: the folder holds something that is not a certificate.
            OSError: it cannot be written; what was there is still there.
        """
        return write_folder(Path(folder), self.files, self.about)


def refuse_taken(folder: Path) -> None:
    """Raise FolderTakenError for a folder that may not be replaced: only certificates may."""
    if folder.exists() or folder.is_symlink():
        if not folder.is_dir() or folder.is_symlink():
            raise FolderTakenError(f"{printable(str(folder))} is no folder")
        if folder.samefile(os.curdir):
            raise FolderTakenError(
                f"{printable(str(folder))} is the folder that this runs in: name another one"
            )
        if any(folder.iterdir()) and not _is_certificate(folder):
            raise FolderTakenError(
                f"{printable(str(folder))} is not empty and holds no certificate"
            )


def write_folder(
    folder: Path, files: Mapping[str, bytes], about: Mapping[str, Any]
) -> dict[str, Any]:
    """Write the files and the manifest, which is returned; an older certificate is replaced.

    ``about`` is the manifest but for the hashes, and for the schema of verdicts.

    Raises:
        FolderTakenError: the folder holds something else.
        OSError: it cannot be written; what was there is still there.
    """
    refuse_taken(folder)
    manifest, contents = with_manifest(files, about)
    write_whole(folder, contents)
    return manifest


def with_manifest(
    files: Mapping[str, bytes], about: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return the manifest of ``files``, with their hashes, and all files with the manifest's."""
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    manifest = {"schema": SCHEMA, **about, "files": hashes}
    return manifest, {**files, MANIFEST: manifest_bytes(manifest)}


def write_whole(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write ``files``, by their names in ``folder``, all or none; raises ``OSError``.

    All is written beside ``folder`` first, in a folder whose name begins with ``.satsweeper-``.
    Both folders then change places in one step, so that one certificate is there at any time.
    (Where the system has no such step, there is no certificate for a moment. A process that is
    killed leaves the folder beside.)
    """
    beside = folder.parent / f".satsweeper-{token_hex(8)}.part"
    try:
        beside.mkdir()
        for inner in sorted({name.rpartition("/")[0] for name in files} - {""}):
            (beside / inner).mkdir(parents=True, exist_ok=True)
        contents = {os.path.join(beside, name): content for name, content in files.items()}
        for path, content in contents.items():
            with open(path, "xb") as stream:
                stream.write(content)
        # After all are written, the first of these does most of the work for the others.
        for path in contents:
            descriptor = os.open(path, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        if folder.exists():
            _exchange(beside, folder)
        else:
            beside.rename(folder)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def manifest_bytes(manifest: Mapping[str, Any]) -> bytes:
    """Return the bytes of a manifest."""
    return json.dumps(manifest, indent=1).encode("ascii") + b"\n"


def _exchange(new: Path, old: Path) -> None:
    """Let two folders change places, in one step where the system can."""
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):
        rename = None
    if rename is not None:
        first, second = os.fsencode(new), os.fsencode(old)
        if rename(_HERE, first, _HERE, second, _EXCHANGE) == 0:
            return
    away = new.with_suffix(".old")
    old.rename(away)
    try:
        new.rename(old)
    except BaseException:
        away.rename(old)
        raise
    away.rename(new)


def _is_certificate(folder: Path) -> bool:
    try:
        found = json.loads((folder / MANIFEST).read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(found, dict) and found.get("schema") in SCHEMAS
