"""Falling sequences that are made from another one: repeated, cut off, or every so many of it."""

from __future__ import annotations

from collections.abc import Sequence

from pbcnf.derivation.derivation_state import Parts
from pbcnf.derivation.networks.falling import Falling


class Chosen(Falling):
    """Some literals of another one, which count themselves."""

    def __init__(self, of: Falling, places: Sequence[int]) -> None:
        super().__init__([of.lits[place] for place in places], 0, of.state)
        self._of = of
        self._places = places

    def next_falls(self, i: int) -> int | None:
        """Return that the one falls to the other, over those between them."""
        return self._of.falls(self._places[i], self._places[i + 1])

    def over(self) -> Parts:
        """Return nothing."""
        return []

    def under(self) -> Parts:
        """Return nothing."""
        return []


class Repeated(Falling):
    """Every literal of another one so many times in a row."""

    def __init__(self, of: Falling, times: int) -> None:
        lits = [lit for lit in of.lits for _ in range(times)]
        super().__init__(lits, of.more * times, of.state)
        self._of = of
        self._times = times

    def next_falls(self, i: int) -> int | None:
        """Return what the other one says."""
        return self._of.falls(i // self._times, (i + 1) // self._times)

    def over(self) -> Parts:
        """Return what the other one says, so many times."""
        return [(number, factor * self._times) for number, factor in self._of.at_least]

    def under(self) -> Parts:
        """Return what the other one says, so many times."""
        return [(number, factor * self._times) for number, factor in self._of.at_most]


class CutOff(Falling):
    """The first so many literals of another one, as the others do not matter."""

    def __init__(self, of: Falling, length: int) -> None:
        super().__init__(of.lits[:length], of.more + len(of.lits) - length, of.state)
        self._of = of

    def next_falls(self, i: int) -> int | None:
        """Return what the other one says."""
        return self._of.falls(i, i + 1)

    def over(self) -> Parts:
        """Return what the other one says: what is missing counts less."""
        return self._of.at_least

    def under(self) -> Parts:
        """Add that the last literal falls to those behind."""
        last = len(self.lits) - 1
        behind = [(j, 1) for j in range(last + 1, len(self._of.lits))]
        if behind:
            behind[-1] = behind[-1][0], 1 + self._of.more
        falls = [(self._of.falls(last, j), times) for j, times in behind]
        return [*self._of.at_most, *((row, times) for row, times in falls if row is not None)]
