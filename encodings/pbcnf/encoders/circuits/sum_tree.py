"""A balanced tree that adds weighted sums in unary, over attainable sums only."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pbcnf.encoders.circuits.array_emission import CHUNK, add_rows
from pbcnf.literals import Block, Lit, negate
from pbcnf.sink import ClauseSink


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
        """Return the least sum to be told from smaller ones below a node of that weight."""
        rest = self.total - weight
        return self.lower - rest if self.lower else max(self.upper - rest, 0) + 1


class SumNode(NamedTuple):
    """A node: its weight, its possible sums, and for each but the least "at least that much".

    The least sum is certain. With an upper bound alone it is 0 and stands for all harmless sums.
    """

    weight: int
    sums: Sequence[int]
    outputs: list[Lit]


def sums_of(left: SumNode, right: SumNode, bounds: Bounds) -> list[int]:
    """Return the sums of two nodes that have to be told apart."""
    if bounds.equal:
        low, high = left.sums[0] + right.sums[0], left.sums[-1] + right.sums[-1]
        every: Sequence[int] = range(low, high + 1, bounds.equal)
    else:
        every = np.unique(_exact(left.sums)[:, None] + _exact(right.sums)).tolist()
    least = bounds.least(left.weight + right.weight)
    some = every[bisect_left(every, least) : bisect_right(every, bounds.upper)]
    return [*some] if bounds.lower else [0, *some]


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
    node = SumNode(left.weight + right.weight, sums, [sink.new_var() for _ in sums[1:]])
    _add(left, right, node, bool(bounds.lower), sink)
    forbid(left, right, bounds, sink)
    if not bounds.equal:
        outputs = np.array(node.outputs, dtype=np.int32)
        add_rows(sink, -outputs[1:], outputs[:-1])
    return node


def _add(left: SumNode, right: SumNode, node: SumNode, both: bool, sink: ClauseSink) -> None:
    """Emit that two sums together are at least, and for `both` bounds at most, their total."""
    if not node.outputs:
        return
    sums, rights, last = _exact(node.sums), _exact(right.sums), len(node.outputs)
    # Place i of a node has the output i - 1, "at least that much"; what has none has 0.
    output, a, b = (np.array([0, *each.outputs, 0], dtype=np.int32) for each in (node, left, right))
    step = max(1, CHUNK // len(rights))
    for start in range(0, len(left.sums), step):
        totals = _exact(left.sums[start : start + step])[:, None] + rights
        # A total that is no sum of the node is harmless, or `forbid` excludes its pairs.
        places = np.minimum(sums.searchsorted(totals), last)
        i, j = np.nonzero(sums[places] == totals)
        at = places[i, j]
        i += start
        _imply(-a[i], -b[j], output[at], at > 0, sink)
        if both:
            # If neither part reaches its next sum, the node does not reach its own.
            _imply(a[i + 1], b[j + 1], -output[at + 1], at < last, sink)


def _imply(
    a: Block, b: Block, total: Block, where: npt.NDArray[np.bool_], sink: ClauseSink
) -> None:
    """Emit the clauses of these columns, without the literals that are 0."""
    left, right = a != 0, b != 0
    add_rows(sink, a, total, where=where & left & ~right)
    add_rows(sink, b, total, where=where & right & ~left)
    add_rows(sink, a, b, total, where=where & left & right)


def _exact(sums: Sequence[int]) -> npt.NDArray[Any]:
    """Return sums as an array that can add them."""
    return np.array(sums, dtype=np.int64 if not len(sums) or sums[-1] < 2**61 else object)


def forbid(left: SumNode, right: SumNode, bounds: Bounds, sink: ClauseSink) -> None:
    """Emit that no two sums are above the upper bound, or miss the lower one with all the rest."""
    for i, j in above(left, right, bounds):
        sink.add_clause(_premise(left, i, right, j))
    for i, j in below(left, right, bounds):
        sink.add_clause(left.outputs[i : i + 1] + right.outputs[j : j + 1])


def _premise(left: SumNode, i: int, right: SumNode, j: int) -> list[Lit]:
    """Return the negation of "left is at least its i-th sum and right at least its j-th sum"."""
    return negate([*left.outputs[max(i - 1, 0) : i], *right.outputs[max(j - 1, 0) : j]])


def above(left: SumNode, right: SumNode, bounds: Bounds) -> list[tuple[int, int]]:
    """Return the least pairs of sums, by place, that are together above the upper bound."""
    places = [bisect_right(right.sums, bounds.upper - a) for a in left.sums]
    last = len(right.sums)
    # A larger sum on the left with the same one on the right says nothing new.
    return [(i, j) for i, j in enumerate(places) if j < (places[i - 1] if i else last)]


def below(left: SumNode, right: SumNode, bounds: Bounds) -> list[tuple[int, int]]:
    """Return the largest pairs of sums, by place, that are too small for the lower bound."""
    if not bounds.lower:
        return []
    least = bounds.least(left.weight + right.weight)
    places = [bisect_left(right.sums, least - a) - 1 for a in left.sums]
    return [(i, j) for i, j in enumerate(places) if j > max([-1, *places[i + 1 : i + 2]])]
