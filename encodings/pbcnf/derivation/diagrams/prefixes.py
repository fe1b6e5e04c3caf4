"""Thresholds of the first inputs, some of them of the proof alone."""

from __future__ import annotations

from itertools import accumulate

from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.derivation.implications import Condition, DerivedImplications
from pbcnf.literals import Lit


class Prefixes(DerivedImplications):
    """What the first inputs weigh. ``of`` has two bounds."""

    def __init__(self, of: EncodedSum, state: DerivationState) -> None:
        super().__init__(of, state)
        self.totals = [*accumulate(of.weights, initial=0)]
        self._made: dict[tuple[int, int], Lit] = {}

    def at_least(self, level: int, least: int) -> Condition:
        """Return "the first `level` inputs weigh at least that", defined when first asked for."""
        total = self.totals[level]
        if least <= max(self.of.lower - (self.totals[-1] - total), 0):
            return True
        if least > min(self.of.upper, total):
            return False
        if level == 1:
            return self.of.lits[0]
        place = level, least
        if place not in self._made:
            self._made[place] = self.state.fresh()
            self.state.define(self._made[place], self.of.terms[:level], least)
        return self._made[place]

    def rises(self, level: int, side: bool, before: int, after: int) -> int | None:
        """Derive: at least `before`, then an input of that value, is at least `after`."""
        premises = [self.at_least(level, before), *([self.value(level, side)] if side else [])]
        return self.summed(premises, [self.at_least(level + 1, after)])

    def falls(self, level: int, side: bool, after: int, before: int) -> int | None:
        """Derive: at least `after`, the last input of that value, was at least `before`."""
        premises = [self.at_least(level + 1, after), *([] if side else [self.value(level, side)])]
        return self.summed(premises, [self.at_least(level, before)])

    def value(self, level: int, side: bool) -> Lit:
        """Return the literal that says that an input has that value."""
        return self.of.lits[level] if side else -self.of.lits[level]
