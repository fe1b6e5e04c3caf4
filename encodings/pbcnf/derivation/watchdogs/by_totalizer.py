"""Unary numbers added by one clause per pair of counts, as `TotalizerAdder` emits them.

Every variable is a threshold of inputs, of the same unit as what it is added to. The clause that
i here and j there give i + j is the sum of three definitions.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbcnf.derivation.watchdogs.walk import Tally, Walk
from pbcnf.encoders.circuits.unary import Counts, TotalizerAdder, Unary
from pbcnf.literals import Lit


class TotalizerBlock:
    """Derives the counts and sums of a `TotalizerAdder`."""

    adder = TotalizerAdder()

    def count(self, lits: Sequence[Lit], asked: Counts, of: Tally, walk: Walk) -> Unary:
        """Derive both halves by their own inputs, then the sum."""
        if len(lits) == 1 or not asked:
            return Unary(asked, tuple(lits) if asked else ())
        half = len(lits) // 2
        left = self._half(lits[:half], len(lits) - half, asked, of.unit, walk)
        right = self._half(lits[half:], half, asked, of.unit, walk)
        return self.add(left, right, asked, of, walk)

    def add(self, left: Unary, right: Unary, asked: Counts, of: Tally, walk: Walk) -> Unary:
        """Define the counts by all inputs."""
        total = Unary(asked, walk.define(asked, of))
        walk.derive(self.adder.size_of_add(left.counts[-1], right.counts[-1], asked).clauses)
        return total

    def _half(self, lits: Sequence[Lit], other: int, asked: Counts, unit: int, walk: Walk) -> Unary:
        counts = self.adder.summand(asked, len(lits), other)
        return self.count(lits, counts, Tally([(unit, lit) for lit in lits], unit), walk)
