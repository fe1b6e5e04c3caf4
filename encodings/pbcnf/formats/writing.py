"""Files that appear whole or not at all."""

import json
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any

from pbcnf.formats.compressed import compressing
from pbcnf.formats.table import ending


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a binary stream whose content becomes the file `path` atomically when the block ends.

    A name that ends in ``.gz``, ``.bz2`` or ``.xz`` is compressed. If anything goes wrong, in the
    block or here, ``path`` stays as it was and nothing is left beside it. Devices and pipes cannot
    be replaced: they are written to as they are.

    Raises:
        EncodingError: the name says another compression, and nothing was touched.
        OSError: the file cannot be written.
    """
    ending(path)
    # A symbolic link stays: the file to which it points is replaced.
    target = os.path.realpath(path)
    try:
        mode: int | None = os.stat(target).st_mode
    except FileNotFoundError:
        mode = None
    if mode is not None and not stat.S_ISREG(mode):
        with open(target, "wb") as device, compressing(device, target) as stream:
            yield stream
        return
    folder = os.path.dirname(target)
    part = os.path.join(folder, f".satsweeper-{secrets.token_hex(8)}.part")
    try:
        # The `with` below closes the file.
        opened: IO[bytes] = _nameless(folder) or open(part, "xb")  # noqa: SIM115
        with opened as file:
            with compressing(file, target) as stream:
                yield stream
            file.flush()
            if mode is not None and hasattr(os, "fchmod"):
                os.fchmod(file.fileno(), stat.S_IMODE(mode))
            os.fsync(file.fileno())
            if not os.path.exists(part):
                # With `src_dir_fd`, Python follows the link in /proc to the open file.
                here = os.open("/", os.O_RDONLY)
                try:
                    os.link(f"/proc/self/fd/{file.fileno()}", part, src_dir_fd=here)
                finally:
                    os.close(here)
        os.replace(part, target)
    except BaseException as error:
        if isinstance(error, OSError) and error.filename == part:
            error.filename = path
        with suppress(OSError):
            os.unlink(part)
        raise


def _nameless(folder: str) -> IO[bytes] | None:
    """Open a file without a name, so that a process killed while writing leaves nothing behind.

    Return None on systems without nameless files; the caller then writes a named file.
    """
    try:
        descriptor = os.open(folder or ".", os.O_TMPFILE | os.O_WRONLY, 0o666)
    except (AttributeError, OSError):
        return None
    if not os.path.exists(f"/proc/self/fd/{descriptor}"):
        os.close(descriptor)
        return None
    return open(descriptor, "wb")


def write_json(content: dict[str, Any], stream: IO[bytes]) -> None:
    """Write `content` to `stream` as a line of JSON."""
    stream.write(json.dumps(content).encode("ascii") + b"\n")
