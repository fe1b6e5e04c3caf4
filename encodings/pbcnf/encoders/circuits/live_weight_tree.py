"""A generalized totalizer that takes further inputs, and grows with the bounds that are asked."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator, Sequence
from itertools import pairwise

from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink


class WeightTree:
    """A tree over weights, its root for each bound apart; see `UpperBounds`.

    Inputs that come together are a balanced tree by decreasing weight; what comes later, or from
    another counter, is joined to it by a node.
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
        """Emit what is missing for this bound; return the literal to assume."""
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

    `sums` are 0, for all sums that are harmless, and those that it tells apart: the attainable ones
    above `low` and below `high`, and `high` itself, for all from there on. ``lits[w]`` is implied
    by "at least w".
    """

    def __init__(self, left: _Node, right: _Node) -> None:
        self.left, self.right = left, right
        self.weight: int = left.weight + right.weight
        self.sums = [0]
        self.lits: dict[int, Lit] = {}
        self.low = self.high = 0

    def wider(self, low: int, high: int) -> tuple[int, int] | None:
        """Return the range over the built range and (low, high); None if nothing is new."""
        low, high = max(low, 0), min(high, self.weight)
        if self.lits:
            low, high = min(low, self.low), max(high, self.high)
            if (low, high) == (self.low, self.high):
                return None
        return (low, high) if low < high else None

    def widen(self, low: int, high: int, sink: ClauseSink) -> None:
        """Tell sums in a wider range apart; the parts do so already."""
        old_low, old_high = (self.low, self.high) if self.lits else (high - 1, high)
        attained = {a + b for a, b in self._pairs(low, old_low)}
        attained |= {a + b for a, b in self._pairs(old_high - 1, high - 1)}
        # The old `high` stood for all sums from there on: now it is one of them, or none at all.
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
        """Return a fresh variable that "at least so much" implies."""
        lit = sink.new_var()
        self._imply(least, lit, sink)
        return lit

    def _imply(self, least: int, lit: Lit, sink: ClauseSink) -> None:
        """Emit that the least pairs of sums that reach so much imply the literal."""
        last = len(self.right.sums)
        for a in self.left.sums:
            at = bisect_left(self.right.sums, least - a)
            # A larger sum on the left makes a new pair only with a smaller one on the right.
            if at < last:
                sink.add_clause([*self._premise(a, self.right.sums[at]), lit])
                last = at

    def _pairs(self, above: int, upto: int) -> Iterator[tuple[int, int]]:
        """Yield the pairs of sums whose sum is in this range."""
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
    """Tell apart below the root what decides whether the bound is exceeded."""
    # A tree whose inputs came one by one is deeper than Python's recursion goes.
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
