"""Exit codes of all commands, the two errors that lead to them, and lines on standard error."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from pbcnf.errors import printable
from satsweeper.board.errors import Error

DONE: Final = 0
FAILED: Final = 1
USAGE: Final = 2
INCONSISTENT: Final = 20
LIMIT_REACHED: Final = 124
INTERRUPTED: Final = 130


class UsageError(Error):
    """Wrong usage of a command: an unknown encoding, an option that does not fit."""


class InputError(Error):
    """A file that a command has to read or to write cannot be used."""


@contextmanager
def usage_errors(kind: type[Exception] = ValueError) -> Iterator[None]:
    """Turn errors of this ``kind`` in the block into UsageError."""
    try:
        yield
    except kind as error:
        raise UsageError(str(error)) from None


@contextmanager
def input_errors(name: str) -> Iterator[None]:
    """Turn an OSError in the block, about the file or folder ``name``, into InputError."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{printable(name)}: {error.strerror or error}") from None


def complain(line: str) -> None:
    """Print ``line`` on standard error; nothing if standard error is closed."""
    if sys.stderr is not None:
        with suppress(OSError):
            sys.stderr.write(f"{line.rstrip()}\n")
            sys.stderr.flush()
