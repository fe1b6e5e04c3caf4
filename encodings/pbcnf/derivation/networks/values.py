"""The values of one network of comparators, as it is emitted: each has a meaning, most a literal.

A value that is asked for has the variable that the encoder gives it. A value that the encoder
replaces by a constant gets a variable of the proof alone; so does an output of a merge that is left
out or not asked for, but comes before an output that is asked for.

An odd-even merge counts the true literals of two falling sequences. It merges their odd places into
D and their even places into E, and compares E_j with D_(j+1). Let D and E be the numbers of true
literals as well. The sequences fall, so ``0 <= D - E <= 2``: each side has as many true literals at
odd places as at even ones, or one more. That is a sum of rows "literal i + 1 implies literal i".
Hence "E >= j" gives ``D + E >= 2j``, as does "D >= j + 1", and both together give
``D + E >= 2j + 1``; for false literals likewise.
"""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple

from pbcnf.derivation.derivation_state import DerivationState, Parts, UnderivableError
from pbcnf.derivation.inequalities import Terms
from pbcnf.derivation.networks.falling import Falling
from pbcnf.literals import Lit


class Side(NamedTuple):
    """Some places of falling sequence ``of``, equally far from each other.

    Places behind the literals that the sequence has do not matter.
    """

    of: Falling
    places: range

    @property
    def present(self) -> list[int]:
        """The places that have a literal."""
        return [place for place in self.places if place < len(self.of.lits)]

    def every_second(self, start: int) -> Side:
        """Return the first, third, ... place (`start` = 0), or the second, fourth, ... (1)."""
        return Side(self.of, self.places[start::2])


class Merge:
    """A merge of two sides or more, whole or a part of a larger merge."""

    def __init__(self, sides: Sequence[Side], state: DerivationState) -> None:
        self.sides = sides
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
        """The number of ``E >= D - 2``, in general minus the sides that are not empty; or None."""
        return self._falling(1)

    def first(self, count: int) -> int | None:
        """Return the number of "if literal `count` is true, so are all before", for one side only.

        None if it holds by itself.
        """
        # Row j says that the literals before j add up to at least (j - 1) times literal j. Row j -
        # 1 has literal j - 1 in its place: j - 1 times "literal j implies literal j - 1" is added.
        while len(self._first) <= count:
            j = len(self._first)
            self._first.append(self._further(self._first[-1], j - 2, j - 1))
        return self._first[count]

    def last(self, count: int) -> int | None:
        """Return the number of "if literal `count` is false, so are all behind", for one side only.

        None if it holds by itself.
        """
        # Row j says that the last j literals add up to at most j times the literal before them.
        most = len(self._only.present)
        while len(self._last) <= most - count:
            j = len(self._last)
            self._last.append(self._further(self._last[-1], most - j - 1, j))
        return self._last[most - count]

    @property
    def _only(self) -> Side:
        return next(side for side in self.sides if side.places)

    def _further(self, number: int | None, i: int, factor: int) -> int | None:
        """Add `factor` times "literal i + 1 implies literal i" to constraint `number`."""
        side = self._only
        row = side.of.falls(side.places[i], side.places[i + 1])
        parts = [(number, 1)] if number is not None else []
        if row is None:
            return number
        return self.state.add([*parts, (row, factor)])

    def _falling(self, start: int) -> int | None:
        """Return ``D >= E`` (`start` = 0) or ``E >= D - 2`` (1), summed up over both sides."""
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


Row = Callable[[], int | None]
"""Derives an inequality when it is asked for; returns its number, None if it holds by itself."""


class Meaning:
    """Two inequalities on the literals of a merge: for a true value, and for a false value."""

    def __init__(self, true: Row, false: Row) -> None:
        self._true = true
        self._false = false

    @cached_property
    def true(self) -> int | None:
        """The number of "value true: at least c", None if it holds by itself."""
        return self._true()

    @cached_property
    def false(self) -> int | None:
        """The number of "value false: at most c - 1", None if it holds by itself."""
        return self._false()


class Defined(Meaning):
    """A value with a variable that is defined by the literals of the merge."""

    def __init__(self, lit: Lit, of: Merge, count: int) -> None:
        of.state.define(lit, of.terms, count)
        self.true, self.false = of.state.if_false[-lit], of.state.if_false[lit]


