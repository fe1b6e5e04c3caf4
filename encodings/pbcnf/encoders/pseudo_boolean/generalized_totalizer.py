"""The generalized totalizer, bounded on both sides."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from pbcnf.encoders.bounds import MirroredBounds
from pbcnf.encoders.circuits.grouped_sums import GroupedSum, cut_off
from pbcnf.encoders.circuits.sum_tree import (
    Bounds,
    SumNode,
    WeightTree,
    above,
    add_up,
    add_up_reduced,
    below,
    forbid,
    sums_of,
)
from pbcnf.encoders.counter import WeightedCount
from pbcnf.encoders.protocol import Propagation
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink


@dataclass(frozen=True, slots=True)
class GeneralizedTotalizer(MirroredBounds):
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

    Groups: a group is one leaf, with an output "at least w" for each value but the least
    (`encode_groups`). With one bound, sums of a node that the same sums outside exceed the bound
    with are one sum (reduced). Arc-consistent for one bound, given the groups.

    Reference: Joshi, Martins, Manquinho: Generalized totalizer encoding for pseudo-Boolean
    constraints, CP 2015, for the upper bound. The two-sided form adds the converses.

    >>> from pbcnf import Formula, dimacs
    >>> f = Formula(num_vars=3)
    >>> GeneralizedTotalizer().encode_weighted([1, 2, 3], [3, 2, 2], 0, 4, f)
    >>> print(dimacs(f), end="")
    p cnf 5 5
    -2 4 0
    -3 4 0
    -2 -3 5 0
    -5 4 0
    -1 -4 0
    """

    name: ClassVar[str] = "generalized_totalizer"
    propagation: ClassVar[Propagation] = Propagation.ARC_CONSISTENT
    weighted_propagation: ClassVar[Propagation] = Propagation.ARC_CONSISTENT
    weighted_range_propagation: ClassVar[Propagation] = Propagation.NONE
    grouped_propagation: ClassVar[Propagation] = Propagation.ARC_CONSISTENT

    def sum_sizes(self, weights: Sequence[int], lower: int, upper: int) -> Iterator[EncodingSize]:
        """Yield the sizes of the halves and of the root, from the attainable sums alone."""
        bounds, half = Bounds.of(weights, lower, upper), len(weights) // 2
        made: dict[int, tuple[SumNode, EncodingSize]] = {}
        left, size = _sized_tree(weights[:half], bounds, made)
        yield size
        right, size = _sized_tree(weights[half:], bounds, made)
        yield size
        yield _forbid_size(left, right, bounds)

    def encode_sum(
        self, lits: Sequence[Lit], weights: Sequence[int], lower: int, upper: int, sink: ClauseSink
    ) -> None:
        """Emit the clauses for decreasing weights."""
        leaves = [
            SumNode(weight, (0, weight), [x]) for x, weight in zip(lits, weights, strict=True)
        ]
        bounds, half = Bounds.of(weights, lower, upper), len(leaves) // 2
        left, right = add_up(leaves[:half], bounds, sink), add_up(leaves[half:], bounds, sink)
        forbid(left, right, bounds, sink)

    def grouped_steps(self, of: GroupedSum) -> int:
        """Return about how many clauses `encode_groups` emits at the most."""
        return of.pairs()

    def encode_groups(self, of: GroupedSum, sink: ClauseSink) -> None:
        """Emit the clauses of a sum over groups, which other clauses must enforce."""
        found = grouped_leaves(of, sink)
        if found is None:
            return
        nodes, bounds = found
        if is_reduced(bounds):
            add_up_reduced(nodes, bounds, sink, (0,))
            return
        half = len(nodes) // 2
        left, right = add_up(nodes[:half], bounds, sink), add_up(nodes[half:], bounds, sink)
        forbid(left, right, bounds, sink)

    def count_weighted(
        self, lits: Sequence[Lit], weights: Sequence[int], sink: ClauseSink
    ) -> WeightedCount:
        """Return a counter whose bounds are assumed later, see `WeightedCounter`.

        Every bound has an output of its own at the root; the nodes below distinguish the sums that
        matter to a bound requested so far. Each bound is arc-consistent.

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


def grouped_leaves(of: GroupedSum, sink: ClauseSink) -> tuple[list[SumNode], Bounds] | None:
    """Emit the leaves of a sum over groups; return two or more, the heaviest first, and the bounds.

    None where there is nothing to add: the empty clause or the only leaf's clause is emitted where
    the bounds need it.
    """
    certain, leaves = of.chained_leaves(sink)
    # Each leaf counts from 0: the least weight of its group is subtracted from the bounds.
    upper, lower = of.upper - certain, max(of.lower - certain, 0)
    nodes = [cut_off(leaf, upper, sink) for leaf in leaves]
    nodes.sort(key=lambda node: -node.weight)
    total = sum(node.weight for node in nodes)
    if upper < 0 or lower > total:
        sink.add_clause([])
        return None
    if upper >= total and lower == 0:
        return None
    if len(nodes) == 1:
        if lower:  # the only leaf reaches the first of its sums that is enough
            [node] = nodes
            at = next(at for at, value in enumerate(node.sums) if value >= lower)
            sink.add_clause([node.outputs[at - 1]])
        return None
    # The sums of the tree lie evenly if those of all leaves have one distance.
    steps = {b - a for node in nodes for a, b in pairwise(node.sums)}
    step = steps.pop() if len(steps) == 1 else 0
    return nodes, Bounds(lower, min(upper, total), total, step)


def is_reduced(bounds: Bounds) -> bool:
    """Whether equivalent sums of a tree over groups are one sum."""
    return bounds.lower == 0 and not bounds.equal


def _sized_tree(
    weights: Sequence[int], bounds: Bounds, made: dict[int, tuple[SumNode, EncodingSize]]
) -> tuple[SumNode, EncodingSize]:
    """Return a node without outputs and the size of all below it; `made` is for equal weights."""
    count, half = len(weights), len(weights) // 2
    if count == 1:
        return SumNode(weights[0], (0, weights[0]), []), EncodingSize(0, 0, 0)
    if count in made:
        return made[count]
    left, size_of_left = _sized_tree(weights[:half], bounds, made)
    right, size_of_right = _sized_tree(weights[half:], bounds, made)
    node = SumNode(left.weight + right.weight, sums_of(left, right, bounds), [])
    outputs = max(len(node.sums) - 1, 0)
    size = EncodingSize(outputs, 0, 0) + _forbid_size(left, right, bounds)
    # One direction sets the outputs, for all sums but the least; with two bounds the other
    # direction limits them, for all sums but the largest. Unless weights are equal, an output
    # implies the one before.
    if outputs:
        size += _pairs_size(left.sums, right.sums, node.sums[1], node.sums[-1], 0)
        if bounds.lower:
            size += _pairs_size(left.sums, right.sums, node.sums[0], node.sums[-2], -1)
        if not bounds.equal:
            size += EncodingSize(0, outputs - 1, 2 * (outputs - 1))
    size += size_of_left + size_of_right
    # With equal weights all nodes over the same number of inputs are equal.
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


def _forbid_size(left: SumNode, right: SumNode, bounds: Bounds) -> EncodingSize:
    high, low = above(left, right, bounds), below(left, right, bounds)
    ends = (len(left.sums) - 1, len(right.sums) - 1)
    literals = sum((i > 0) + (j > 0) for i, j in high)
    literals += sum((i < ends[0]) + (j < ends[1]) for i, j in low)
    return EncodingSize(0, len(high) + len(low), literals)
