"""Whole problems as values: constraints over numbered variables, names, and an objective."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field

from pbcnf.constraints.constraint import Constraint, is_true
from pbcnf.literals import MAX_VAR, Lit, Var
from pbcnf.shown import Tabled
from pbcnf.wording import are, counted


@dataclass(frozen=True, slots=True)
class Objective(Tabled):
    """``constant + sum of weight * literal``, to be minimised or maximised.

    An objective ranks the models of a problem and excludes none.
    """

    lits: tuple[Lit, ...]
    weights: tuple[int, ...]
    constant: int = 0
    maximise: bool = False
    scale: int = 1
    """The factor by which an objective in a file was multiplied to have integers only."""

    def __post_init__(self) -> None:
        """Check that `weights` has a weight for each literal."""
        if len(self.lits) != len(self.weights):
            found, given = counted(len(self.lits), "literal"), counted(len(self.weights), "weight")
            raise ValueError(f"{found} but {given}")

    def value(self, model: Container[Lit]) -> int:
        """Return the value in `model`. Raises ValueError if `model` leaves a literal undecided."""
        pairs = zip(self.lits, self.weights, strict=True)
        return self.constant + sum(weight for lit, weight in pairs if is_true(lit, model))


@dataclass(frozen=True, slots=True)
class Problem(Tabled):
    """Constraints over the variables 1 .. num_vars, all of which must hold.

    A clause is a Cardinality with ``lower=1``. `names` holds the names of those variables that have
    a name; writers make names unique and legal in their formats.

    Raises ValueError, naming the constraint, for a literal beyond `num_vars`, and for a name of a
    number that is no variable.

    >>> from pbcnf import Cardinality
    >>> Problem(2, (Cardinality([1, -2], lower=1),)).holds({-1, -2})
    True
    """

    num_vars: int
    constraints: tuple[Constraint, ...]
    names: Mapping[Var, str] = field(default_factory=dict)
    objective: Objective | None = None
    integers: Mapping[str, Objective] = field(default_factory=dict)
    """Name of an integer of the problem -> the sum of literals that this integer is equal to.

    Literals that encode the integer and add nothing to it are there with weight 0.
    """

    def __post_init__(self) -> None:
        """Check that every literal and name is of a variable of the problem."""
        if not 0 <= self.num_vars <= MAX_VAR:
            raise ValueError(f"{self.num_vars} variables: there can be 0 to {MAX_VAR}")
        for number, constraint in enumerate(self.constraints, start=1):
            self._check(constraint.lits, f"constraint {number}")
        if self.objective is not None:
            self._check(self.objective.lits, "the objective")
        for var in self.names:
            if not 1 <= var <= self.num_vars:
                raise ValueError(f"a name for {var}: {self._there_are()}")

    def holds(self, model: Container[Lit]) -> bool:
        """Whether `model`, a container of the true literals, satisfies every constraint.

        Constraints are checked in order, up to the first that is violated. Raises ValueError if
        `model` leaves a variable of these constraints undecided.
        """
        return all(constraint.holds(model) for constraint in self.constraints)

    def variables(self) -> Iterator[tuple[Var, str]]:
        """Yield every variable with its name; a variable i without a name is called x<i>."""
        for var in range(1, self.num_vars + 1):
            yield var, self.names.get(var, f"x{var}")

    def _there_are(self) -> str:
        return f"there {are(self.num_vars)} {counted(self.num_vars, 'variable')}"

    def _check(self, lits: tuple[Lit, ...], where: str) -> None:
        if lits and not -self.num_vars <= min(lits) <= max(lits) <= self.num_vars:
            beyond = next(lit for lit in lits if abs(lit) > self.num_vars)
            raise ValueError(f"{where}: literal {beyond}, but {self._there_are()}")
