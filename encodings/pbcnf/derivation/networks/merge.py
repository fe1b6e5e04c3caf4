"""Odd-even merges: what some of the literals of two falling sequences count together.

Both sequences are merged by merging their odd places, into D, and their even ones, into E, and by
comparing E_j with D_(j+1). They fall, so that ``0 <= D - E <= 2`` for the numbers of true literals,
a sum of "this one implies the next". Hence "E >= j" gives ``D + E >= 2j``, as does "D >= j + 1",
and both together give ``D + E >= 2j + 1``; the other way round likewise.
"""

from __future__ import annotations

from collections import Counter as Multiset
from functools import cached_property
from typing import NamedTuple

from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.derivation.inequalities import Terms
from pbcnf.derivation.networks.falling import Falling
from pbcnf.literals import Lit


class Side(NamedTuple):
    """Some places of a falling sequence, equally far from each other; the last may not matter."""

    of: Falling
    places: range

    @property
    def present(self) -> list[int]:
        """The places that matter."""
        return [place for place in self.places if place < len(self.of.lits)]

    def every_second(self, start: int) -> Side:
        """Return the odd ones (0) or the even ones (1), counted from 1."""
        return Side(self.of, self.places[start::2])


class Merge:
    """A merge of two sides, whole or a part of a larger merge."""

    def __init__(self, left: Side, right: Side, state: DerivationState) -> None:
        self.sides = left, right
        self.state = state
        self._first: list[int | None] = [None, None]
        self._last: list[int | None] = [None]

    @cached_property
    def terms(self) -> Terms:
        """The literals of both sides, each with the number of its occurrences as weight."""
        lits: list[Lit] = [side.of.lits[i] for side in self.sides for i in side.present]
        return [(times, lit) for lit, times in Multiset(lits).items()]

    @cached_property
    def most(self) -> int:
        """The number of literals, repetitions included."""
        return sum(times for times, _ in self.terms)

    @cached_property
    def odd_at_least_even(self) -> int | None:
        """The number of ``D >= E``, None if both are empty."""
        return self._falling(0)

    @cached_property
    def even_at_least_odd(self) -> int | None:
        """The number of ``E >= D - 2`` (``D - 1`` if one side is empty), None if both are empty."""
        return self._falling(1)

    def first(self, count: int) -> int | None:
        """Return the number of "if literal `count` is true, `count` is reached", for one side only.

        None if it holds by itself.
        """
        while len(self._first) <= count:
            j = len(self._first)
            self._first.append(self._further(self._first[-1], j - 2, j - 1))
        return self._first[count]

    def last(self, count: int) -> int | None:
        """Return the number of "if literal `count` is false, it is not reached", for one side only.

        None if it holds by itself.
        """
        most = len(self._only.present)
        while len(self._last) <= most - count:
            j = len(self._last)
            self._last.append(self._further(self._last[-1], most - j - 1, j))
        return self._last[most - count]

    @property
    def _only(self) -> Side:
        return self.sides[0] if self.sides[0].places else self.sides[1]

    def _further(self, number: int | None, i: int, factor: int) -> int | None:
        """Add `factor` times "literal i + 1 implies literal i" to constraint `number`."""
        side = self._only
        row = side.of.falls(side.places[i], side.places[i + 1])
        parts = [(number, 1)] if number is not None else []
        if row is None:
            return number
        return self.state.add([*parts, (row, factor)])

    def _falling(self, start: int) -> int | None:
        # Neighbours are paired, "the first is at least the second"; a literal without a partner is
        # at least 0, and the first literal of a side, skipped for E >= D - 2, at most 1.
        parts, axioms = [], []
        for side in self.sides:
            lits, places = side.of.lits, side.present
            if start and places:
                axioms.append((-lits[places[0]], 1))
            places = places[start:]
            for i, j in zip(places[::2], places[1::2], strict=False):
                row = side.of.falls(i, j)
                if row is not None:
                    parts.append((row, 1))
            if len(places) % 2:
                axioms.append((lits[places[-1]], 1))
        return self.state.add(parts, axioms) if parts or axioms else None
