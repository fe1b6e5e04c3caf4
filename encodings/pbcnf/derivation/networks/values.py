"""The values of one network of comparators, as it is emitted: each has a meaning, most a literal.

A value that is asked for has the variable that the encoder gives it. One that it replaces by a
constant gets a variable that no clause has, as do outputs of a merge that are left out or not asked
for, but come before one that is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple, Protocol

from pbcnf.derivation.derivation_state import DerivationState, Parts, UnderivableError
from pbcnf.derivation.networks.falling import Falling, Lone
from pbcnf.derivation.networks.merge import Merge, Side
from pbcnf.literals import Lit


class Meaning(Protocol):
    """Two inequalities on the literals of a merge: for a true value, and for a false value."""

    @property
    def true(self) -> int | None:
        """The number of "value true: at least c", None if it holds by itself."""
        ...

    @property
    def false(self) -> int | None:
        """The number of "value false: at most c - 1", None if it holds by itself."""
        ...


class Defined:
    """A value with a variable that is defined by the literals of the merge."""

    def __init__(self, lit: Lit, of: Merge, count: int, state: DerivationState) -> None:
        state.define(lit, of.terms, count)
        self.true, self.false = state.if_false[-lit], state.if_false[lit]


class LeftOut:
    """A comparator output without a variable: in clauses both inputs of the comparator replace it.

    It gets a variable of the proof by `define`, which it needs if it enters another merge.
    """

    def __init__(self, even: Meaning, odd: Meaning, of: Merge, count: int) -> None:
        self._inputs = even, odd
        self._of = of
        self._count = count
        self._defined: Defined | None = None

    def define(self, lit: Lit) -> None:
        """Define the value as variable `lit`."""
        self._defined = Defined(lit, self._of, self._count, self._of.state)

    @cached_property
    def true(self) -> int | None:
        """The sum for "both inputs are true", which is asked for the lower output only."""
        if self._defined:
            return self._defined.true
        return self._sum([value.true for value in self._inputs])

    @cached_property
    def false(self) -> int | None:
        """The sum for "both inputs are false", which is asked for the higher output only."""
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
        """The number of "if true, all literals before are true"."""
        return self._of.first(self._place)

    @cached_property
    def false(self) -> int | None:
        """The number of "if false, all literals behind are false"."""
        return self._of.last(self._place)


class FirstOdd:
    """D_1 of the parts of a merge, which is its first output."""

    def __init__(self, part: Meaning, of: Merge) -> None:
        self._part = part
        self._of = of

    @property
    def true(self) -> int | None:
        """The half of D_1: one true literal of D is one of the merge."""
        return self._part.true

    @cached_property
    def false(self) -> int | None:
        """From "no literal of D" and ``D >= E``: none of the merge."""
        return twice(self._part.false, self._of.odd_at_least_even, self._of)


class LastEven:
    """E_j of the parts of a merge, alone as there is no D_(j+1): output 2j."""

    def __init__(self, part: Meaning, of: Merge) -> None:
        self._part = part
        self._of = of

    @cached_property
    def true(self) -> int | None:
        """From ``E >= j`` and ``D >= E``: 2j of the merge."""
        return twice(self._part.true, self._of.odd_at_least_even, self._of)

    @property
    def false(self) -> int | None:
        """The half of E_j: ``E <= j - 1``, and D has no more than j."""
        return self._part.false


class LastOdd:
    """D_(j+1) of the parts of a merge, alone as there is no E_j: output 2j."""

    def __init__(self, part: Meaning, of: Merge) -> None:
        self._part = part
        self._of = of

    @cached_property
    def true(self) -> int | None:
        """From ``D >= j + 1`` and ``E >= D - 2``: 2j of the merge."""
        return twice(self._part.true, self._of.even_at_least_odd, self._of)

    @property
    def false(self) -> int | None:
        """The half of D_(j+1): ``D <= j``, and E has no more than j - 1."""
        return self._part.false


def twice(number: int | None, other: int | None, of: Merge) -> int | None:
    """Return the number of twice constraint `number` plus `other`, saturated."""
    parts = [(n, factor) for n, factor in ((number, 2), (other, 1)) if n is not None]
    return of.state.add(parts, saturate=True) if parts else None


class Sequenced(NamedTuple):
    """Values in falling order; values behind the literals of ``of`` are not used."""

    values: Sequence[int]
    of: Falling


class Comparator(NamedTuple):
    """The merge whose values E_j and D_(j+1) are compared, or its only two inputs."""

    merge: Merge
    even: int
    odd: int
    of_even: Meaning
    of_odd: Meaning
    high: Meaning | None
    low: Meaning | None
    is_smallest: bool


_Output = tuple[int, Meaning | None]


class NetworkValues:
    """Follows a network through its merges. ``own``: value -> the literal that clauses have."""

    def __init__(
        self,
        inputs: int,
        consumers: dict[int, int],
        asked: set[int],
        left_out: set[int],
        own: dict[int, Lit],
        state: DerivationState,
    ) -> None:
        self.literal = dict(own)
        self.comparators: dict[int, Comparator] = {}
        self.state = state
        self._inputs = inputs
        self._consumers = consumers
        self._asked = asked
        self._left_out: dict[int, LeftOut | None] = dict.fromkeys(left_out)

    def sort(self, values: Sequence[int]) -> Sequenced:
        """Follow a sorter of inputs."""
        if len(values) < 2:
            return Sequenced(values, Lone([self.literal[v] for v in values], self.state))
        return self.merge(self.sort(values[::2]), self.sort(values[1::2]))

    def merge(self, left: Sequenced, right: Sequenced) -> Sequenced:
        """Follow a merge; return its outputs up to the last one asked for."""
        if not left.values or not right.values:
            return left if left.values else right
        sides = [Side(each.of, range(len(each.values))) for each in (left, right)]
        found, of = self._outputs((sides[0], sides[1]), (left.values, right.values))
        last = max((j for j, (v, _) in enumerate(found, 1) if v in self._asked), default=0)
        meanings = []
        for count, (v, meaning) in enumerate(found[:last], start=1):
            left_out = self._left_out.get(v)
            if left_out:
                left_out.define(self._literal(v))
            meanings.append(meaning or self._defined(v, of, count))
        values = [v for v, _ in found]
        lits = [self.literal[v] for v in values[:last]]
        return Sequenced(values, Merged(lits, meanings, of, left.of, right.of))

    def _outputs(
        self, sides: tuple[Side, Side], values: tuple[Sequence[int], Sequence[int]]
    ) -> tuple[list[_Output], Merge]:
        merge = Merge(*sides, self.state)
        left, right = ([values[i][place] for place in sides[i].places] for i in (0, 1))
        if not left or not right:
            return [(v, Entering(merge, j)) for j, v in enumerate(left or right, 1)], merge
        if len(left) == len(right) == 1:
            alone = [(v, Entering(merge, 1)) for v in (left[0], right[0])]
            return self._compared(merge, 1, alone[0], alone[1], True), merge
        odd, _ = self._outputs((sides[0].every_second(0), sides[1].every_second(0)), values)
        even, _ = self._outputs((sides[0].every_second(1), sides[1].every_second(1)), values)
        (v, part), *odd = odd
        found: list[_Output] = [(v, part and FirstOdd(part, merge))]
        for x, y in zip(even, odd, strict=False):
            found += self._compared(merge, len(found) + 1, x, y, False)
        for v, part in even[len(odd) :]:
            found.append((v, part and LastEven(part, merge)))
        for v, part in odd[len(even) :]:
            found.append((v, part and LastOdd(part, merge)))
        return found, merge

    def _compared(
        self, merge: Merge, count: int, x: _Output, y: _Output, is_smallest: bool
    ) -> list[_Output]:
        i = self._consumers[x[0]]
        if self._consumers[y[0]] != i:
            raise UnderivableError("a network is none of odd-even merges")
        high = self._inputs + 2 * i
        found: list[_Output] = [(high, None), (high + 1, None)]
        for place, v in enumerate((high, high + 1)):
            if v in self._left_out:
                assert x[1] is not None
                assert y[1] is not None
                left_out = LeftOut(x[1], y[1], merge, count + place)
                self._left_out[v] = left_out
                found[place] = v, left_out
            elif v in self._asked:
                found[place] = v, self._defined(v, merge, count + place)
        (_, first), (_, second) = found
        if first or second:
            assert x[1] is not None
            assert y[1] is not None
            made = Comparator(merge, x[0], y[0], x[1], y[1], first, second, is_smallest)
            self.comparators[i] = made
        return found

    def _defined(self, v: int, of: Merge, count: int) -> Meaning:
        return Defined(self._literal(v), of, count, self.state)

    def _literal(self, v: int) -> Lit:
        """Return the literal of a value, a new one if it has none."""
        if v not in self.literal:
            self.literal[v] = self.state.fresh()
        return self.literal[v]


class Merged(Falling):
    """The outputs of a merge."""

    def __init__(
        self, lits: Sequence[Lit], meanings: list[Meaning], of: Merge, left: Falling, right: Falling
    ) -> None:
        more = of.most - len(lits) + left.more + right.more
        super().__init__(lits, more, of.state)
        self.meanings = meanings
        self._of = of
        self._parts = left, right

    def reached(self, count: int) -> Parts:
        """Return parts whose sum is: if output `count` is true, at least `count` inputs are."""
        left, right = self._parts
        row = self.meanings[count - 1].true
        assert row is not None
        return [(row, 1), *left.at_least, *right.at_least]

    def missed(self, count: int) -> Parts:
        """Return parts whose sum is: if output `count` is false, fewer inputs are true."""
        left, right = self._parts
        row = self.meanings[count - 1].false
        assert row is not None
        return [(row, 1), *left.at_most, *right.at_most, *self._beyond(count)]

    def next_falls(self, i: int) -> int | None:
        """Return the number of ``lits[i] >= lits[i + 1]``."""
        one, other = self.meanings[i].false, self.meanings[i + 1].true
        assert one is not None
        assert other is not None
        clause, parts = [self.lits[i], -self.lits[i + 1]], [(one, 1), (other, 1)]
        return self.state.derive_by_sum(clause, parts, bounded=False)

    def over(self) -> Parts:
        """Return parts whose sum is ``count >= sum of lits``, one literal a step.

        k - 1 times the inequality for the first k - 1 literals, and the half of literal k, give k
        times the inequality for k literals, divided and rounded up.
        """
        left, right = self._parts
        found: Parts = []
        for k, meaning in enumerate(self.meanings, start=1):
            row = meaning.true
            assert row is not None
            parts = [*((number, k - 1) for number, _ in found), (row, 1)]
            found = parts if k == 1 else [(self.state.add(parts, divisor=k), 1)]
        return [*found, *left.at_least, *right.at_least]

    def under(self) -> Parts:
        """Return parts whose sum is the upper bound, from the last literal to the first."""
        left, right = self._parts
        found: Parts = []
        for k in range(len(self.lits), 0, -1):
            row, divisor = self.meanings[k - 1].false, self._of.most - k + 1
            assert row is not None
            parts = [*((number, divisor - 1) for number, _ in found), (row, 1)]
            found = [(self.state.add(parts, divisor=divisor), 1)] if found else parts
        return [*found, *left.at_most, *right.at_most, *self._beyond(len(self.lits))]

    def _beyond(self, count: int) -> Parts:
        """Return parts: if `count` is not reached, no literal left out of a side is true."""
        found = []
        for i, side in enumerate(self._parts):
            if side.more and side.lits:
                places = range(len(side.lits))
                alone = Merge(Side(side, places), Side(side, places[:0]), self.state)
                rows = (self.meanings[count - 1].false, alone.first(len(side.lits)))
                parts = [(row, 1) for row in rows if row is not None]
                clause = [self.lits[count - 1], -side.lits[-1]]
                found.append((self.state.derive_by_sum(clause, parts), self._parts[i].more))
        return found
