"""Batcher's odd-even merges: every value is a threshold of the literals that are merged.

Two falling sequences are merged by merging those at odd places, into D, and those at even places,
into E, and comparing E_j with D_(j+1). As both sequences fall, ``0 <= D - E <= 2`` for the numbers
of true literals, a sum of "this one implies the next". So "E >= j" gives ``D + E >= 2j``, as does
"D >= j + 1", and both together give ``D + E >= 2j + 1``. A value is defined as a threshold of the
largest merge that has it among its outputs.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from pbcnf.derivation.ledger import Ledger
from pbcnf.derivation.watchdogs.falling import Falling
from pbcnf.literals import Lit


class Side(NamedTuple):
    """Some places of a falling sequence, equally far from each other."""

    of: Falling
    places: range

    @property
    def lits(self) -> list[Lit]:
        """The literals there; the last ones may not matter, and have none."""
        return [self.of.lits[i] for i in self.places if i < len(self.of.lits)]

    def every_second(self, start: int) -> Side:
        """Return the odd ones (0) or the even ones (1), counted from 1."""
        return Side(self.of, self.places[start::2])

    def falls(self, start: int) -> list[int]:
        """Return the numbers of the rows that one falls to the next, every second from there."""
        places = [i for i in self.places if i < len(self.of.lits)][start:]
        pairs = zip(places[::2], places[1::2], strict=False)
        return [self.of.falls(i, j) for i, j in pairs]


class Node:
    """A merge of some of the literals on both sides."""

    def __init__(self, left: Side, right: Side, ledger: Ledger) -> None:
        self.left = left
        self.right = right
        self.wires = [*left.lits, *right.lits]
        self._ledger = ledger
        self._first = [0, 0]

    @cached_property
    def odd_at_least_even(self) -> int | None:
        """The number of ``D >= E`` or more, None if there is no E."""
        return self._sum(0)

    @cached_property
    def even_at_least_odd(self) -> int | None:
        """The number of ``E >= D - 2`` or more, None if there is no more than D_1 and D_2."""
        return self._sum(1)

    def first(self, count: int) -> int | None:
        """Return the number of "``count`` is reached if its literal is true", of one side only."""
        side = self.left if self.left.places else self.right
        while len(self._first) <= count:
            j = len(self._first)
            before, here = side.places[j - 2 : j]
            parts = [(self._first[-1], 1)] if self._first[-1] else []
            self._first.append(self._ledger.add([*parts, (side.of.falls(before, here), j - 1)]))
        return self._first[count] or None

    def _sum(self, start: int) -> int | None:
        rows = self.left.falls(start) + self.right.falls(start)
        if len(rows) < 2:
            return rows[0] if rows else None
        return self._ledger.add([(number, 1) for number in rows])
