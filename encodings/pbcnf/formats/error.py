"""The one error of every reader of a format."""

from __future__ import annotations

from pbcnf.errors import Error
from pbcnf.literals import MAX_VAR
from pbcnf.wording import are, counted


class FormatError(Error, ValueError):
    """Text that is not of its format: whoever wrote it is told where, and what is allowed.

    ``line`` and ``column`` count from 1 and point at what is wrong; None where no single place is,
    as in an empty file. ``str()`` is one line, ``source:line:column: message``.
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


def declared_variables(number: int) -> str:
    """What to say of a variable beyond them: `MAX_VAR` stands for no declaration.

    >>> declared_variables(1)
    '1 variable is declared'
    """
    what = "can be named by literals" if number == MAX_VAR else f"{are(number)} declared"
    return f"{counted(number, 'variable')} {what}"


def printable(text: str | bytes) -> str:
    """Return `text` on one line and not too long, what a terminal would act on as an escape."""
    if isinstance(text, bytes):
        text = text.decode("ascii", "backslashreplace")
    if len(text) > 60:
        text = f"{text[:57]}..."
    return text if text.isprintable() else repr(text)[1:-1]
