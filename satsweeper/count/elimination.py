"""Hard regions, counted by bucket elimination over a join tree, in integers.

Which states of two groups go together does not depend on the numbers, so it is found once, and
what cannot be completed outside the group is dropped. With each state goes the number of ways to
fill the group: a polynomial in the number of mines, its coefficients in lanes of one integer, or
its value at one point. The way up gives the whole; the way down gives each state's ways to fill
everything else, which is the derivative of the whole by the state's number (Darwiche, A
differential approach to inference in Bayesian networks, 2003).

R. Dechter, Bucket elimination: a unifying framework for reasoning, 1999.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from satsweeper.count.budget import CountingBudget
from satsweeper.count.join_tree import GroupJoin, JoinTree
from satsweeper.count.sweep import BoxedRegion, ways

Pairs = list[tuple[int, int, int]]
"""The numbers of a state of the left group, one of the right, and of the state that they make."""


_REBASED: Final = 96
"""Width of lanes from which leading lanes that are all 0 are dropped."""


class _StateNumbers(NamedTuple):
    """A number for each state of a group; all of them are to be moved up by ``base`` lanes."""

    numbers: list[int]
    base: int


class Elimination:
    """A region with its join tree and the states that go together.

    ``mined``: after ``run``, for each box the layouts in which a given cell of it is a mine.

    Raises:
        OddsLimitError: there are too many states, or the time is over.
    """

    def __init__(self, region: BoxedRegion, tree: JoinTree, bound: CountingBudget) -> None:
        self._sizes = region.sizes
        self._bound = bound.of(bound.about, tree.width)
        self._tree = tree
        self._states = [len(leaf.mines) for leaf in self._tree.leaves]
        self._tried = self._held = 0
        self._pairs = self._join_all()
        self._drop_dead_ends()
        self.mined = [0] * len(region.sizes)

    def _join_all(self) -> list[Pairs]:
        tables = [[k * leaf.one for k in leaf.mines] for leaf in self._tree.leaves]
        found = []
        for join in self._tree.joins:
            states, pairs = self._join(join, tables[join.left], tables[join.right])
            self._held += len(pairs)
            found.append(pairs)
            tables.append(states)
            tables[join.left] = tables[join.right] = []
            self._states.append(len(states))
        return found

    def _join(self, join: GroupJoin, left: list[int], right: list[int]) -> tuple[list[int], Pairs]:
        """Return the states of a join in order of discovery, and the pairs that make them."""
        _, _, closing, wanted, staying, top, over, under = join
        # Closing clues must be met exactly: pairs are found by what the left side lacks.
        partners: dict[int, list[tuple[int, int]]] = {}
        for number, state in enumerate(right):
            key = wanted - (state & closing)
            if key in partners:
                partners[key].append((number, state))
            else:
                partners[key] = [(number, state)]
        numbers: dict[int, int] = {}
        pairs: Pairs = []
        for one, state in enumerate(left):
            fitting = partners.get(state & closing)
            if fitting is None:
                continue
            for other, more in fitting:
                made = state + more & staying
                # Too many mines for an open clue, or too few for the cells that follow.
                if (made + over) & top or (made + under) & top != top:
                    continue
                pairs.append((one, other, numbers.setdefault(made, len(numbers))))
            self._tried += len(fitting)
            if not one & 255:
                self._bound.compare(self._tried, self._held + len(pairs))
        self._bound.compare(self._tried, self._held + len(pairs))
        return list(numbers), pairs

    def _drop_dead_ends(self) -> None:
        """Keep only pairs that are part of some layout, going down from the root."""
        alive = [bytearray(states) for states in self._states]
        alive[-1] = bytearray(b"\1") * len(alive[-1])
        boxes = len(self._sizes)
        for at in range(len(self._pairs) - 1, -1, -1):
            made = alive[boxes + at]
            pairs = self._pairs[at]
            if not all(made):
                pairs = self._pairs[at] = [pair for pair in pairs if made[pair[2]]]
            left, right = self._tree.joins[at][:2]
            for one, other, _ in pairs:
                alive[left][one] = alive[right][other] = 1

    def whole(self, weights: tuple[int, int], lane: int) -> int:
        """Return the number of layouts; a mine moves a number up by ``lane`` bits."""
        return self._up(weights, lane)[0]

    def run(self, weights: tuple[int, int], lane: int) -> int:
        """Return the number of layouts, and set ``mined``."""
        pairs = sum([len(each) for each in self._pairs])
        self._bound.multiply(pairs, lane * sum(self._sizes))
        whole, tables = self._up(weights, lane)
        if whole:
            self._down(tables, weights, lane)
        return whole

    def _up(self, weights: tuple[int, int], lane: int) -> tuple[int, list[_StateNumbers]]:
        tables = []
        for leaf, size in zip(self._tree.leaves, self._sizes, strict=True):
            placings = ways(size, weights).all
            tables.append(_StateNumbers([placings[k] << k * lane for k in leaf.mines], 0))
        held = 0
        for at, (join, pairs) in enumerate(zip(self._tree.joins, self._pairs, strict=True)):
            (lefts, left_base), (rights, right_base) = tables[join.left], tables[join.right]
            made = [0] * self._states[len(self._sizes) + at]
            for one, other, number in self._watched(pairs):
                made[number] += lefts[one] * rights[other]
            table = _rebased(made, left_base + right_base, lane)
            held += sum([number.bit_length() for number in table.numbers])
            self._bound.store(held)
            tables.append(table)
        numbers, base = tables[-1]
        return sum(numbers) << base * lane, tables

    def _down(self, tables: list[_StateNumbers], weights: tuple[int, int], lane: int) -> None:
        """Set ``mined`` from each state's ways to fill everything else, root first."""
        boxes = len(self._sizes)
        outside: dict[int, _StateNumbers] = {len(tables) - 1: _StateNumbers([1], 0)}
        for at in range(len(self._pairs) - 1, -1, -1):
            left, right = self._tree.joins[at][:2]
            (lefts, left_base), (rights, right_base) = tables[left], tables[right]
            around, base = outside.pop(boxes + at)
            del tables[boxes + at]
            left_outside, right_outside = [0] * len(lefts), [0] * len(rights)
            for one, other, number in self._watched(self._pairs[at]):
                # Outside a child lies what is outside its parent, and the other child.
                rest = around[number]
                left_outside[one] += rest * rights[other]
                right_outside[other] += rest * lefts[one]
            outside[left] = _rebased(left_outside, base + right_base, lane)
            outside[right] = _rebased(right_outside, base + left_base, lane)
        for box, leaf in enumerate(self._tree.leaves):
            around, base = outside[box]
            placings = ways(self._sizes[box], weights).mined
            each = zip(leaf.mines, around, strict=True)
            self.mined[box] = sum([rest * placings[k] << (base + k) * lane for k, rest in each])

    def _watched(self, pairs: Pairs) -> Iterator[tuple[int, int, int]]:
        """Yield the pairs; OddsLimitError once the time is over."""
        for start in range(0, len(pairs), 1024):
            self._bound.check()
            yield from pairs[start : start + 1024]


def _rebased(numbers: list[int], base: int, lane: int) -> _StateNumbers:
    """Return ``numbers`` without their lowest lanes where those are empty in every number."""
    if lane < _REBASED:
        return _StateNumbers(numbers, base)
    held = 0
    for number in numbers:
        held |= number
    shift = ((held & -held).bit_length() - 1) // lane if held else 0
    if not shift:
        return _StateNumbers(numbers, base)
    return _StateNumbers([number >> shift * lane for number in numbers], base + shift)
