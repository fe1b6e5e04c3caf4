"""The generalized totalizer, bounded on both sides."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from pbcnf.encoders.bounds.shared import SharedBounds
from pbcnf.encoders.circuits.bulk import CHUNK, add_rows
from pbcnf.encoders.circuits.live_weight_tree import WeightTree
from pbcnf.encoders.protocol import Propagation
from pbcnf.encoders.weighted_count import WeightedCount
from pbcnf.formula import EncodingSize
from pbcnf.literals import Block, Lit, negate
from pbcnf.sink import ClauseSink


@dataclass(frozen=True, slots=True)
class GeneralizedTotalizer(SharedBounds):
    """A balanced binary tree that adds weights in unary, over attainable sums only.

    Idea: split the inputs, sorted by decreasing weight, into halves (the left one rounded down),
    and add the sums of both halves by one clause per pair of sums. Sums that the weight outside
    the node makes decided or harmless are left out; a pair that breaks a bound is forbidden at
    once, which the root does only. At least l is at most ``total - l`` of the negated inputs, and
    a clause where no single input may be missing; two bounds share one tree with both directions.

    Auxiliary variables: o[v][w] for every inner node v but the root and every attainable sum w of
    the inputs below v: "they weigh at least w". With an upper bound k alone ``k - rest < w <= k``,
    where the rest is the weight of the other inputs, and o[v][w] is only implied by that; with
    two bounds ``lower - rest <= w <= upper`` without the least such sum, and it is equivalent to
    it. The outputs of a node imply each other in order (published without: then every pair of
    sums beyond the bound takes a clause, with it only the least pairs). Equal weights need no
    such clauses, as in `Totalizer`.

    Size: the sum over the nodes, from their attainable sums (`weighted_size`): one clause per
    pair of sums and direction, one per two neighbouring outputs of a node.

    Propagation: arc-consistent for one bound, and for two if the weights are equal. For two
    bounds with different weights all that each of the bounds implies by itself is propagated,
    but not all that both imply together (that 3 and some 2s are never 4): nothing is claimed.
    Parsimonious with two bounds, not with one.

    Reference: Joshi, Martins, Manquinho: Generalized totalizer encoding for pseudo-Boolean
    constraints, CP 2015, for the upper bound. The two-sided form adds the converses.

    >>> from pbcnf import Formula, dimacs
    >>> f = Formula(num_vars=3)
    >>> GeneralizedTotalizer().encode_weighted([1, 2, 3], [3, 2, 2], 0, 4, f)
    >>> print(dimacs(f), end="")
    p cnf 5 5
    -3 4 0
    -2 4 0
    -2 -3 5 0
    -5 4 0
    -1 -4 0
    """

    name: ClassVar[str] = "generalized_totalizer"
    propagation: ClassVar[Propagation] = Propagation.ARC_CONSISTENT
    weighted_propagation: ClassVar[Propagation] = Propagation.ARC_CONSISTENT
    weighted_range_propagation: ClassVar[Propagation] = Propagation.NONE

    def ordered_size(self, weights: Sequence[int], lower: int, upper: int) -> EncodingSize:
        """Return the exact size, from the attainable sums alone."""
        bounds, half = _Bounds.of(weights, lower, upper), len(weights) // 2
        made: dict[int, tuple[_Node, EncodingSize]] = {}
        left, size_of_left = _sized_tree(weights[:half], bounds, made)
        right, size_of_right = _sized_tree(weights[half:], bounds, made)
        return size_of_left + size_of_right + _forbid_size(left, right, bounds)

    def encode_ordered(
        self, lits: Sequence[Lit], weights: Sequence[int], lower: int, upper: int, sink: ClauseSink
    ) -> None:
        """Emit the clauses for decreasing weights."""
        leaves = [_Node(weight, (0, weight), [x]) for x, weight in zip(lits, weights, strict=True)]
        bounds, half = _Bounds.of(weights, lower, upper), len(leaves) // 2
        left, right = _tree(leaves[:half], bounds, sink), _tree(leaves[half:], bounds, sink)
        _forbid(left, right, bounds, sink)

    def count_weighted(
        self, lits: Sequence[Lit], weights: Sequence[int], sink: ClauseSink
    ) -> WeightedCount:
        """Return a counter whose bounds are assumed later, see `WeightedCounter`.

        Every bound has an output of its own at the root; the nodes below tell apart the sums that
        matter to some bound asked. Each bound is arc-consistent.

        >>> from pbcnf import Formula
        >>> f = Formula(num_vars=4)
        >>> total = GeneralizedTotalizer().count_weighted([1, 2, 3], [3, 2, 2], f)
        >>> total.at_most(4), total.at_most(7), total.at_least(8)
        ([-8], [], [5])
        >>> total.add_inputs([4], [3])
        >>> total.at_most(4)
        [-13]
        """
        return WeightedCount(WeightTree, lits, weights, sink)


class _Bounds(NamedTuple):
    """The bounds of the root, ``lower == 0`` for an upper bound alone, and the weights."""

    lower: int
    upper: int
    total: int
    equal: int
    """The weight of every input if they are equal, else 0."""

    @staticmethod
    def of(weights: Sequence[int], lower: int, upper: int) -> _Bounds:
        equal = weights[0] if weights[0] == weights[-1] else 0
        return _Bounds(lower, upper, sum(weights), equal)

    def least(self, weight: int) -> int:
        """Return the least sum to be told from smaller ones below a node of that weight."""
        rest = self.total - weight
        return self.lower - rest if self.lower else max(self.upper - rest, 0) + 1


class _Node(NamedTuple):
    """A node: its weight, its possible sums, and for each but the least "at least that much".

    The least sum is certain. With an upper bound alone it is 0 and stands for all harmless sums.
    """

    weight: int
    sums: Sequence[int]
    outputs: list[Lit]


def _sums(left: _Node, right: _Node, bounds: _Bounds) -> list[int]:
    if bounds.equal:
        low, high = left.sums[0] + right.sums[0], left.sums[-1] + right.sums[-1]
        every: Sequence[int] = range(low, high + 1, bounds.equal)
    else:
        every = np.unique(_exact(left.sums)[:, None] + _exact(right.sums)).tolist()
    least = bounds.least(left.weight + right.weight)
    some = every[bisect_left(every, least) : bisect_right(every, bounds.upper)]
    return [*some] if bounds.lower else [0, *some]


def _tree(leaves: Sequence[_Node], bounds: _Bounds, sink: ClauseSink) -> _Node:
    if len(leaves) == 1:
        return leaves[0]
    half = len(leaves) // 2
    left, right = _tree(leaves[:half], bounds, sink), _tree(leaves[half:], bounds, sink)
    sums = _sums(left, right, bounds)
    node = _Node(left.weight + right.weight, sums, [sink.new_var() for _ in sums[1:]])
    _add(left, right, node, bool(bounds.lower), sink)
    _forbid(left, right, bounds, sink)
    if not bounds.equal:
        outputs = np.array(node.outputs, dtype=np.int32)
        add_rows(sink, -outputs[1:], outputs[:-1])
    return node


def _add(left: _Node, right: _Node, node: _Node, both: bool, sink: ClauseSink) -> None:
    """Emit that two sums together are at least, and for `both` bounds at most, their total."""
    if not node.outputs:
        return
    sums, rights, last = _exact(node.sums), _exact(right.sums), len(node.outputs)
    # Place i of a node has the output i - 1, "at least that much"; what has none has 0.
    output, a, b = (np.array([0, *each.outputs, 0], dtype=np.int32) for each in (node, left, right))
    step = max(1, CHUNK // len(rights))
    for start in range(0, len(left.sums), step):
        totals = _exact(left.sums[start : start + step])[:, None] + rights
        places = np.minimum(sums.searchsorted(totals), last)
        i, j = np.nonzero(sums[places] == totals)
        at = places[i, j]
        i += start
        _imply(-a[i], -b[j], output[at], at > 0, sink)
        if both:
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


def _forbid(left: _Node, right: _Node, bounds: _Bounds, sink: ClauseSink) -> None:
    """Emit that no two sums are above the upper bound, or miss the lower one with all the rest."""
    for i, j in _above(left, right, bounds):
        sink.add_clause(_premise(left, i, right, j))
    for i, j in _below(left, right, bounds):
        sink.add_clause(left.outputs[i : i + 1] + right.outputs[j : j + 1])


def _premise(left: _Node, i: int, right: _Node, j: int) -> list[Lit]:
    """Return the negation of: the left sum is at least the one at place i, the right one at j."""
    return negate([*left.outputs[max(i - 1, 0) : i], *right.outputs[max(j - 1, 0) : j]])


def _above(left: _Node, right: _Node, bounds: _Bounds) -> list[tuple[int, int]]:
    """Return the least pairs of sums, by place, that are together above the upper bound."""
    places = [bisect_right(right.sums, bounds.upper - a) for a in left.sums]
    last = len(right.sums)
    return [(i, j) for i, j in enumerate(places) if j < (places[i - 1] if i else last)]


def _below(left: _Node, right: _Node, bounds: _Bounds) -> list[tuple[int, int]]:
    """Return the largest pairs of sums, by place, that are too small for the lower bound."""
    if not bounds.lower:
        return []
    least = bounds.least(left.weight + right.weight)
    places = [bisect_left(right.sums, least - a) - 1 for a in left.sums]
    return [(i, j) for i, j in enumerate(places) if j > max([-1, *places[i + 1 : i + 2]])]


def _sized_tree(
    weights: Sequence[int], bounds: _Bounds, made: dict[int, tuple[_Node, EncodingSize]]
) -> tuple[_Node, EncodingSize]:
    """Return a node without outputs and the size of all below it; `made` is for equal weights."""
    count, half = len(weights), len(weights) // 2
    if count == 1:
        return _Node(weights[0], (0, weights[0]), []), EncodingSize(0, 0, 0)
    if count in made:
        return made[count]
    left, size_of_left = _sized_tree(weights[:half], bounds, made)
    right, size_of_right = _sized_tree(weights[half:], bounds, made)
    node = _Node(left.weight + right.weight, _sums(left, right, bounds), [])
    outputs = max(len(node.sums) - 1, 0)
    size = EncodingSize(outputs, 0, 0) + _forbid_size(left, right, bounds)
    if outputs:
        size += _pairs_size(left.sums, right.sums, node.sums[1], node.sums[-1], 0)
        if bounds.lower:
            size += _pairs_size(left.sums, right.sums, node.sums[0], node.sums[-2], -1)
        if not bounds.equal:
            size += EncodingSize(0, outputs - 1, 2 * (outputs - 1))
    size += size_of_left + size_of_right
    if bounds.equal:
        made[count] = node, size
    return node, size


def _pairs_size(
    left: Sequence[int], right: Sequence[int], low: int, high: int, certain: int
) -> EncodingSize:
    """Return the size of a clause per pair from low to high; a sum at `certain` takes no literal.

    All sums of pairs from `low` to `high` belong to the node, so that pairs need no enumeration.
    """

    def partners(a: int, others: Sequence[int]) -> int:
        return bisect_right(others, high - a) - bisect_left(others, low - a)

    clauses = sum(partners(a, right) for a in left)
    saved = partners(left[certain], right) + partners(right[certain], left)
    return EncodingSize(0, clauses, 3 * clauses - saved)


def _forbid_size(left: _Node, right: _Node, bounds: _Bounds) -> EncodingSize:
    above, below = _above(left, right, bounds), _below(left, right, bounds)
    ends = (len(left.sums) - 1, len(right.sums) - 1)
    literals = sum((i > 0) + (j > 0) for i, j in above)
    literals += sum((i < ends[0]) + (j < ends[1]) for i, j in below)
    return EncodingSize(0, len(above) + len(below), literals)
