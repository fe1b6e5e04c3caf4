"""Errors of readers and writers of boards."""

from pbcnf.errors import LocatedError
from pbcnf.errors import printable as printable
from satsweeper.board.errors import Error


class BoardError(LocatedError):
    """A board that cannot be read; the message has the place of the fault and what is allowed."""


class CannotHoldError(Error, ValueError):
    """A board that a format has no way to write down; nothing is written.

    ``drops``: the parts that would have to be left out first (see ``Record.without``); empty if
    leaving parts out does not help.
    """

    def __init__(self, message: str, *drops: str) -> None:
        super().__init__(message, *drops)
        self.message = message
        self.drops = drops

    def __str__(self) -> str:
        return self.message
