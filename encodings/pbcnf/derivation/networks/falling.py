"""Sequences of literals that fall: number j says "at least j" of some count, from 1 on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property

from pbcnf.derivation.derivation_state import DerivationState, Parts
from pbcnf.literals import Lit


class Falling(ABC):
    """Literals, each of which implies the one before it, and what they count.

    ``more``: how much more than that the count may be, as what comes behind does not matter.
    Literals may repeat.
    """

    def __init__(self, lits: Sequence[Lit], more: int, state: DerivationState) -> None:
        self.lits = tuple(lits)
        self.more = more
        self.state = state
        self._falls: dict[tuple[int, int], int | None] = {}

    @abstractmethod
    def next_falls(self, i: int) -> int | None:
        """Return the number of ``lits[i] >= lits[i + 1]``, None if they are the same."""

    @abstractmethod
    def over(self) -> Parts:
        """Return what added up says ``count >= sum of lits``."""

    @abstractmethod
    def under(self) -> Parts:
        """Return what added up says ``count <= sum of lits + more * last of lits``."""

    @cached_property
    def at_least(self) -> Parts:
        """Return `over` as one row, if it is more."""
        return summed(self.over(), self.state)

    @cached_property
    def at_most(self) -> Parts:
        """Return `under` as one row, if it is more."""
        return summed(self.under(), self.state)

    def falls(self, i: int, j: int) -> int | None:
        """Return the number of ``lits[i] >= lits[j]`` for i < j, None if they are the same."""
        if self.lits[i] == self.lits[j]:
            return None
        if (i, j) not in self._falls:
            self._falls[i, j] = self._fall(i, j)
        return self._falls[i, j]

    def _fall(self, i: int, j: int) -> int | None:
        if j == i + 1:
            return self.next_falls(i)
        middle = (i + j) // 2
        first, second = self.falls(i, middle), self.falls(middle, j)
        if first is None or second is None:
            return first or second
        return self.state.add([(first, 1), (second, 1)])


class Lone(Falling):
    """One literal, which counts itself, or none."""

    def __init__(self, lits: Sequence[Lit], state: DerivationState) -> None:
        super().__init__(lits, 0, state)

    def next_falls(self, i: int) -> int | None:
        """Return that there is no next one."""
        return None

    def over(self) -> Parts:
        """Return nothing."""
        return []

    def under(self) -> Parts:
        """Return nothing."""
        return []


class Inner(Falling):
    """The literals of another one from `start` to `stop`, as those around are constant.

    ``true``: the numbers of the unit clauses of those before; ``false``: that of the one behind.
    """

    def __init__(
        self, of: Falling, start: int, stop: int, true: Sequence[int], false: int | None
    ) -> None:
        super().__init__(of.lits[start:stop], of.more if false is None else 0, of.state)
        self._of = of
        self._start = start
        self._true = true
        self._false = false

    def next_falls(self, i: int) -> int | None:
        """Return what the other one says."""
        return self._of.falls(self._start + i, self._start + i + 1)

    def over(self) -> Parts:
        """Add that those before are true."""
        return [*self._of.at_least, *((number, 1) for number in self._true)]

    def under(self) -> Parts:
        """Add that the one behind is false."""
        behind = [] if self._false is None else [(self._false, self._of.more + 1)]
        return [*self._of.at_most, *behind]


def summed(parts: Parts, state: DerivationState) -> Parts:
    """Return the same sum as one row."""
    if len(parts) < 2:
        return parts
    return [(state.add(parts), 1)]


class Subsequence(Falling):
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
