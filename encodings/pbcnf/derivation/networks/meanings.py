"""What a value of a network says of a merge: rows for "true" and for "false", made when needed."""

from __future__ import annotations

from functools import cached_property
from typing import Protocol

from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.derivation.networks.merge import Merge
from pbcnf.literals import Lit


class Meaning(Protocol):
    """A value that says "at least c" of the literals of a merge."""

    @property
    def true(self) -> int | None:
        """The number of "at least c" if the value is true, None if that needs no row."""
        ...

    @property
    def false(self) -> int | None:
        """The number of "at most c - 1" if the value is false, None if that needs no row."""
        ...


class Defined:
    """A value with a variable that is defined by the literals of the merge."""

    def __init__(self, lit: Lit, of: Merge, count: int, state: DerivationState) -> None:
        state.define(lit, of.terms, count)
        self.true, self.false = state.if_false[-lit], state.if_false[lit]


class LeftOut:
    """A value that has no variable in clauses, where both inputs stand for it; so do they here.

    It has a variable once it is `define`d, as what enters another merge must.
    """

    def __init__(self, even: Meaning, odd: Meaning, of: Merge, count: int) -> None:
        self._inputs = even, odd
        self._of = of
        self._count = count
        self._defined: Defined | None = None

    def define(self, lit: Lit) -> None:
        """Give it a variable."""
        self._defined = Defined(lit, self._of, self._count, self._of.state)

    @cached_property
    def true(self) -> int | None:
        """Both inputs are true: said of the low value only."""
        if self._defined:
            return self._defined.true
        return self._sum([value.true for value in self._inputs])

    @cached_property
    def false(self) -> int | None:
        """Both inputs are false: said of the high value only."""
        if self._defined:
            return self._defined.false
        return self._sum([value.false for value in self._inputs])

    def _sum(self, rows: list[int | None]) -> int | None:
        parts = [(row, 1) for row in rows if row is not None]
        return self._of.state.add(parts) if len(parts) > 1 else parts[0][0] if parts else None


class Entering:
    """A literal that enters a merge of one side alone."""

    def __init__(self, of: Merge, place: int) -> None:
        self._of = of
        self._place = place

    @cached_property
    def true(self) -> int | None:
        """Those before it are true, too."""
        return self._of.first(self._place)

    @cached_property
    def false(self) -> int | None:
        """Those behind it are false, too."""
        return self._of.last(self._place)


class FirstOdd:
    """D_1 of the parts of a merge, which is its first output."""

    def __init__(self, part: Meaning, of: Merge) -> None:
        self._part = part
        self._of = of

    @property
    def true(self) -> int | None:
        """One of D is enough."""
        return self._part.true

    @cached_property
    def false(self) -> int | None:
        """Without D there is no E."""
        return twice(self._part.false, self._of.odd_at_least_even, self._of)


class LastEven:
    """E_j of the parts of a merge, alone as there is no D_(j+1): output 2j."""

    def __init__(self, part: Meaning, of: Merge) -> None:
        self._part = part
        self._of = of

    @cached_property
    def true(self) -> int | None:
        """D has as many."""
        return twice(self._part.true, self._of.odd_at_least_even, self._of)

    @property
    def false(self) -> int | None:
        """D has no more than j."""
        return self._part.false


class LastOdd:
    """D_(j+1) of the parts of a merge, alone as there is no E_j: output 2j."""

    def __init__(self, part: Meaning, of: Merge) -> None:
        self._part = part
        self._of = of

    @cached_property
    def true(self) -> int | None:
        """E has two less at most."""
        return twice(self._part.true, self._of.even_at_least_odd, self._of)

    @property
    def false(self) -> int | None:
        """E has no more than j - 1."""
        return self._part.false


def twice(number: int | None, other: int | None, of: Merge) -> int | None:
    """Return the number of twice one row and the other one, saturated."""
    parts = [(n, factor) for n, factor in ((number, 2), (other, 1)) if n is not None]
    return of.state.add(parts, saturate=True) if parts else None