class LeftOut(Meaning):
    """A comparator output without a variable: in clauses both inputs of the comparator replace it.

    A lower output is asked for only where it is true, as both inputs are; a higher one only where
    it is false, as both inputs are. An output that enters another merge gets a variable of the
    proof, by `define`.
    """

    def __init__(self, even: Meaning, odd: Meaning, of: Merge, count: int) -> None:
        super().__init__(
            lambda: self._sum([even.true, odd.true]), lambda: self._sum([even.false, odd.false])
        )
        self._of = of
        self._count = count

    def define(self, lit: Lit) -> None:
        """Define the value as variable `lit`."""
        meaning = Defined(lit, self._of, self._count)
        self.true, self.false = meaning.true, meaning.false

    def _sum(self, rows: list[int | None]) -> int | None:
        parts = [(row, 1) for row in rows if row is not None]
        return self._of.state.add(parts) if len(parts) > 1 else parts[0][0] if parts else None


def entering(of: Merge, place: int) -> Meaning:
    """Return the meaning of a literal that enters a merge of one side alone.

    If it is true, so are all literals before, if it is false, so are all behind.
    """
    return Meaning(lambda: of.first(place), lambda: of.last(place))


def first_odd(part: Meaning, of: Merge) -> Meaning:
    """Return the meaning of D_1, the first output of a merge: one true literal of D is one of both.

    From "no literal of D" and ``D >= E`` follows: none of the merge.
    """
    return Meaning(lambda: part.true, lambda: twice(part.false, of.odd_at_least_even, of))


def last_even(part: Meaning, of: Merge) -> Meaning:
    """Return the meaning of E_j as output 2j of a merge, alone as there is no D_(j+1).

    From ``E >= j`` and ``D >= E`` follows: 2j of the merge. If ``E <= j - 1``, D has at most j.
    """
    return Meaning(lambda: twice(part.true, of.odd_at_least_even, of), lambda: part.false)


def last_odd(part: Meaning, of: Merge) -> Meaning:
    """Return the meaning of D_(j+1) as output 2j of a merge, alone as there is no E_j.

    From ``D >= j + 1`` and ``E >= D - 2`` follows: 2j of the merge. If ``D <= j``, E has at most
    j - 1.
    """
    return Meaning(lambda: twice(part.true, of.even_at_least_odd, of), lambda: part.false)


def twice(number: int | None, other: int | None, of: Merge) -> int | None:
    """Return the number of twice constraint `number` plus `other`, saturated."""
    parts = [(n, factor) for n, factor in ((number, 2), (other, 1)) if n is not None]
    return of.state.add(parts, saturate=True) if parts else None


class Sequenced(NamedTuple):
    """Values in falling order, and their literals ``of``; values behind these are not used."""

    values: Sequence[int]
    of: Falling


