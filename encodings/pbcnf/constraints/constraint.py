"""Constraints as immutable values: literals, weights and bounds, independent of any encoding."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import Protocol

from pbcnf.literals import IntLike, Lit, integer, is_numpy, literals
from pbcnf.shown import Tabled
from pbcnf.wording import counted


@dataclass(frozen=True, slots=True, init=False)
class Cardinality(Tabled):
    """``lower <= sum of literals <= upper``, a literal counting 1 when true.

    Literals count with multiplicity: in ``Cardinality([1, 1, 2], upper=1)`` variable 1 weighs 2.
    `lower` defaults to 0 and `upper` to the number of literals. Any integers are legal bounds;
    out of range they make a constraint that always or never holds.

    Raises TypeError or ValueError for a value that is no literal or no integer bound.

    >>> Cardinality([1, -2, 3], lower=1, upper=2).holds({1, 2, 3})
    True
    """

    lits: tuple[Lit, ...]
    lower: int
    upper: int

    def __init__(
        self, lits: Iterable[IntLike], lower: IntLike | None = None, upper: IntLike | None = None
    ) -> None:
        """Check and freeze the literals and the bounds."""
        checked = literals(lits)
        object.__setattr__(self, "lits", checked)
        object.__setattr__(self, "lower", 0 if lower is None else integer(lower, "lower"))
        object.__setattr__(
            self, "upper", len(checked) if upper is None else integer(upper, "upper")
        )

    def holds(self, model: Container[Lit]) -> bool:
        """Whether `model` satisfies the constraint.

        `model` contains the true literals (``-v`` where variable v is false), such as
        ``set(solver.get_model())``. Raises ValueError if `model` leaves a variable undecided.
        """
        number = sum([lit in model or is_true(lit, model) for lit in self.lits])
        return self.lower <= number <= self.upper


@dataclass(frozen=True, slots=True, init=False)
class PseudoBoolean(Tabled):
    """``lower <= sum of weight * literal <= upper``, integer weights of any sign.

    `lower` defaults to the smallest and `upper` to the largest value the sum can take.

    Raises TypeError or ValueError as `Cardinality` does, and ValueError unless there is exactly
    one weight per literal.

    >>> PseudoBoolean([1, 2], weights=[3, -2], lower=1).holds({1, 2})
    True
    """

    lits: tuple[Lit, ...]
    weights: tuple[int, ...]
    lower: int
    upper: int

    def __init__(
        self,
        lits: Iterable[IntLike],
        weights: Iterable[IntLike],
        lower: IntLike | None = None,
        upper: IntLike | None = None,
    ) -> None:
        """Check and freeze the literals, the weights and the bounds."""
        checked = literals(lits)
        factors = tuple([integer(weight, "a weight") for weight in weights])
        if len(checked) != len(factors):
            found, given = counted(len(checked), "literal"), counted(len(factors), "weight")
            raise ValueError(f"{found} but {given}")
        least = sum(weight for weight in factors if weight < 0)
        most = sum(weight for weight in factors if weight > 0)
        object.__setattr__(self, "lits", checked)
        object.__setattr__(self, "weights", factors)
        object.__setattr__(self, "lower", least if lower is None else integer(lower, "lower"))
        object.__setattr__(self, "upper", most if upper is None else integer(upper, "upper"))

    def holds(self, model: Container[Lit]) -> bool:
        """Whether `model`, a container of the true literals, satisfies the constraint.

        Raises ValueError if `model` leaves a variable undecided.
        """
        pairs = zip(self.lits, self.weights, strict=True)
        true = [w for lit, w in pairs if lit in model or is_true(lit, model)]
        return self.lower <= sum(true) <= self.upper


@dataclass(frozen=True, slots=True, init=False)
class Parity(Tabled):
    """The number of true literals is odd, or it is even: their exclusive or is `odd`.

    Literals count with multiplicity: of ``[1, 1, 2]`` only variable 2 matters, and ``[1, -1]`` is
    always odd. Of no literals the number is 0, which is even. `odd` is a bool, or 0 or 1, the right
    side of an equation modulo 2.

    Raises TypeError or ValueError for a value that is no literal, and for another `odd`.

    >>> Parity([1, -2, 3], odd=True).holds({1, 2, -3})
    True
    """

    lits: tuple[Lit, ...]
    odd: bool

    def __init__(self, lits: Iterable[IntLike], odd: bool | IntLike) -> None:
        """Check and freeze the literals and the parity."""
        object.__setattr__(self, "lits", literals(lits))
        truth = isinstance(odd, bool) or is_numpy(odd, "bool_")
        if not truth and integer(odd, "odd") not in (0, 1):
            raise ValueError(f"odd must be true or false, 1 or 0, not {odd}")
        object.__setattr__(self, "odd", bool(odd))

    def holds(self, model: Container[Lit]) -> bool:
        """Whether `model`, a container of the true literals, satisfies the constraint.

        Raises ValueError if `model` leaves a variable undecided.
        """
        return sum(is_true(lit, model) for lit in self.lits) % 2 == self.odd


Linear = Cardinality | PseudoBoolean
"""Bounds on a sum."""

Constraint = Linear | Parity
"""The constraints that encoders take."""


class ConvertsToConstraint(Protocol):
    """A value that stands for a constraint, such as a comparison of the language over literals."""

    def constraint(self) -> Linear:
        """Return the constraint. Raises TypeError if the value stands for none."""


def as_constraint(value: Constraint | ConvertsToConstraint) -> Constraint:
    """Return the constraint that a comparison stands for; any other value is returned as is."""
    if isinstance(value, Constraint):
        return value
    convert = getattr(value, "constraint", None)
    # A value that stands for none is refused by the function that takes constraints apart.
    return value if convert is None else convert()  # type: ignore[return-value]


def is_true(lit: Lit, model: Container[Lit]) -> bool:
    """Whether `lit` is among the true literals; ValueError if the model leaves it undecided."""
    if lit in model:
        return True
    if -lit in model:
        return False
    raise ValueError(f"the model decides neither {lit} nor {-lit}")
