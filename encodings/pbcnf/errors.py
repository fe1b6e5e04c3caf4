"""The base of all errors that are raised on purpose, in ``pbcnf`` and in ``satsweeper``.

A class with a built-in class such as ``ValueError`` as its second base can be caught as that
built-in class. Arguments of a wrong type or range are plain ``TypeError`` and ``ValueError``.
"""

from __future__ import annotations


class Error(Exception):
    """The base of all errors that are raised on purpose; ``str()`` is one line for a person."""


class EncodingError(Error, ValueError):
    """An unknown encoder or format, or an encoder or format that cannot express a constraint."""


class LocatedError(Error, ValueError):
    """A fault in a text; ``str()`` is one line, ``source:line:column: message``.

    ``line`` and ``column`` count from 1 and point at the fault; None where no single place is
    wrong, as in an empty file.
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
    """Return `text` on one line, with escapes for whatever a terminal would act on."""
    return text if text.isprintable() else repr(text)[1:-1]
