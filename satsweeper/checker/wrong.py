"""The first thing that is wrong with a certificate."""

from typing import Final

from satsweeper.board.errors import Error

_LONGEST: Final = 300


class WrongCertificateError(Error):
    """A certificate does not prove what it says; the message names the file and the fault.

    The message is one printable line: what it quotes comes from a file that nobody trusts.
    """

    def __init__(self, file: str, fault: str) -> None:
        self.file = _printable(file)
        self.fault = _printable(fault)
        super().__init__(f"{self.file}: {self.fault}")


def wrong_at(file: str, line: int | None, message: str) -> WrongCertificateError:
    """A file that a checker or a reader refuses, at this line if it is known."""
    return WrongCertificateError(file, message if line is None else f"line {line}: {message}")


def counted(number: int, noun: str) -> str:
    """A number and its noun, as in "1 clause" and "2 clauses"; the checker has its own words."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _printable(text: str) -> str:
    text = text if len(text) <= _LONGEST else text[:_LONGEST] + " ..."
    return text if text.isprintable() else ascii(text)[1:-1]
