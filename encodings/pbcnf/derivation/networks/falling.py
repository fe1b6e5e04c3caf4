"""Falling sequences of literals: literal j says "at least j" of some count, from 1 on.

Each literal implies the one before. Sequences are made from the literals of others: some of them,
or all of them repeated.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from pbcnf.derivation.derivation_state import DerivationState, Parts
from pbcnf.literals import Lit


class Falling:
    """Literals, each of which implies the literal before, and how they relate to a count.

    ``more``: by how much the count may exceed the number of literals, where literals at the end are
    left out: these are at most as true as the last literal. Literals may repeat. A single literal,
    or none, is its own count.
    """

    def __init__(self, lits: Sequence[Lit], state: DerivationState, more: int = 0) -> None:
        self.lits = tuple(lits)
        self.more = more
        self.state = state
        self._falls: dict[tuple[int, int], int | None] = {}

    def next_falls(self, i: int) -> int | None:
        """Return the number of ``lits[i] >= lits[i + 1]``, None if both are one literal."""
        raise IndexError("a single literal has no next literal")

    def over(self) -> Parts:
        """Return parts whose sum is ``count >= sum of lits``: none if that is the count."""
        return []

    def under(self) -> Parts:
        """Return parts whose sum is ``count <= sum of lits + more * last of lits``."""
        return []

    @cached_property
    def at_least(self) -> Parts:
        """Return `over` as at most one constraint."""
        return summed(self.over(), self.state)

    @cached_property
    def at_most(self) -> Parts:
        """Return `under` as at most one constraint."""
        return summed(self.under(), self.state)

    def falls(self, i: int, j: int) -> int | None:
        """Return the number of ``lits[i] >= lits[j]`` for i < j, None if both are one literal."""
        if self.lits[i] == self.lits[j]:
            return None
        if (i, j) not in self._falls:
            # By halves, each kept, so that any two of n literals are log n sums apart.
            if j == i + 1:
                row = self.next_falls(i)
            else:
                middle = (i + j) // 2
                halves = [self.falls(i, middle), self.falls(middle, j)]
                # The literals differ, so there is a row for one half at least.
                [row, *further] = [half for half in halves if half is not None]
                if further:
                    row = self.state.add([(row, 1), (further[0], 1)])
            self._falls[i, j] = row
        return self._falls[i, j]


class Chain(Falling):
    """A sequence of literals, given with the numbers of "literal i + 1 implies literal i"."""

    def __init__(self, lits: Sequence[Lit], links: Sequence[int], state: DerivationState) -> None:
        super().__init__(lits, state)
        self._links = links

    def next_falls(self, i: int) -> int | None:
        """Return the number of ``lits[i] >= lits[i + 1]``."""
        return self._links[i]


class Picked(Falling):
    """The literals of sequence ``of`` at some places, which may repeat: their sum is the count."""

    def __init__(self, of: Falling, places: Sequence[int], more: int = 0) -> None:
        super().__init__([of.lits[place] for place in places], of.state, more)
        self._of = of
        self._places = places

    def next_falls(self, i: int) -> int | None:
        """Return the number of ``lits[i] >= lits[i + 1]``, as ``of`` has it."""
        return self._of.falls(self._places[i], self._places[i + 1])


class Inner(Picked):
    """The literals of sequence ``of`` from `start` to `stop`; the literals around are constant.

    ``true``: the numbers of the unit clauses of the literals before; ``false``: the number of the
    unit clause of the literal behind, if there is one.
    """

    def __init__(
        self, of: Falling, start: int, stop: int, true: Sequence[int], false: int | None
    ) -> None:
        more = of.more if false is None else 0
        super().__init__(of, range(len(of.lits))[start:stop], more)
        self._true = true
        self._false = false

    def over(self) -> Parts:
        """Return ``of.at_least`` and the unit clauses of the literals before."""
        return [*self._of.at_least, *((number, 1) for number in self._true)]

    def under(self) -> Parts:
        """Return ``of.at_most`` and the unit clause of the literal behind."""
        behind = [] if self._false is None else [(self._false, self._of.more + 1)]
        return [*self._of.at_most, *behind]


def summed(parts: Parts, state: DerivationState) -> Parts:
    """Return parts with the sum of `parts`, at most one constraint."""
    if len(parts) < 2:
        return parts
    return [(state.add(parts), 1)]


class Repeated(Picked):
    """Every literal of sequence ``of`` `times` times in a row."""

    def __init__(self, of: Falling, times: int) -> None:
        places = [place for place in range(len(of.lits)) for _ in range(times)]
        super().__init__(of, places, of.more * times)
        self._times = times

    def over(self) -> Parts:
        """Return the parts of ``of``, `times` times."""
        return [(number, factor * self._times) for number, factor in self._of.at_least]

    def under(self) -> Parts:
        """Return the parts of ``of``, `times` times."""
        return [(number, factor * self._times) for number, factor in self._of.at_most]


class CutOff(Picked):
    """The first `length` literals of sequence ``of``; the others are left out."""

    def __init__(self, of: Falling, length: int) -> None:
        super().__init__(of, range(len(of.lits))[:length], of.more + len(of.lits) - length)

    def over(self) -> Parts:
        """Return ``of.at_least``: fewer literals are at most the count, too."""
        return self._of.at_least

    def under(self) -> Parts:
        """Return ``of.at_most``, and that the last literal is implied by those left out."""
        last = len(self.lits) - 1
        behind = [(j, 1) for j in range(last + 1, len(self._of.lits))]
        if behind:
            behind[-1] = behind[-1][0], 1 + self._of.more
        falls = [(self._of.falls(last, j), times) for j, times in behind]
        return [*self._of.at_most, *((row, times) for row, times in falls if row is not None)]
