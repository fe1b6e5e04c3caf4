"""A clause over inputs and thresholds of them, derived by adding constraints that cancel.

The negation of the clause makes each of its literals false. For an auxiliary that activates one
half of its definition, a constraint on inputs. In counting encodings the sum of these constraints,
with the bounds of all inputs where they are needed, leaves less room than it asks for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pbcnf.derivation.steps import Defined, Derivation, Given, Propagated, Sum
from pbcnf.derivation.thresholds import Meanings, Threshold
from pbcnf.literals import Clause, Lit, Var, negate


class _Part(NamedTuple):
    """Constraint `id` without its auxiliary: so many of these inputs are true, these are false.

    Inputs are bit sets; `degree` of the literals must hold unless the auxiliary's literal does.
    """

    id: int
    true: int
    false: int
    degree: int


class ClauseDerivation:
    """Derives clauses over `inputs`, on distinct variables, and auxiliaries of known meanings."""

    def __init__(
        self,
        inputs: Sequence[Lit],
        bounds: tuple[int, int],
        given: Given,
        meanings: Meanings,
        derivation: Derivation,
    ) -> None:
        """Add the definitions of the auxiliaries to `derivation`, two steps for each."""
        self._derivation = derivation
        self._bits = {lit: 1 << place for place, lit in enumerate(inputs)}
        self._parts: dict[Lit, _Part] = {}
        for var, threshold in meanings.items():
            self._define(var, threshold)
        every, lower, upper = (1 << len(inputs)) - 1, *bounds
        at_most = at_least = None
        if given.upper is not None:
            at_most = _Part(given.upper, 0, every, len(inputs) - upper)
        if given.lower is not None:
            at_least = _Part(given.lower, every, 0, lower)
        choices = ((), (at_most,), (at_least,), (at_most, at_least))
        self._bounds = [
            [part for part in choice if part is not None]
            for choice in choices
            if None not in choice
        ]

    def derive(self, clause: Clause) -> int:
        """Add the steps that derive `clause`; return the number it gets.

        Raises ValueError if no sum of definitions and bounds implies it.
        """
        lits = tuple(clause)
        own = [self._parts[lit] for lit in lits if lit in self._parts]
        true = sum(self._bits.get(lit, 0) for lit in lits)
        false = sum(self._bits.get(-lit, 0) for lit in lits)
        for bounds in self._bounds:
            parts = [*own, *bounds]
            if parts and _room(parts, true, false) < 0:
                ids = tuple(part.id for part in parts)
                if len(ids) > 1:
                    ids = (self._derivation.add(Sum(ids)),)
                return self._derivation.add(Propagated(lits, ids))
        raise ValueError(f"clause {list(lits)} does not follow from the sums of what it mentions")

    def _define(self, var: Var, threshold: Threshold) -> None:
        least, lits = threshold
        false = len(lits) - least + 1
        if false > 0:
            step = Defined(var, True, false, tuple(negate(lits)))
            self._parts[var] = self._part(self._derivation.add(step), step.lits, false)
        step = Defined(var, False, least, lits)
        self._parts[-var] = self._part(self._derivation.add(step), lits, least)

    def _part(self, number: int, lits: Sequence[Lit], degree: int) -> _Part:
        true = sum(self._bits.get(lit, 0) for lit in lits)
        false = sum(self._bits.get(-lit, 0) for lit in lits)
        return _Part(number, true, false, degree)


def _room(parts: Sequence[_Part], true: int, false: int) -> int:
    """Return by how much the sum of the parts can exceed its degree if the clause is false.

    `true` and `false` are the inputs that the clause holds as they are, and negated. No two parts
    may want one input to be the same, which would count it twice: that is no sum of this kind.
    """
    wanted = unwanted = degree = 0
    for part in parts:
        if part.true & wanted or part.false & unwanted:
            return 0
        wanted |= part.true
        unwanted |= part.false
        degree += part.degree
    # An input wanted true and false is a constant 1; one that the clause holds is 0.
    left = (wanted & ~unwanted & ~true).bit_count() + (unwanted & ~wanted & ~false).bit_count()
    return left + (wanted & unwanted).bit_count() - degree
