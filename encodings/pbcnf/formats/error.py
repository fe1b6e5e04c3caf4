"""The error of every reader of a format, and words for its messages."""

from __future__ import annotations

from pbcnf.errors import LocatedError, printable
from pbcnf.literals import MAX_VAR
from pbcnf.wording import are, counted

_LONGEST = 60
"""Number of characters of a file that a message quotes."""


class FormatError(LocatedError):
    """Text that is not of its format; the message says what is allowed instead."""


def declared_variables(number: int) -> str:
    """Return the message part for a variable above `number`; `MAX_VAR` means nothing is declared.

    >>> declared_variables(1)
    '1 variable is declared'
    """
    what = "can be named by literals" if number == MAX_VAR else f"{are(number)} declared"
    return f"{counted(number, 'variable')} {what}"


def too_many_variables(number: int) -> str:
    """Return the message for a file of `number` variables, more than literals can name."""
    return f"{number} variables: at most {MAX_VAR} can be named by literals"


def excerpt(text: str | bytes) -> str:
    """Return `text` from a file as a message quotes it: one line, printable, not too long."""
    if isinstance(text, bytes):
        text = text[: _LONGEST + 1].decode("ascii", "backslashreplace")
    return printable(text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}...")
