"""The checker's error, for the first defect of a certificate, and the words of its messages."""

from typing import Final

from satsweeper.board.errors import Error

_LONGEST: Final = 300


class WrongCertificateError(Error):
    """Raised when a certificate does not prove its claims; the message names file and fault.

    The message is one printable line, since it may quote an untrusted file.
    """

    def __init__(self, file: str, fault: str) -> None:
        self.file = printable(file)
        self.fault = printable(fault)
        super().__init__(f"{self.file}: {self.fault}")


class UnknownRuleError(WrongCertificateError):
    """Raised at a step by a rule that the second checker of proofs does not know.

    The step may be sound: it is not checked.
    """


def wrong_at(file: str, line: int | None, message: str) -> WrongCertificateError:
    """Return the error for ``file``, with ``message`` at ``line`` if the line is known."""
    return WrongCertificateError(file, message if line is None else f"line {line}: {message}")


def counted(number: int, noun: str) -> str:
    """Return ``number`` with ``noun`` in singular or plural; the checker imports no wording."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def printable(text: str) -> str:
    """Return a text as one printable line, shortened."""
    text = text if len(text) <= _LONGEST else text[:_LONGEST] + " ..."
    return text if text.isprintable() else ascii(text)[1:-1]
