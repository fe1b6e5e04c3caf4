"""Exit codes of all commands, and the two errors that lead to them."""

from typing import Final

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
    """A file that the command was given to read or told to write cannot be used."""
