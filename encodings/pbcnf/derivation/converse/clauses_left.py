"""The clauses of a sum after its bounds were deleted, and what their variables were defined as."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pbcnf.derivation.derivation_state import (
    BoundIds,
    Deleted,
    DerivationState,
    HalfDefinition,
    Step,
)
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.derivation.inequalities import Terms
from pbcnf.literals import Var


class IntroducedAs(NamedTuple):
    """True exactly if ``sum of weight * literal >= least``; the weights are above 0."""

    terms: Terms
    least: int


@dataclass(frozen=True, slots=True)
class ClausesLeft:
    """The clauses of an encoded sum, from which its bounds are to be derived again.

    ``of``: the sum; of its bounds' numbers only whether they are None means something. ``numbers``:
    those of ``of.clauses``, in order. ``definitions``: what the variables were introduced as when
    the clauses were derived, in this order, those of the proof alone among them.
    """

    of: EncodedSum
    numbers: Sequence[int]
    definitions: Mapping[Var, IntroducedAs]


Converse = Callable[[ClausesLeft, DerivationState], BoundIds]
"""Derives the bounds of a sum; ``upper`` is on the negated literals, as in `EncodedSum`.

Stronger inequalities are as good. A bound that says nothing may be None.
"""


def definitions(steps: Iterable[Step | Deleted]) -> dict[Var, IntroducedAs]:
    """Return the definitions of variables in some steps of a derivation."""
    found: dict[Var, IntroducedAs] = {}
    for step in steps:
        # The half for the value false says what holds while the variable is true.
        if isinstance(step, HalfDefinition) and not step.value and step.lits:
            weights = step.weights or (1,) * len(step.lits)
            terms = [*zip(weights, step.lits, strict=True)]
            found[step.var] = IntroducedAs(terms, step.weight)
    return found
