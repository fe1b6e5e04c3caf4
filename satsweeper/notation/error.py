"""The one error of every board reader."""

from satsweeper.board.errors import Error


class BoardError(Error, ValueError):
    """A board that cannot be read: whoever wrote the file is told where and what is allowed.

    ``line`` and ``column`` count from 1 and point at the offending character; ``None`` where no
    single place is wrong, as in an empty file. ``str()`` is always one line,
    ``source:line:column: message``.
    """

    def __init__(
        self, source: str, line: int | None = None, column: int | None = None, message: str = ""
    ) -> None:
        # All four go to args: an exception from a worker process is rebuilt from them.
        super().__init__(source, line, column, message)
        self.source = source
        self.line = line
        self.column = column
        self.message = message

    def __str__(self) -> str:
        places = [str(place) for place in (self.line, self.column) if place is not None]
        return ":".join([printable(self.source), *places, f" {self.message}"])


def printable(text: str) -> str:
    """``text`` on one line, anything a terminal would act on written as an escape."""
    return text if text.isprintable() else repr(text)[1:-1]


class CannotHoldError(Error, ValueError):
    """A board that a format has no way to write down; nothing is written.

    ``drops`` names the parts that would have to be left out first (see ``Record.without``); none
    where leaving something out would not help.
    """

    def __init__(self, message: str, *drops: str) -> None:
        super().__init__(message, *drops)
        self.message = message
        self.drops = drops

    def __str__(self) -> str:
        return self.message
