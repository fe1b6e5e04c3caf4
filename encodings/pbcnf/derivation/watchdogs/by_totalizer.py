"""Unary numbers added by one clause per pair of counts, as `TotalizerAdder` emits them.

Every variable is a threshold of inputs, of the same unit as what it is added to. The clause that
i here and j there give i + j is the sum of three definitions.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbcnf.derivation.watchdogs.walk import Tally, Walk
from pbcnf.encoders.circuits.unary import Counts, TotalizerAdder, Unary, UnaryAdder
from pbcnf.literals import Lit


class TotalizerBlock:
    """Derives the counts and sums of a `TotalizerAdder`."""

    def __init__(self, walk: Walk) -> None:
        self.adder: UnaryAdder = TotalizerAdder()
        self._walk = walk

    def copy(self, lit: Lit, asked: Counts, of: Tally) -> Unary:
        """Define the copy by all inputs."""
        total = self._defined(asked, of)
        self._walk.derive(1)
        return total

    def count(self, lits: Sequence[Lit], asked: Counts, of: Tally, last: bool = False) -> Unary:
        """Derive both halves by their own inputs, then the sum."""
        if len(lits) == 1 or not asked:
            return Unary(asked, tuple(lits) if asked else ())
        half = len(lits) // 2
        left = self._half(lits[:half], len(lits) - half, asked, of.unit)
        right = self._half(lits[half:], half, asked, of.unit)
        return self.add(left, right, asked, of)

    def add(self, own: Unary, carry: Unary, asked: Counts, of: Tally, last: bool = False) -> Unary:
        """Define the counts by all inputs."""
        total = self._defined(asked, of)
        self._walk.derive(self.adder.size_of_add(own.counts[-1], carry.counts[-1], asked).clauses)
        return total

    def half(self, total: Unary, tare: int, of: Tally) -> Unary:
        """Return the same literals: half the number is a threshold of the same inputs."""
        return Unary(tuple((count + tare) // 2 for count in total.counts), total.lits)

    def exceeded(self, total: Unary, bound: int) -> None:
        """Add the meaning of the last literal to the bound."""
        self._walk.derive(1, bound)

    def _half(self, lits: Sequence[Lit], other: int, asked: Counts, unit: int) -> Unary:
        counts = self.adder.summand(asked, len(lits), other)
        return self.count(lits, counts, Tally([(unit, lit) for lit in lits], unit))

    def _defined(self, asked: Counts, of: Tally) -> Unary:
        found = self._walk.new_vars(len(asked))
        for var, count in zip(found, asked, strict=True):
            self._walk.state.define(var, of.terms, of.least(count))
        return Unary(asked, tuple(found))
