"""Unary numbers counted by sorting networks and added by merging networks, as `NetworkAdder` does.

Values are thresholds of the literals that enter a merge (`pbcnf.derivation.networks`). The sum of
its outputs is at most that of these literals, and so on down to the inputs: at last the watch
output says that the literals of the last merge reach a number, and these are at most what the
inputs weigh.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pbcnf.derivation.derivation_state import Parts
from pbcnf.derivation.networks.falling import Falling, Lone
from pbcnf.derivation.networks.network import NetworkDerivation
from pbcnf.derivation.networks.sequences import Chosen
from pbcnf.derivation.networks.values import Merged, Sequenced
from pbcnf.derivation.watchdogs.walk import Tally, Walk
from pbcnf.encoders.circuits import one_directional
from pbcnf.encoders.circuits.comparators import Network
from pbcnf.encoders.circuits.unary import (
    Counts,
    NetworkAdder,
    UnaryAdder,
    merging_of,
    sorting_of,
)
from pbcnf.encoders.counter import Direction
from pbcnf.literals import Lit


class _Number(NamedTuple):
    """All literals of a unary number up to the last that matters.

    ``total`` says, added up, that their sum is at most what they count, both multiplied by the
    unit; for the last number, that what it counts is reached if the last literal is true.
    """

    of: Falling
    total: Parts


class NetworkBlock:
    """Derives the counts and sums of a `NetworkAdder` for "at most" and distinct literals."""

    def __init__(self, walk: Walk) -> None:
        self.adder: UnaryAdder = NetworkAdder(Direction.AT_MOST)
        self._walk = walk
        self._state = walk.state

    def copy(self, lit: Lit, asked: Counts, of: Tally) -> _Number:
        """Define the copy by the literal."""
        (copy,) = self._walk.new_vars(1)
        self._state.define(copy, [(1, lit)], 1)
        self._walk.derive(1)
        return _Number(Lone([copy], self._state), [(self._state.if_false[-copy], of.unit)])

    def count(self, lits: Sequence[Lit], asked: Counts, of: Tally, last: bool = False) -> _Number:
        """Derive a sorting network."""
        if len(lits) == 1:
            return _Number(Lone(lits, self._state), [])
        network = sorting_of(len(lits), asked)
        made = self._follow(network, lits)
        return self._number(network, made, made.values.sort(range(len(lits))), of.unit, last)

    def add(
        self, own: _Number, carry: _Number, asked: Counts, of: Tally, last: bool = False
    ) -> _Number:
        """Derive a merging network."""
        a, b = len(own.of.lits), len(carry.of.lits)
        network = merging_of(a, b, asked)
        made = self._follow(network, own.of.lits + carry.of.lits)
        merged = made.values.merge(
            Sequenced(range(a), own.of), Sequenced(range(a, a + b), carry.of)
        )
        found = self._number(network, made, merged, of.unit, last)
        return found._replace(total=[*found.total, *own.total, *carry.total])

    def half(self, total: _Number, tare: int, of: Tally) -> _Number:
        """Take every second literal: twice their sum is at most that of all and the tare."""
        lits = total.of.lits
        falls = [total.of.falls(i, i + 1) for i in range(tare, len(lits) - 1, 2)]
        parts = [*total.total, *((row, of.unit) for row in falls if row is not None)]
        axioms = [(-lits[0], of.unit)] if tare else []
        if (len(lits) - tare) % 2:
            axioms.append((lits[-1], of.unit))
        places = range(1 - tare, len(lits), 2)
        return _Number(Chosen(total.of, places), [(self._state.add(parts, axioms), 1)])

    def exceeded(self, total: _Number, bound: int) -> None:
        """Add what the last literal means, what it counts, and the bound."""
        (clause,) = self._walk.clauses(1)
        self._walk.derived.append(self._state.derive_by_sum(clause, [*total.total, (bound, 1)]))

    def _follow(self, network: Network, lits: Sequence[Lit]) -> NetworkDerivation:
        first, directions = self._walk.next_var, Direction.AT_MOST
        made = NetworkDerivation(network, lits, directions, first, self._state)
        self._walk.new_vars(made.variables)
        return made

    def _number(
        self, network: Network, made: NetworkDerivation, found: Sequenced, unit: int, last: bool
    ) -> _Number:
        size = one_directional.size(network, Direction.AT_MOST)
        self._walk.derived += made.derive(self._walk.clauses(size.clauses))
        of = found.of
        assert isinstance(of, Merged)
        total = of.reached(len(of.lits)) if last else of.over()
        return _Number(
            Chosen(of, range(len(of.lits))), [(row, unit * factor) for row, factor in total]
        )