class Comparator(NamedTuple):
    """The comparison of ``even`` (E_j) and ``odd`` (D_(j+1)) in a merge, with their meanings.

    ``is_smallest``: the merge has just two inputs, which are compared. ``high``, ``low``: the
    meanings of both outputs, None for one that is not asked for.
    """

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
            return Sequenced(values, Falling([self.literal[v] for v in values], self.state))
        return self.merge(self.sort(values[::2]), self.sort(values[1::2]))

    def merge(self, left: Sequenced, right: Sequenced, *, whole: bool = False) -> Sequenced:
        """Follow a merge; return its outputs up to the last one asked for, all if `whole`."""
        if not left.values or not right.values:
            return left if left.values else right
        sides = [Side(each.of, range(len(each.values))) for each in (left, right)]
        found, of = self._outputs((sides[0], sides[1]), (left.values, right.values))
        asked = [j for j, (v, _) in enumerate(found, 1) if whole or v in self._asked]
        last = max(asked, default=0)
        meanings = []
        for count, (v, meaning) in enumerate(found[:last], start=1):
            left_out = self._left_out.get(v)
            if left_out:
                left_out.define(self._literal(v))
            meanings.append(meaning or Defined(self._literal(v), of, count))
        values = [v for v, _ in found]
        lits = [self.literal[v] for v in values[:last]]
        return Sequenced(values, Merged(lits, meanings, of, left.of, right.of))

    def _outputs(
        self, sides: tuple[Side, Side], values: tuple[Sequence[int], Sequence[int]]
    ) -> tuple[list[_Output], Merge]:
        merge = Merge(sides, self.state)
        left, right = ([values[i][place] for place in sides[i].places] for i in (0, 1))
        if not left or not right:
            return [(v, entering(merge, j)) for j, v in enumerate(left or right, 1)], merge
        if len(left) == len(right) == 1:
            alone = [(v, entering(merge, 1)) for v in (left[0], right[0])]
            return self._compared(merge, 1, alone[0], alone[1], True), merge
        odd, _ = self._outputs((sides[0].every_second(0), sides[1].every_second(0)), values)
        even, _ = self._outputs((sides[0].every_second(1), sides[1].every_second(1)), values)
        # Batcher: the largest value comes out of the odd places; after it the even and the odd
        # outputs are compared in pairs, and what one of them has left over is an output already.
        (v, part), *odd = odd
        found: list[_Output] = [(v, part and first_odd(part, merge))]
        for x, y in zip(even, odd, strict=False):
            found += self._compared(merge, len(found) + 1, x, y, False)
        for v, part in even[len(odd) :]:
            found.append((v, part and last_even(part, merge)))
        for v, part in odd[len(even) :]:
            found.append((v, part and last_odd(part, merge)))
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
                found[place] = v, Defined(self._literal(v), merge, count + place)
        (_, first), (_, second) = found
        if first or second:
            assert x[1] is not None
            assert y[1] is not None
            made = Comparator(merge, x[0], y[0], x[1], y[1], first, second, is_smallest)
            self.comparators[i] = made
        return found

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
        super().__init__(lits, of.state, more)
        self.meanings = meanings
        self._parts = left, right

    def reached(self, count: int) -> Parts:
        """Return parts whose sum is: if output `count` is true, at least `count` inputs are."""
        left, right = self._parts
        return [(_there(self.meanings[count - 1].true), 1), *left.at_least, *right.at_least]

    def missed(self, count: int) -> Parts:
        """Return parts whose sum is: if output `count` is false, fewer inputs are true."""
        left, right = self._parts
        row = _there(self.meanings[count - 1].false)
        return [(row, 1), *left.at_most, *right.at_most, *self._beyond(count)]

    def next_falls(self, i: int) -> int | None:
        """Return the number of ``lits[i] >= lits[i + 1]``."""
        one, other = _there(self.meanings[i].false), _there(self.meanings[i + 1].true)
        clause, parts = [self.lits[i], -self.lits[i + 1]], [(one, 1), (other, 1)]
        return self.state.derive_by_sum(clause, parts, bounded=False)

    def over(self) -> Parts:
        """Return parts whose sum is ``count >= sum of lits``, one literal a step."""
        left, right = self._parts
        own = self.state.add_up(_there(meaning.true) for meaning in self.meanings)
        return [*_once(own), *left.at_least, *right.at_least]

    def under(self) -> Parts:
        """Return parts whose sum is ``count <= sum of lits + more * last of lits``."""
        left, right = self._parts
        own = self.state.add_up(_there(meaning.false) for meaning in reversed(self.meanings))
        return [*_once(own), *left.at_most, *right.at_most, *self._beyond(len(self.lits))]

    def _beyond(self, count: int) -> Parts:
        """Return parts: if `count` is not reached, no literal left out of a side is true."""
        # Literals left out of a side come behind its last one, whose truth means that as many as
        # the side has are true, more than `count` - 1. So the last literal is false: a clause for
        # each.
        found = []
        for i, side in enumerate(self._parts):
            if side.more and side.lits:
                places = range(len(side.lits))
                alone = Merge([Side(side, places)], self.state)
                rows = (self.meanings[count - 1].false, alone.first(len(side.lits)))
                parts = [(row, 1) for row in rows if row is not None]
                clause = [self.lits[count - 1], -side.lits[-1]]
                found.append((self.state.derive_by_sum(clause, parts), self._parts[i].more))
        return found


def _there(number: int | None) -> int:
    assert number is not None
    return number


def _once(number: int | None) -> Parts:
    return [] if number is None else [(number, 1)]
