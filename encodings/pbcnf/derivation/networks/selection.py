"""Pairwise and four-way networks, which select as many values as their bounds reach.

The outputs of every comparator are defined by its two inputs, so that its clauses follow at once,
and together they are as many as the inputs. What takes steps is that merged values fall. A merge
combines two falling sequences x and y, its odd and its even places, with X and Y true values, where
``X - Y`` is 0 to 2: it compares y_i with x_(i+1). The larger of the next two is at most the smaller
of these if ``x_i >= y_i`` and ``y_i >= x_(i+2)``. Both follow from the numbers: if x_i is false and
y_i true, X is less than i and Y at least i. In a four-way merge ``X - Y`` is 0 to 4 at first, and
y_i is compared with x_(i+2) before, after which ``x_i >= y_i`` and ``y_i >= x_(i+2)``, too.

In a pairwise network the values that are merged last are pairs, of which the larger value comes
first: value i of the larger ones is at least value i of the smaller ones.

Size: some five steps a clause with both bounds, ten with one: comparators without clauses are
defined as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from typing import NamedTuple

from pbcnf.derivation.derivation_state import DerivationState, Parts
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.derivation.networks.cardinality import Maker
from pbcnf.derivation.networks.falling import Falling
from pbcnf.derivation.networks.network import NetworkDerivation
from pbcnf.derivation.networks.values import Merge, Sequenced, Side
from pbcnf.encoders.cardinality import multiway_network, pairwise_network
from pbcnf.encoders.cardinality.cardinality_network import complements
from pbcnf.encoders.circuits.networks import directions_of
from pbcnf.literals import Lit


def derive(of: EncodedSum, state: DerivationState) -> list[int]:
    """Follow the network block by block, fix the outputs that bounds are about, then derive."""
    selected = SelectedBlocks(of, state, partial(NetworkDerivation, state=state))
    of, root = selected.of, selected.follow()
    if of.at_least is not None:
        parts = [*root.missed(of.lower), (of.at_least, 1)]
        selected.network.fix(root.whole.values[of.lower - 1], True, parts)
    return selected.network.derive(of.clauses)


Row = Callable[[int], int | None]
"""Derives a row about place i, from 1 on; None if there is none."""


class _Sequence(Falling):
    """Values that fall: the numbers of the rows "the next implies this", and two sums of rows.

    ``over`` adds up to ``count >= sum of lits``, ``under`` to ``count <= sum of lits``.
    """

    def __init__(
        self,
        values: Sequence[int],
        lits: Sequence[Lit],
        falls: Sequence[int | None],
        over: Parts,
        under: Parts,
        state: DerivationState,
    ) -> None:
        super().__init__(lits, state)
        self.values = values
        self.next, self._over, self._under = falls, over, under

    def next_falls(self, i: int) -> int | None:
        """Return the number of ``lits[i] >= lits[i + 1]``."""
        return self.next[i]

    def over(self) -> Parts:
        """Return parts whose sum is ``count >= sum of lits``."""
        return self._over

    def under(self) -> Parts:
        """Return parts whose sum is ``count <= sum of lits``."""
        return self._under

    @cached_property
    def _alone(self) -> Merge:
        return Merge([Side(self, range(len(self.lits)))], self.state)

    def first(self, count: int) -> Parts:
        """Return parts: if literal `count` is true, so are all before."""
        return _present(self._alone.first(count))

    def reached(self, count: int) -> Parts:
        """Return parts whose sum is: if literal `count` is true, at least `count` are."""
        return [*self.at_least, *self.first(count)]

    def missed(self, count: int) -> Parts:
        """Return parts whose sum is: if literal `count` is false, fewer are true."""
        return [*self.at_most, *_present(self._alone.last(count))]


@dataclass(frozen=True, slots=True)
class _Block:
    """A sorted block of inputs: all outputs, and those that go on; both count the inputs.

    ``missed(i)``: parts whose sum is "if output i is false, fewer inputs are true".
    """

    whole: _Sequence
    kept: _Sequence
    missed: Callable[[int], Parts]
    cut: _Cut | None = None


class _Cut(NamedTuple):
    """A variable of the proof: "more inputs of a block are true than outputs go on".

    ``count <= sum of kept + times * lit``; ``all_kept`` is the number of "lit implies all kept".
    """

    lit: Lit
    times: int
    all_kept: int


class SelectedBlocks:
    """Blocks of the network of a sum, of which no more outputs go on than its bounds reach.

    ``of``: the sum, mirrored if its encoder counts negated inputs. Its values are followed by what
    ``make`` returns for the network, its inputs, directions and first variable.
    """

    def __init__(self, of: EncodedSum, state: DerivationState, make: Maker) -> None:
        bounds = n, *_ = len(of.lits), of.lower, of.upper
        if complements(*bounds):
            of = of.mirrored()
            bounds = n, of.lower, of.upper
        self._is_pairwise = of.encoder.name == "pairwise_network"
        network = (pairwise_network if self._is_pairwise else multiway_network).bounded(*bounds)
        self.of, self._state = of, state
        self.network = make(network, of.lits, directions_of(*bounds), of.first)
        self._values, self._reach = self.network.values, of.upper if of.upper < n else of.lower

    def follow(self) -> _Block:
        """Follow the network."""
        inputs = [self.single(v) for v in range(len(self.of.lits))]
        if self._is_pairwise:
            return self.by_pairs(inputs, self.of.at_most, self._reach)
        return self.by_columns(inputs, self.of.at_most)

    def single(self, v: int) -> _Block:
        """Return a value as a block."""
        whole = self._falling([v], [])
        return _Block(whole, whole, lambda count: [])

    def by_columns(self, inputs: Sequence[_Block], at_most: int | None) -> _Block:
        """Follow a block of the four-way network; `at_most` bounds the inputs of all blocks."""
        if len(inputs) == 1:
            return inputs[0]
        columns = [
            self.by_columns(inputs[places.start : places.stop], at_most)
            for places in multiway_network.columns_of(len(inputs))
        ]
        merged = self._four([column.kept for column in columns])
        whole, missed = self._counted(merged, columns, [], lambda cut: [])
        return self._trimmed(whole, missed, inputs, self._reach, at_most)

    def by_pairs(self, inputs: Sequence[_Block], at_most: int | None, most: int) -> _Block:
        """Follow a block of the pairwise network, of which `most` outputs go on.

        `at_most` is the number of "at most `most` inputs of this block are true", if that holds; 0
        if the clauses say so.
        """
        if most == 0:
            values = [block.whole.values[0] for block in inputs if at_most is not None]
            units = [self.network.fix(v, False, _present(at_most)) for v in values]
            none = self._falling([], [], under=[(unit, 1) for unit in units])
            return _Block(none, none, lambda count: [])
        if len(inputs) == 1:
            return inputs[0]
        values = [block.whole.values[0] for block in inputs]
        pairs = [self._compared(v, w) for v, w in zip(values[::2], values[1::2], strict=False)]
        larger = [*(pair.values[0] for pair in pairs), *values[2 * len(pairs) :]]
        smaller = [pair.values[1] for pair in pairs]
        # Larger values of pairs are at least the smaller ones, and both are as many as the inputs.
        more = self._state.add([(_there(pair.of.falls(0, 1)), 1) for pair in pairs])
        over, under = _sums([pair.of for pair in pairs])
        bounds: list[int | None] = [at_most, at_most]
        if at_most:
            literals = self._values.literal
            parts, alone = [(at_most, 1), *over], larger[len(smaller) :]
            bounds = [
                self._state.add(parts, [(literals[v], 1) for v in smaller]),
                self._state.add([*parts, (more, 1)], [(literals[v], 1) for v in alone], divisor=2),
            ]
        halves = [
            self.by_pairs([self.single(v) for v in part], bound, kept)
            for part, bound, (_, kept) in zip(
                (larger, smaller),
                bounds,
                pairwise_network.halves_of(len(inputs), most),
                strict=True,
            )
        ]
        one, other = halves
        rows: dict[int, int] = {}

        def implied(i: int, lit: Lit, reached: Parts) -> int:
            """Derive that larger value i is implied by `lit`, which says "i smaller values"."""
            parts = [*one.missed(i), *reached, (more, 1)]
            return self._state.derive_by_sum([one.whole.lits[i - 1], -lit], parts, bounded=False)

        def order(i: int) -> int:
            if i not in rows:
                rows[i] = implied(i, other.whole.lits[i - 1], other.whole.reached(i))
            return rows[i]

        def beside(cut: Lit) -> Parts:
            """Return parts: if more smaller values than kept are true, so are larger ones."""
            place = len(other.kept.lits) + 1
            row = implied(place, cut, [(self._state.if_false[-cut], 1)])
            return [(row, place), *one.whole.first(place)]

        merged = self._pairwise([Side(h.kept, range(len(h.kept.values))) for h in halves], order)
        whole, missed = self._counted(merged, halves, [(over, under)], beside)
        if at_most is None and not other.kept.lits:
            # Of the smaller values, on which no output depends, none is true if no larger one is.
            def missed(i: int) -> Parts:
                return [*((row, 2 * times) for row, times in one.missed(i)), *under, (more, 1)]

        return self._trimmed(whole, missed, inputs, most, at_most)

    def _counted(
        self,
        merged: _Sequence,
        parts: Sequence[_Block],
        sums: Sequence[tuple[Parts, Parts]],
        beside: Callable[[Lit], Parts],
    ) -> tuple[_Sequence, Callable[[int], Parts]]:
        """Return a merge of parts as a count of inputs, and its `missed` (see `_Block`).

        `sums` say that the outputs of the parts are at most, and at least, the inputs. `beside`
        returns what follows, beside the values kept, if the last part exceeds these.
        """
        counts = [_sums([merged, *(part.kept for part in parts)]), *sums]
        over = [row for each, _ in counts for row in each]
        under = [row for _, each in counts for row in each]
        whole = self._falling(merged.values, merged.next, over, under)

        def missed(count: int) -> Parts:
            found = [*whole.missed(count)]
            for part in parts:
                if part.cut is not None:
                    # If the part exceeds what it keeps, enough values are true for the output.
                    lit, times, all_kept = part.cut
                    rows = [*merged.missed(count), (all_kept, 1)]
                    rows += beside(lit) if part is parts[-1] else []
                    clause = [whole.lits[count - 1], -lit]
                    row = self._state.derive_by_sum(clause, rows, bounded=False)
                    found.append((row, times))
            return found

        return whole, missed

    def _trimmed(
        self,
        whole: _Sequence,
        missed: Callable[[int], Parts],
        inputs: Sequence[_Block],
        most: int,
        at_most: int | None,
    ) -> _Block:
        """Return the block of a merge, of which `most` outputs go on."""
        state, width = self._state, len(inputs)
        if most >= width:
            return _Block(whole, whole, missed)
        over = state.add(whole.at_least, [(lit, 1) for lit in whole.lits[most:]])
        values, falls = whole.values[:most], whole.next[: most - 1]
        if at_most is None:
            cut, under = self._cut(whole.lits[:most], missed, inputs)
            return _Block(whole, self._falling(values, falls, [(over, 1)], under), missed, cut)
        if most >= len(whole.lits):
            return _Block(whole, whole, missed)
        # The first value behind is false by the bound, and implied by those that follow.
        behind = range(most + 1, len(whole.lits))
        parts = [*whole.reached(most + 1), (at_most, 1)] if at_most else None
        false = self.network.fix(whole.values[most], False, parts)
        rows = [(_there(whole.falls(most, j)), 1) for j in behind]
        under = [*whole.at_most, *rows, (false, 1 + len(behind))]
        return _Block(whole, self._falling(values, falls, [(over, 1)], under), missed)

    def _cut(
        self, kept: Sequence[Lit], missed: Callable[[int], Parts], inputs: Sequence[_Block]
    ) -> tuple[_Cut, Parts]:
        """Define "more inputs are true than outputs are kept"; return also `under` with it."""
        state, width, most = self._state, len(inputs), len(kept)
        terms = [(1, block.whole.lits[0]) for block in inputs]
        cut = state.fresh()
        state.define(cut, terms, most + 1)
        bounds, implied = [], []
        for i, lit in enumerate(kept, start=1):
            # A variable that is "at least i inputs" implies the output, and `cut` implies both.
            least = state.fresh()
            state.define(least, terms, i)
            own = state.derive_by_sum(
                [lit, -least], [*missed(i), (state.if_false[-least], 1)], bounded=False
            )
            bounds.append(state.add([(state.if_false[least], 1), (own, width - i + 1)]))
            implied.append(
                state.derive_by_sum(
                    [lit, -cut], [(bounds[-1], 1), (state.if_false[-cut], 1)], bounded=False
                )
            )
        under = state.add_up(reversed(bounds), state.if_false[cut])
        all_kept = state.add([(row, 1) for row in implied])
        return _Cut(cut, width - most, all_kept), _present(under)

    def _pairwise(self, sides: Sequence[Side], order: Row) -> _Sequence:
        """Follow a merge of falling sequences of which the first is at least the second."""
        left, right = (side.present for side in sides)
        if not left or not right:
            of, places = (sides[0].of, left) if left else (sides[1].of, right)
            falls = [of.falls(i, j) for i, j in pairwise(places)]
            return self._falling([self._value_of(of, place) for place in places], falls)
        if len(left) == len(right) == 1:
            both = [self._value_of(side.of, left[0]) for side in sides]
            return self._falling(both, [order(left[0] + 1)])
        merge = Merge(sides, self._state)
        odd, even = (
            self._pairwise([side.every_second(start) for side in sides], order) for start in (0, 1)
        )
        return self._interleaved(
            odd,
            even,
            self._above(odd, even, 0, merge.odd_at_least_even),
            self._above(even, odd, 2, merge.even_at_least_odd),
        )

    def _four(self, columns: Sequence[_Sequence]) -> _Sequence:
        """Follow a merge of at most four falling sequences."""
        length = 1 << (max(len(column.values) for column in columns) - 1).bit_length()
        # The values of each place, sorted; then the places of one remainder modulo less and less.
        classes = [self._sorted([c.values[i : i + 1] for c in columns]) for i in range(length)]
        while len(classes) > 1:
            half = len(classes) // 2
            for r in range(half):
                sides = [Side(column, range(r, len(column.values), half)) for column in columns]
                merge = Merge(sides, self._state)
                odd, even = classes[r], classes[r + half]
                above = self._above(odd, even, 0, merge.odd_at_least_even)
                below = self._above(even, odd, 4, merge.even_at_least_odd)
                classes[r] = self._interleaved(*self._exchanged(odd, even, above, below))
            del classes[half:]
        return classes[0]

    def _sorted(self, values: Sequence[Sequence[int]]) -> _Sequence:
        """Follow a sorter of at most four values."""
        one, other, *others = [self._sequenced(each) for each in values]
        made = self._values.merge(one, other, whole=True)
        if others:
            further = others[0]
            if len(others) > 1:
                further = self._values.merge(others[0], others[1], whole=True)
            made = self._values.merge(made, further, whole=True)
        falls = [made.of.next_falls(i) for i in range(len(made.values) - 1)]
        return self._falling(made.values, falls, made.of.at_least, made.of.at_most)

    def _exchanged(
        self, odd: _Sequence, even: _Sequence, above: Row, below: Row
    ) -> tuple[_Sequence, _Sequence, Row, Row]:
        """Follow the comparisons of value i + 2 of `odd` with value i of `even`.

        The odd values have 0 to 4 more true ones. `above` and `below` are the rows "value i of
        `odd` implies by value i of `even`" and "value i of `even` by value i + 4 of `odd`".
        """
        n, m = len(odd.values), len(even.values)
        made = [self._compared(odd.values[i + 2], even.values[i]) for i in range(min(n - 2, m))]
        both = max(len(made), 0)
        # x are the odd values, then the smaller ones of the comparisons; y the larger ones.
        x = [*odd.values[:2], *(pair.values[1] for pair in made)]
        y = [*(pair.values[0] for pair in made), *even.values[both:], *odd.values[2 + both :]]

        def a(i: int, j: int) -> int | None:
            return odd.falls(i - 1, j - 1) if j <= n else None

        def b(i: int, j: int) -> int | None:
            return even.falls(i - 1, j - 1) if i > 0 and j <= m else None

        def x_falls(i: int) -> int | None:
            return self._implied(x[i - 1], x[i], [a(i, i + 1), b(i - 2, i - 1)])

        def y_falls(i: int) -> int | None:
            return self._implied(y[i - 1], y[i], [a(i + 2, i + 3), b(i, i + 1)])

        def x_above(i: int) -> int | None:
            cross = below(i - 2) if i > 2 and i + 2 <= n else None
            own = above(i) if i <= m else None
            both = [odd.values[i - 1], even.values[i - 3]] if i > 2 else []
            return self._implied(x[i - 1], y[i - 1], [a(i, i + 2), b(i - 2, i), own, cross], both)

        def y_above(i: int) -> int | None:
            # Both come out of one comparison.
            return made[i - 1].of.falls(0, 1)

        over, under = _sums([odd, even, *(pair.of for pair in made)])
        falling = (
            self._falling(x, [x_falls(i) for i in range(1, len(x))], over, under),
            self._falling(y, [y_falls(i) for i in range(1, len(y))]),
        )
        return *falling, x_above, y_above

    def _interleaved(self, x: _Sequence, y: _Sequence, above: Row, below: Row) -> _Sequence:
        """Follow the comparisons of value i + 1 of `x` with value i of `y`; x has 0 to 2 more.

        `above` and `below` are the rows "value i of `x` is implied by value i of `y`" and "value i
        of `y` by value i + 2 of `x`".
        """
        n, m = len(x.values), len(y.values)
        made = [self._compared(x.values[i + 1], y.values[i]) for i in range(min(n - 1, m))]
        last = len(made)
        values = [x.values[0], *(v for pair in made for v in pair.values)]
        values += [*x.values[1 + last :], *y.values[last:]]
        falls: list[int | None] = []
        for at, (v, w) in enumerate(pairwise(values)):
            i = (at + 1) // 2  # w comes from the comparison number i + 1, or past all
            if at % 2:
                falls.append(made[i - 1].of.falls(0, 1))
                continue
            rows = [x.falls(i, i + 1) if i + 1 < n else None, above(i + 1) if i < m else None]
            if i:
                rows.append(y.falls(i - 1, i) if i < m else None)
                rows.append(below(i) if i + 1 < n else None)
            both = [x.values[i], y.values[i - 1]] if i else []
            falls.append(self._implied(v, w, rows, both))
        return self._falling(values, falls, *_sums([x, y, *(pair.of for pair in made)]))

    def _above(self, x: _Sequence, y: _Sequence, by: int, more: int | None) -> Row:
        """Return a function that derives that value i of `x` is implied by value i + `by` of `y`.

        `more` is the number of "at most `by` more of y are true than of x".
        """

        def row(i: int) -> int | None:
            parts = [*x.missed(i), *y.reached(i + by), *_present(more)]
            clause = [x.lits[i - 1], -y.lits[i + by - 1]]
            return self._state.derive_by_sum(clause, parts, bounded=False)

        return row

    def _compared(self, v: int, w: int) -> Sequenced:
        """Follow a comparator."""
        return self._values.merge(self._sequenced([v]), self._sequenced([w]), whole=True)

    def _sequenced(self, values: Sequence[int]) -> Sequenced:
        lits = [self._values.literal[v] for v in values]
        return Sequenced(values, Falling(lits, self._state))

    def _falling(
        self,
        values: Sequence[int],
        falls: Sequence[int | None],
        over: Parts = (),
        under: Parts = (),
    ) -> _Sequence:
        lits = [self._values.literal[v] for v in values]
        return _Sequence(values, lits, falls, over, under, self._state)

    def _value_of(self, of: Falling, place: int) -> int:
        assert isinstance(of, _Sequence)
        return of.values[place]

    def _implied(self, v: int, w: int, rows: Iterable[int | None], both: Iterable[int] = ()) -> int:
        """Derive that value `w` implies value `v`, from their comparators and from `rows`.

        `both` are the two values of which `v` is the smaller one, if they are to be derived first.
        """
        state, literal = self._state, self._values.literal
        v_lit, w_lit = literal[v], literal[w]
        known = [state.if_false.get(lit) for lit in (v_lit, -v_lit, w_lit, -w_lit)]
        hints = [row for row in (*known, *rows) if row is not None]
        hints += [state.propagate([literal[each], -w_lit], hints) for each in both]
        return state.propagate([v_lit, -w_lit], hints)


def _sums(sequences: Iterable[Falling]) -> tuple[Parts, Parts]:
    """Return the parts of "over" and of "under" of all sequences."""
    each = [*sequences]
    over = [row for of in each for row in of.at_least]
    return over, [row for of in each for row in of.at_most]


def _present(number: int | None) -> Parts:
    return [] if number is None else [(number, 1)]


def _there(number: int | None) -> int:
    assert number is not None
    return number
