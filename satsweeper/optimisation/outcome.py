"""What came of a problem."""

from dataclasses import dataclass, field
from enum import StrEnum

from pbcnf.literals import Lit


class Status(StrEnum):
    """The claim, in the words of the competitions."""

    SATISFIABLE = "SATISFIABLE"
    """There is a model; with an objective: a better one may exist."""
    OPTIMUM = "OPTIMUM FOUND"
    UNSATISFIABLE = "UNSATISFIABLE"
    UNKNOWN = "UNKNOWN"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A claim and what goes with it.

    ``model``: the literal of every variable of the problem in order, checked against every
    constraint; None without one. ``value``: the objective there, None without an objective.
    ``bound``: no model has a better value, as far as is known; None without an objective.
    ``reason``: why the search ended before it was done.
    """

    status: Status
    model: tuple[Lit, ...] | None = field(default=None, repr=False)
    value: int | None = None
    bound: int | None = None
    reason: str = ""
    questions: int = 0
    """How often the solver was asked."""
    conflicts: int = 0
