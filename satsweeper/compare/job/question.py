"""What a job asks a solver: constraints, and what must be true of every model."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from pbcnf.constraints.constraint import Linear
from pbcnf.formula import Formula


@dataclass(frozen=True, slots=True)
class Question:
    """Constraints over variables 1 .. ``variables``, to be encoded, or clauses as they are.

    ``check`` raises WrongModelError for a model (a literal a variable, from 1 on, auxiliaries
    behind; the last may be missing) that does not answer the question itself: the board's, the
    problem's, not the encoding's. ``grid`` tells what literals that are in every model mean.
    """

    variables: int
    constraints: tuple[Linear, ...] = ()
    total: Linear | None = None
    clauses: Formula | None = None
    assumptions: tuple[int, ...] = ()
    check: Callable[[list[int]], None] = lambda model: None
    grid: Callable[[Collection[int]], str] = lambda literals: ""
