"""The bytes of a board file, or of standard input, within a limit."""

import os
import stat
import sys
from typing import Final

from satsweeper.board.codes import MAX_CELLS
from satsweeper.notation.error import BoardError

_MAX_BYTES: Final = 2 * MAX_CELLS + 2**20
"""Limit on the size of a file: a cell and a space each, and room for comments."""


def board_data(path: str | os.PathLike[str]) -> tuple[str | bytes, str]:
    """Return the contents of a board file, and its name in messages; ``-`` is standard input.

    Raises ``BoardError`` for a file that cannot be read, or is longer than any board file.
    """
    name = os.fspath(path)
    source = "<stdin>" if name == "-" else name
    try:
        data = _read_stdin() if name == "-" else _read_file(name)
    except OSError as error:
        raise BoardError(source, message=error.strerror or str(error)) from None
    except ValueError as error:
        # The path has a NUL, or the stream has been closed.
        raise BoardError(source, message=str(error)) from None
    if len(data) > _MAX_BYTES:
        raise BoardError(source, message=f"the limit is {_MAX_BYTES} bytes")
    return data, source


def _read_file(path: str) -> bytes:
    with open(path, "rb") as file:
        status = os.fstat(file.fileno())
        # Only a device or a pipe can go on for ever; a bounded read is slow for small files.
        endless = not stat.S_ISREG(status.st_mode) or status.st_size > _MAX_BYTES
        return file.read(_MAX_BYTES + 1 if endless else -1)


def _read_stdin() -> str | bytes:
    if sys.stdin is None:
        raise OSError("standard input is closed")
    # An object that replaces ``sys.stdin`` may yield text only.
    stream = getattr(sys.stdin, "buffer", sys.stdin)
    data: str | bytes = stream.read(_MAX_BYTES + 1)
    return data
