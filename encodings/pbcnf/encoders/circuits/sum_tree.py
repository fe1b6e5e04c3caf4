"""Balanced trees that add weighted sums in unary, over attainable sums only.

`add_up` and `forbid` emit the generalized totalizer of given bounds. `WeightTree` is a generalized
totalizer that takes further inputs and bounds later.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from pbcnf.encoders.circuits.array_emission import CHUNK, add_block, add_clauses, rows
from pbcnf.literals import Block, Lit
from pbcnf.sink import ClauseSink

_FEW_PAIRS: Final = 200
"""The number of pairs of sums from which arrays are faster than Python's numbers."""

_DENSE: Final = 16
"""The most numbers up to the largest sum per pair for which a table is faster than sorting."""


class Bounds(NamedTuple):
    """The bounds of the root, ``lower == 0`` for an upper bound alone, and the weights."""

    lower: int
    upper: int
    total: int
    equal: int
    """The weight of every input if they are equal, else 0."""

    @staticmethod
    def of(weights: Sequence[int], lower: int, upper: int) -> Bounds:
        """Return the bounds of a sum with these weights, the largest first."""
        equal = weights[0] if weights[0] == weights[-1] else 0
        return Bounds(lower, upper, sum(weights), equal)

    def least(self, weight: int) -> int:
        """Return the least sum that a node of this `weight` distinguishes from smaller sums."""
        rest = self.total - weight
        return self.lower - rest if self.lower else max(self.upper - rest, 0) + 1


class SumNode(NamedTuple):
    """A node: its weight, its possible sums, and for each sum but the least "this is reached".

    The least sum is always reached. With an upper bound alone the least sum is 0, which stands for
    all sums that cannot break the bound.
    """

    weight: int
    sums: Sequence[int]
    outputs: list[Lit]


def sums_of(left: SumNode, right: SumNode, bounds: Bounds) -> list[int]:
    """Return the sums of two nodes that their parent must distinguish."""
    if bounds.equal:
        low, high = left.sums[0] + right.sums[0], left.sums[-1] + right.sums[-1]
        every: Sequence[int] = range(low, high + 1, bounds.equal)
    else:
        every = _totals(left.sums, right.sums)
    least = bounds.least(left.weight + right.weight)
    some = every[bisect_left(every, least) : bisect_right(every, bounds.upper)]
    return [*some] if bounds.lower else [0, *some]


def _totals(left: Sequence[int], right: Sequence[int]) -> list[int]:
    """Return the totals of a sum of `left` and a sum of `right`, in increasing order."""
    pairs = len(left) * len(right)
    if pairs < _FEW_PAIRS:
        return sorted({a + b for a in left for b in right})
    totals = _exact(left)[:, None] + _exact(right)
    if left[-1] + right[-1] > _DENSE * pairs:
        found = np.unique(totals)
    else:
        there = np.zeros(left[-1] + right[-1] + 1, dtype=np.bool_)
        there[totals] = True
        found = np.flatnonzero(there)
    return [*found.tolist()]


def add_up(leaves: Sequence[SumNode], bounds: Bounds, sink: ClauseSink) -> SumNode:
    """Emit the nodes above one leaf or more, and return the last of them."""
    if len(leaves) == 1:
        return leaves[0]
    half = len(leaves) // 2
    left, right = add_up(leaves[:half], bounds, sink), add_up(leaves[half:], bounds, sink)
    return join(left, right, bounds, sink)


def join(left: SumNode, right: SumNode, bounds: Bounds, sink: ClauseSink) -> SumNode:
    """Emit the node above two, and return it."""
    sums = sums_of(left, right, bounds)
    number = max(len(sums) - 1, 0)
    first = sink.new_vars(number)
    node = SumNode(left.weight + right.weight, sums, [*range(first, first + number)])
    if node.outputs:
        few = len(left.sums) * len(right.sums) < _FEW_PAIRS
        (_add_few if few else _add_many)(left, right, node, bool(bounds.lower), sink)
    forbid(left, right, bounds, sink)
    if not bounds.equal:
        add_clauses(sink, [(-more, less) for less, more in pairwise(node.outputs)])
    return node


_MOST_OUTSIDE: Final = 2**13
"""The most sums of the other leaves for which sums of a node are compared."""


