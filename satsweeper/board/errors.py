"""Base classes of errors: the kinds that callers and commands distinguish."""

from pbcnf.errors import Error as Error


class CellError(Error, ValueError):
    """A cell that is not on the board, or not of the kind that is needed."""


class LimitError(Error):
    """A limit of time or memory was reached, or would be."""


class MissingError(Error):
    """A package that is an extra is not installed; the message says how to get it."""


class FailedError(Error):
    """Somebody else's program or a process of ours gave no answer, or one that is wrong."""


class DefectError(Error, RuntimeError):
    """A check failed that never should: a defect of a solver, an encoding, or this package."""
