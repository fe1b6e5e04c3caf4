"""A part of the inputs and its count in unary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pbcnf.literals import Lit


@dataclass(slots=True)
class PartialSum:
    """Some inputs with weights, the sums told apart, and for each but the least "at least that".

    ``certain``: the numbers of rows that hold by the bounds: the inputs weigh at least the first of
    the sums, and at most the last; None where that needs no row.
    """

    terms: Sequence[tuple[int, Lit]]
    sums: Sequence[int]
    outputs: Sequence[Lit]
    certain: tuple[int | None, int | None] = (None, None)
    lits: frozenset[Lit] = field(init=False)
    """The outputs and their negations."""

    def __post_init__(self) -> None:
        """Collect the literals."""
        self.lits = frozenset([*self.outputs, *(-lit for lit in self.outputs)])

    @staticmethod
    def of_input(weight: int, lit: Lit) -> PartialSum:
        """Return a single input."""
        return PartialSum([(weight, lit)], (0, weight), [lit])

    def weighs(self) -> int:
        """Return what all of its inputs weigh."""
        return sum(weight for weight, _ in self.terms)

    def at_least(self, place: int) -> Lit | bool:
        """Return what says "at least the sum at this place"; one place behind the last is false."""
        if place == 0:
            return True
        return self.outputs[place - 1] if place <= len(self.outputs) else False