def add_up_reduced(
    leaves: Sequence[SumNode], bounds: Bounds, sink: ClauseSink, outside: Sequence[int] | None
) -> SumNode:
    """Emit the tree above `leaves` for an upper bound alone, with one sum for equivalent sums.

    `outside` are the attainable sums of all other leaves, None for too many of them. Two sums are
    one if the same sums outside exceed the bound together with either: then each pair of a sum and
    a sum of the sibling, too, is one sum of the parent.
    """
    half = len(leaves) // 2
    if not half:
        [leaf] = leaves
        kept = _least_of_classes(leaf.sums, bounds.upper, outside)
        places = [leaf.sums.index(value) for value in kept]
        return SumNode(leaf.weight, kept, [leaf.outputs[place - 1] for place in places[1:]])
    left, right = (
        add_up_reduced(part, bounds, sink, attained(outside, other, bounds.upper))
        for part, other in ((leaves[:half], leaves[half:]), (leaves[half:], leaves[:half]))
    )
    return join_reduced(left, right, bounds, sink, outside)


def join_reduced(
    left: SumNode, right: SumNode, bounds: Bounds, sink: ClauseSink, outside: Sequence[int] | None
) -> SumNode:
    """Emit the node above two of `add_up_reduced`, and return it."""
    sums = _least_of_classes(sums_of(left, right, bounds), bounds.upper, outside)
    node = SumNode(left.weight + right.weight, sums, [sink.new_var() for _ in sums[1:]])
    output, a, b = (np.array([0, *each.outputs], dtype=np.int32) for each in (node, left, right))
    every, rights = _exact(sums), _exact(right.sums)
    step = max(1, CHUNK // len(rights))
    for start in range(0, len(left.sums) if node.outputs else 0, step):
        totals = _exact(left.sums[start : start + step])[:, None] + rights
        # A total stands for the largest sum up to it; pairs above the bound are excluded below.
        places = np.maximum(every.searchsorted(totals, side="right") - 1, 0)
        implied = np.where(totals <= bounds.upper, output[places], 0)
        _imply(-a[start : start + step], -b, implied, sink)
    forbid(left, right, bounds, sink)
    add_clauses(sink, [(-more, less) for less, more in pairwise(node.outputs)])
    return node


def _least_of_classes(sums: Sequence[int], upper: int, outside: Sequence[int] | None) -> list[int]:
    """Return the least value of each class of `sums`, by the sums `outside` that fit beside.

    A sum fits another one if both together are at most `upper`.

    >>> _least_of_classes([0, 2, 3, 5, 9], 9, [0, 4, 7])
    [0, 3, 9]
    """
    if outside is None:
        return [*sums]
    found: list[int] = []
    last = -1
    for value in sums:
        fitting = bisect_right(outside, upper - value)
        if fitting != last:
            found.append(value)
        last = fitting
    return found


def attained(
    sums: Sequence[int] | None, leaves: Sequence[SumNode], upper: int
) -> Sequence[int] | None:
    """Return the totals up to `upper` of `sums` and values of `leaves`, None for too many."""
    for leaf in leaves:
        if sums is None or len(sums) * len(leaf.sums) > 8 * _MOST_OUTSIDE:
            return None
        sums = sorted({a + b for a in sums for b in leaf.sums if a + b <= upper})
    return sums


def _add_few(left: SumNode, right: SumNode, node: SumNode, both: bool, sink: ClauseSink) -> None:
    """Emit that two sums together are at least, and for `both` bounds at most, their total."""
    clauses: list[tuple[Lit, ...]] = []
    # Upwards the least sum of a part is certain; downwards, with all signs reversed, it is certain
    # that the largest one is not exceeded. What is certain has no literal.
    for sign, certain in ((-1, 0), (1, -1))[: 1 + both]:
        own = slice(1, None) if sign < 0 else slice(-1)
        output = dict(zip(node.sums[own], node.outputs, strict=True))
        a, b = ([*zip(part.sums[own], part.outputs, strict=True)] for part in (left, right))
        low, high = left.sums[certain], right.sums[certain]
        for part, other in ((a, high), (b, low)):
            clauses += [
                (sign * lit, -sign * output[total + other])
                for total, lit in part
                if total + other in output
            ]
        clauses += [
            (sign * x, sign * y, -sign * output[i + j])
            for i, x in a
            for j, y in b
            if i + j in output
        ]
    add_clauses(sink, clauses)


def _add_many(left: SumNode, right: SumNode, node: SumNode, both: bool, sink: ClauseSink) -> None:
    """Emit the clauses of `_add_few` as blocks, for some sums of the left part at a time."""
    rights = _exact(right.sums)
    output, a, b = (np.array([0, *each.outputs, 0], dtype=np.int32) for each in (node, left, right))
    step = max(1, CHUNK // len(rights))
    for start in range(0, len(left.sums), step):
        end = min(start + step, len(left.sums))
        # A total that is no sum of the node is harmless, or `forbid` excludes its pairs.
        places = _places(node.sums, _exact(left.sums[start:end])[:, None] + rights)
        _imply(-a[start:end], -b[:-1], output[places], sink)
        if both:
            # If neither part reaches its next sum, the node does not reach its own.
            following = np.array([*output[1:], 0])
            _imply(a[start + 1 : end + 1], b[1:], -following[places], sink)


def _places(sums: Sequence[int], totals: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
    """Return the place of each total among the sums, -1 for a total that is none of them."""
    if sums[-1] <= _DENSE * totals.size:
        table = np.full(sums[-1] + 2, -1)
        table[list(sums)] = np.arange(len(sums))
        return table.take(totals, mode="clip")
    exact = _exact(sums)
    places = np.minimum(exact.searchsorted(totals), len(sums) - 1)
    return np.where(exact[places] == totals, places, -1)


def _imply(a: Block, b: Block, total: Block, sink: ClauseSink) -> None:
    """Emit the clauses of a row, a column and what is at both in `total`; 0 is no literal.

    Where `total` is 0 there is no clause.
    """
    certain = np.flatnonzero(a == 0), np.flatnonzero(b == 0)
    for lits, alone in (
        *((a, total[:, column]) for column in certain[1]),
        *((b, total[row]) for row in certain[0]),
    ):
        where = (alone != 0) & (lits != 0)
        add_block(sink, rows(lits[where], alone[where]))
    total[certain[0]] = total[:, certain[1]] = 0
    i, j = np.nonzero(total != 0)
    add_block(sink, rows(a[i], b[j], total[i, j]))


def _exact(sums: Sequence[int]) -> npt.NDArray[Any]:
    """Return sums as an array of int64, or of Python ints where sums of two may overflow."""
    return np.array(sums, dtype=np.int64 if not len(sums) or sums[-1] < 2**61 else object)


def forbid(left: SumNode, right: SumNode, bounds: Bounds, sink: ClauseSink) -> None:
    """Exclude pairs of sums above the upper bound, or below the lower one with all other inputs."""
    # The literals of "at least this sum" for each place, of which the least sum has none, and of
    # "at least the next sum", which the largest sum has not.
    a, b = ([(), *((-lit,) for lit in part.outputs)] for part in (left, right))
    c, d = ([*((lit,) for lit in part.outputs), ()] for part in (left, right))
    clauses: list[tuple[Lit, ...]] = [a[i] + b[j] for i, j in above(left, right, bounds)]
    clauses += [c[i] + d[j] for i, j in below(left, right, bounds)]
    add_clauses(sink, clauses)


def above(left: SumNode, right: SumNode, bounds: Bounds) -> list[tuple[int, int]]:
    """Return the least pairs of sums, by place, that are together above the upper bound."""
    places = [bisect_right(right.sums, bounds.upper - a) for a in left.sums]
    last = len(right.sums)
    # A pair with a larger left sum and the same right sum is excluded by the smaller pair.
    return [(i, j) for i, j in enumerate(places) if j < (places[i - 1] if i else last)]


def below(left: SumNode, right: SumNode, bounds: Bounds) -> list[tuple[int, int]]:
    """Return the largest pairs of sums, by place, that are too small for the lower bound."""
    if not bounds.lower:
        return []
    least = bounds.least(left.weight + right.weight)
    places = [bisect_left(right.sums, least - a) - 1 for a in left.sums]
    return [(i, j) for i, j in enumerate(places) if j > max([-1, *places[i + 1 : i + 2]])]


class WeightTree:
    """A generalized totalizer to which inputs and bounds may be added; see `UpperBounds`.

    Inputs added together are a balanced tree by decreasing weight. Later inputs, and those of
    another counter, are joined to the tree by a new root. Each bound has an output of its own.
    """

    def __init__(self) -> None:
        self._root: _Node | None = None
        self._exceeds: dict[int, Lit] = {}

    @property
    def total(self) -> int:
        """The sum of all weights."""
        return self._root.weight if self._root else 0

    def add(self, lits: Sequence[Lit], weights: Sequence[int]) -> None:
        """Add inputs."""
        pairs = sorted(zip(weights, lits, strict=True), key=lambda pair: -pair[0])
        if pairs:
            self._join(_balanced([_LeafSum(lit, weight) for weight, lit in pairs]))

    def merge(self, other: WeightTree, sink: ClauseSink) -> None:
        """Add the inputs of another tree."""
        if other._root:
            self._join(other._root)

    def at_most(self, bound: int, sink: ClauseSink) -> list[Lit]:
        """Emit the missing clauses for ``sum <= bound``; return the literal to assume."""
        if bound not in self._exceeds:
            assert self._root is not None, "only a bound below the total is asked"
            _reach(self._root, bound, sink)
            self._exceeds[bound] = self._root.at_least(bound + 1, sink)
        return [-self._exceeds[bound]]

    def _join(self, other: _Node) -> None:
        self._root = _InnerSum(self._root, other) if self._root else other
        self._exceeds = {}


class _LeafSum:
    """An input."""

    def __init__(self, lit: Lit, weight: int) -> None:
        self.weight = weight
        self.sums = [0, weight]
        self.lits = {weight: lit}

    def at_least(self, least: int, sink: ClauseSink) -> Lit:
        """Return the input."""
        return self.lits[self.weight]


class _InnerSum:
    """The sum of two nodes.

    `sums` holds 0, for all sums up to `low`, which decide nothing; the attainable sums above `low`
    and below `high`; and `high`, for all sums from `high` on. ``lits[w]`` is implied by "at least
    w".
    """

    def __init__(self, left: _Node, right: _Node) -> None:
        self.left, self.right = left, right
        self.weight: int = left.weight + right.weight
        self.sums = [0]
        self.lits: dict[int, Lit] = {}
        self.low = self.high = 0

    def wider(self, low: int, high: int) -> tuple[int, int] | None:
        """Return the built range extended by (low, high); None if nothing is new."""
        low, high = max(low, 0), min(high, self.weight)
        if self.lits:
            low, high = min(low, self.low), max(high, self.high)
            if (low, high) == (self.low, self.high):
                return None
        return (low, high) if low < high else None

    def widen(self, low: int, high: int, sink: ClauseSink) -> None:
        """Emit literals and clauses for a wider range of sums, which the parts cover already."""
        old_low, old_high = (self.low, self.high) if self.lits else (high - 1, high)
        attained = {a + b for a, b in self._pairs(low, old_low)}
        attained |= {a + b for a, b in self._pairs(old_high - 1, high - 1)}
        # The old `high` stood for all sums from `high` on; from now on it is an attainable sum or
        # no sum.
        if self.lits and old_high < high and old_high not in attained:
            self.sums.remove(old_high)
        known = set(self.sums)
        new = sorted((attained | {high}) - known)
        for lit, total in enumerate(new, start=sink.new_vars(len(new))):
            self.lits[total] = lit
            insort(self.sums, total)
        self.low, self.high = low, high
        for a, b in (*self._pairs(low, old_low), *self._pairs(old_high, high - 1)):
            sink.add_clause([*self._premise(a, b), self.lits[a + b]])
        if high in new:
            self._imply(high, self.lits[high], sink)
        fresh = set(new)
        for less, more in pairwise(self.sums[1:]):
            if less in fresh or more in fresh:
                sink.add_clause([-self.lits[more], self.lits[less]])

    def at_least(self, least: int, sink: ClauseSink) -> Lit:
        """Return a fresh variable that is implied by "the sum is at least `least`"."""
        lit = sink.new_var()
        self._imply(least, lit, sink)
        return lit

    def _imply(self, least: int, lit: Lit, sink: ClauseSink) -> None:
        """Emit that each minimal pair of sums that together reach `least` implies `lit`."""
        last = len(self.right.sums)
        for a in self.left.sums:
            at = bisect_left(self.right.sums, least - a)
            # A larger sum on the left makes a new pair only with a smaller one on the right.
            if at < last:
                sink.add_clause([*self._premise(a, self.right.sums[at]), lit])
                last = at

    def _pairs(self, above: int, upto: int) -> Iterator[tuple[int, int]]:
        """Yield the pairs of sums of both parts with a total above `above` and at most `upto`."""
        others = self.right.sums
        for a in self.left.sums if above < upto else ():
            for b in others[bisect_right(others, above - a) : bisect_right(others, upto - a)]:
                yield a, b

    def _premise(self, a: int, b: int) -> list[Lit]:
        return [-part.lits[w] for part, w in ((self.left, a), (self.right, b)) if w]


_Node = _LeafSum | _InnerSum


def _balanced(leaves: Sequence[_Node]) -> _Node:
    if len(leaves) == 1:
        return leaves[0]
    half = len(leaves) // 2
    return _InnerSum(_balanced(leaves[:half]), _balanced(leaves[half:]))


def _reach(root: _Node, bound: int, sink: ClauseSink) -> None:
    """Extend the nodes below `root` by the sums that decide whether `bound` is exceeded."""
    # No recursion: a tree whose inputs came one by one is deeper than Python's limit.
    pending = _parts(root, bound, bound + 1)
    while pending:
        node, low, high, parts_are_ready = pending.pop()
        wider = node.wider(low, high)
        if wider and parts_are_ready:
            node.widen(*wider, sink)
        elif wider:
            pending += [(node, *wider, True), *_parts(node, *wider)]


def _parts(node: _Node, low: int, high: int) -> list[tuple[_InnerSum, int, int, bool]]:
    """Return the ranges of sums that a range of a node needs of its parts other than leaves."""
    if isinstance(node, _LeafSum):
        return []
    return [
        (part, low - (node.weight - part.weight), high, False)
        for part in (node.left, node.right)
        if isinstance(part, _InnerSum)
    ]
