"""Unary numbers counted by sorting networks and added by merging networks, as `NetworkAdder` does.

Values are thresholds of the literals that enter a merge (`odd_even`). The sum of its outputs is at
most that of these literals, and so on down to the inputs: at last the watch output says that the
literals of the last merge reach a number, and these are at most what the inputs weigh.

The sum holds all outputs up to the last that matters. Those that are not asked for, or have no
variable because their two inputs stand for them, have one in the derivation alone, deleted with it.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbcnf.derivation.ledger import Ledger
from pbcnf.derivation.watchdogs.falling import Falling
from pbcnf.derivation.watchdogs.network import NetworkDerivation, Ranked
from pbcnf.derivation.watchdogs.walk import Tally, Walk
from pbcnf.encoders.circuits.unary import (
    Counts,
    NetworkAdder,
    UnaryAdder,
    merging_of,
    sorting_of,
)
from pbcnf.encoders.counter import Direction
from pbcnf.literals import Lit


class NetworkBlock:
    """Derives the counts and sums of a `NetworkAdder` for "at most" and distinct literals."""

    def __init__(self, walk: Walk) -> None:
        self.adder: UnaryAdder = NetworkAdder(Direction.AT_MOST)
        self._walk = walk
        self._ledger = walk.ledger

    def copy(self, lit: Lit, asked: Counts, of: Tally) -> Falling:
        """Define the copy by the literal."""
        (copy,) = self._walk.new_vars(1)
        self._ledger.define(copy, [(1, lit)], 1)
        self._walk.derive(1)
        return Falling([copy], [(self._ledger.if_false[-copy], of.unit)], self._ledger)

    def count(self, lits: Sequence[Lit], asked: Counts, of: Tally, last: bool = False) -> Falling:
        """Derive a sorting network."""
        if len(lits) == 1:
            return Falling(lits, (), self._ledger)
        network = NetworkDerivation(sorting_of(len(lits), asked), lits, self._walk)
        values = range(len(lits))
        left, right = (_times(network.sort(values[i::2]), of.unit, self._ledger) for i in (0, 1))
        return self._merged(network, left, right, asked, of.unit, last)

    def add(
        self, own: Falling, carry: Falling, asked: Counts, of: Tally, last: bool = False
    ) -> Falling:
        """Derive a merging network."""
        a, b = len(own.lits), len(carry.lits)
        network = NetworkDerivation(merging_of(a, b, asked), own.lits + carry.lits, self._walk)
        left, right = Ranked(range(a), own), Ranked(range(a, a + b), carry)
        return self._merged(network, left, right, asked, of.unit, last)

    def half(self, total: Falling, tare: int, of: Tally) -> Falling:
        """Take every second literal."""
        return total.half(tare, of.unit)

    def exceeded(self, total: Falling, of: Tally, bound: int) -> None:
        """Add what the last literal means, what it counts, and the bound."""
        (clause,) = self._walk.clauses(1)
        parts = [(self._ledger.if_false[-total.lits[0]], of.unit), *total.total, (bound, 1)]
        self._walk.derived.append(self._ledger.sum_up(clause, parts))

    def _merged(
        self,
        network: NetworkDerivation,
        left: Ranked,
        right: Ranked,
        asked: Counts,
        unit: int,
        last: bool,
    ) -> Falling:
        outputs, node = network.merge(left, right)
        if last:
            watch = network.literal[outputs[asked[0] - 1]]
            found = Falling([watch], [*left.of.total, *right.of.total], self._ledger)
        else:
            found = network.falling(outputs[: asked[-1]], node, left, right, unit)
        network.derive()
        return found


def _times(ranked: Ranked, factor: int, ledger: Ledger) -> Ranked:
    total = [(number, factor * times) for number, times in ranked.of.total]
    return Ranked(ranked.values, Falling(ranked.of.lits, total, ledger))
