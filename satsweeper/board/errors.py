"""Base classes of errors: the kinds that callers and commands distinguish."""

from pbcnf.errors import Error as Error


class CellError(Error, ValueError):
    """A cell that is not on the board, or not of the kind that an operation needs."""


class LimitError(Error):
    """A limit of time or memory was reached, or would be."""


class MissingError(Error):
    """An optional package is not installed; the message has the command that installs it."""


class FailedError(Error):
    """An external program or a worker process gave no answer, or a wrong answer."""


class DefectError(Error, RuntimeError):
    """An internal check failed: a defect of a solver, an encoding, or this package."""


def one_line(error: BaseException) -> str:
    """Return the class and the message of an exception in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())
