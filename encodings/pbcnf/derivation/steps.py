"""The steps of a derivation in cutting planes, and the list they are collected in.

Every step adds one constraint, ``sum of weight * literal >= degree``, and gets the next number.
The constraints of the formula have the numbers from 1 on, an equality two of them: ``>=``, ``<=``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from pbcnf.literals import Lit, Var


class Propagated(NamedTuple):
    """A clause; unit propagation on the constraints `ids` alone refutes its negation."""

    clause: tuple[Lit, ...]
    ids: tuple[int, ...]


class HalfDefinition(NamedTuple):
    """Half of an auxiliary variable's definition: ``weight * own + sum of lits >= weight``.

    `own` is `var` if `value` holds, else its negation. The choice `var` = `value` satisfies the
    constraint: it is added by redundance-based strengthening with the witness var -> value. The
    literals have these weights, or 1 each.
    """

    var: Var
    value: bool
    weight: int
    lits: tuple[Lit, ...]
    weights: tuple[int, ...] = ()


class Combined(NamedTuple):
    """Multiples of constraints and of literal axioms added up, then divided and rounded up.

    ``constraints``: (number, factor above 0); ``axioms``: (literal, factor above 0). At last, if
    ``saturated``, no weight exceeds the degree.
    """

    constraints: tuple[tuple[int, int], ...]
    axioms: tuple[tuple[Lit, int], ...] = ()
    divisor: int = 1
    saturated: bool = False


class Deleted(NamedTuple):
    """The deletion of derived constraints; no constraint is added."""

    ids: tuple[int, ...]


Step = Propagated | HalfDefinition | Combined
"""A step that adds a constraint."""


def antecedents(step: Step) -> tuple[int, ...]:
    """Return the numbers of the constraints that the new one is derived from."""
    match step:
        case Propagated(_, ids):
            return ids
        case Combined(constraints):
            return tuple([number for number, _ in constraints])
    return ()


class BoundIds(NamedTuple):
    """The numbers of ``sum of literals >= lower`` and ``<= upper``; None for one that is missing.

    The second may be written ``sum of negations >= n - upper`` or ``-sum >= -upper`` as well.
    """

    lower: int | None = None
    upper: int | None = None


@dataclass(slots=True)
class Derivation:
    """The steps taken from a formula of `formula` constraints, an equality counted twice."""

    formula: int
    steps: list[Step | Deleted] = field(default_factory=list)
    added: int = 0
    """The number of constraints that the steps add."""

    def add(self, step: Step) -> int:
        """Append a step; return the number of the constraint it adds."""
        self.steps.append(step)
        self.added += 1
        return self.formula + self.added

    def delete(self, ids: Iterable[int]) -> None:
        """Append a deletion of the derived constraints `ids`; nothing if there are none."""
        numbers = tuple(ids)
        if numbers:
            self.steps.append(Deleted(numbers))

    def additions(self) -> list[Step]:
        """Return the steps that add constraints; without deletions the n-th adds the n-th."""
        return [step for step in self.steps if not isinstance(step, Deleted)]
