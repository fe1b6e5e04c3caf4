"""The decision diagram of a weighted sum, built level by level: all places of a level at once.

A place is a level and what the upper bound leaves to the inputs from there on.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Final, NamedTuple

import numpy as np

from pbcnf.encoders.circuits.array_emission import Indices, add_by_width, staircase
from pbcnf.literals import Block, Lit
from pbcnf.sink import ClauseSink

# Reduced ordered decision diagrams as values.

FALSE, TRUE = -1, -2
"""The terminal nodes; an inner node is its place in the list of nodes."""


class DiagramNode(NamedTuple):
    """The input that decides (its level), and the nodes that follow where it is true or false."""

    level: int
    high: int
    low: int


@dataclass(frozen=True, eq=False)
class Diagram:
    """The inner nodes by increasing level, and the root: the first of them or a terminal.

    By decreasing weight no edge skips a level, unless it goes to a terminal: sums of the other
    inputs lie no further apart than the weight that the node would have to ignore.
    """

    levels: Indices
    highs: Indices
    lows: Indices
    root: int

    @cached_property
    def nodes(self) -> list[DiagramNode]:
        """The inner nodes, node by node."""
        columns = (self.levels.tolist(), self.highs.tolist(), self.lows.tolist())
        return [*map(DiagramNode._make, zip(*columns, strict=True))]


# The reduced ordered decision diagram of a weighted sum, built by intervals.
#
# Reference: Abio, Nieuwenhuis, Oliveras, Rodriguez-Carbonell, Mayer-Eichberger: A new look at BDDs
# for pseudo-Boolean constraints, JAIR 2012, for an upper bound.

def interval_diagram(weights: Sequence[int], lower: int, upper: int) -> Diagram:
    """Return the diagram of ``lower <= sum <= upper`` for decreasing weights.

    A place is a level and what the upper bound leaves to the inputs from there on. The places of
    one node form an interval, known once its children are; so no node is built twice. Built
    without recursion: a diagram is as deep as the sum has inputs.

    >>> found = interval_diagram([3, 2, 2], 0, 4)
    >>> [tuple(node) for node in found.nodes]  # level, high, low
    [(0, 1, -2), (1, -1, 2), (2, -1, -2)]
    """
    width = upper - lower
    rest = [*accumulate(reversed(weights), initial=0)][::-1]
    least = -2 * rest[0] - 1  # below every place, even after the weights shift it up
    known = [_Intervals([], [], []) for _ in rest]
    nodes: dict[tuple[int, int, int], int] = {}
    first: list[int] = []  # where the interval of each node starts

    def find(level: int, left: int) -> tuple[int, int, int] | None:
        if left < 0:
            return least, -1, FALSE
        total = rest[level]
        if left - width > total:
            return total + width + 1, upper, FALSE
        if total <= left <= width:
            return total, width, TRUE
        starts, ends, found = known[level]
        at = bisect_right(starts, left) - 1
        if at >= 0 and ends[at] >= left:
            return starts[at], ends[at], found[at]
        return None

    # Places on the way to the one at hand, each with the interval of its high child once known.
    root = find(0, upper)
    place: tuple[int, int, tuple[int, int, int] | None] = (0, upper, None)
    above = [] if root else [place]
    while above:
        level, left, high = above.pop()
        weight = weights[level]
        if high is None:
            high = find(level + 1, left - weight)
            if high is None:
                above += [(level, left, None), (level + 1, left - weight, None)]
                continue
        low = find(level + 1, left)
        if low is None:
            above += [(level, left, high), (level + 1, left, None)]
            continue
        node = low[2]
        # Exactly for what is left in both intervals the children, hence the node, are the same.
        start = max(high[0] + weight, low[0])
        if high[2] != node:
            node = nodes.setdefault((level, high[2], node), len(nodes))
            first += [start] if node == len(first) else []
        starts, ends, found = known[level]
        at = bisect_right(starts, start)
        starts.insert(at, start)
        ends.insert(at, min(high[1] + weight, low[1]))
        found.insert(at, node)
    root = root or find(0, upper)
    assert root is not None
    return _ordered([*nodes], first, root[2])


class _Intervals(NamedTuple):
    """The intervals of a level, disjoint and ascending, and the node of each."""

    starts: list[int]
    ends: list[int]
    nodes: list[int]


def _ordered(nodes: list[tuple[int, int, int]], first: list[int], root: int) -> Diagram:
    """Return the diagram with the nodes by level, and by what is left to the inputs from there."""
    order = sorted(range(len(nodes)), key=lambda node: (nodes[node][0], first[node]))
    place = [0] * len(nodes) + [TRUE, FALSE]  # from the end: FALSE is -1, TRUE is -2
    for at, node in enumerate(order):
        place[node] = at
    columns = np.array([nodes[node] for node in order], dtype=np.intp).reshape(-1, 3).T
    targets = np.array(place, dtype=np.intp)
    return Diagram(columns[0], targets[columns[1]], targets[columns[2]], place[root])


# The decision diagram of two bounds over inputs of equal weight, laid out at once.
#
# A node is a place: a level and what the upper bound leaves to the inputs from there on. No two
# places are one node, and the places of a level are one range or two.

_CHUNK: Final = 2**12
"""Nodes whose clauses are computed at a time: arrays of this length stay in processor caches."""


def equal_diagram(n: int, lower: int, upper: int) -> Diagram:
    """Return the diagram of ``lower <= sum <= upper`` of n literals, for 0 < lower <= upper < n.

    >>> [tuple(node) for node in equal_diagram(2, 1, 1).nodes]  # level, high, low
    [(0, 1, 2), (1, -1, -2), (1, -2, -1)]
    """
    level, width = np.arange(n + 1), upper - lower
    inputs = n - level
    first, end = np.maximum(upper - level, 0), np.minimum(upper, width + inputs) + 1
    # In between both bounds are met, whatever the inputs from there on are.
    met = np.clip(inputs, first, end)
    unmet = np.clip(width + 1, met, end)
    starts = np.stack((first, unmet), axis=1)
    stops = np.stack((met, end), axis=1)
    counts = stops - starts
    shifts = counts.cumsum().reshape(-1, 2) - stops  # from what is left to the number of the node
    total = int(counts.sum())
    [(pieces, left)] = staircase(starts.ravel(), stops.ravel(), total)
    levels = pieces >> 1

    def nodes(left: Indices) -> Indices:
        below = levels + 1
        rest = inputs[below]
        found: Indices = left + np.where(left < rest, shifts[below, 0], shifts[below, 1])
        found[(left < 0) | (left > width + rest)] = FALSE
        found[(left >= rest) & (left <= width)] = TRUE
        return found

    return Diagram(levels, nodes(left - 1), nodes(left), root=0)


def encode_equal(lits: Sequence[Lit], lower: int, upper: int, sink: ClauseSink) -> None:
    """Emit that a path in the diagram goes on from a node, and came from a node before it.

    With equal weights a bound decides all the inputs that are left at once, and the nodes from the
    root on say so one after the other; so no edge needs a variable. The children of the root are
    the first input and its negation.
    """
    diagram = equal_diagram(len(lits), lower, upper)
    count = len(diagram.levels)
    var = np.zeros(count + 2, dtype=np.int32)  # the last two are the terminals
    var[1:3] = lits[0], -lits[0]
    var[3:count] = sink.new_vars(count - 3) + np.arange(count - 3)
    for flat in _clauses(np.array(lits, dtype=np.int32), diagram, var):
        add_by_width(sink, flat)


def _clauses(lits: Block, diagram: Diagram, var: Block) -> Iterator[Block]:
    """Yield the clauses of all nodes but the root, a 0 after each, some nodes at a time."""
    count = len(diagram.levels)
    children = np.array((diagram.highs, diagram.lows))
    parents = np.full((2, count), FALSE)
    for of, to in zip(parents, children, strict=True):
        inner = np.flatnonzero(to >= 0)
        of[to[inner]] = inner
    # x: for each node the literal of the input before its level, by which it was reached, and of
    # its own, by which it is left. So the two sides of `zip` below are the clauses upwards (some
    # parent) and downwards (the child of the input's value).
    for start in range(1, count, _CHUNK):
        nodes = np.arange(start, min(start + _CHUNK, count))
        x = lits[diagram.levels[nodes] - np.array([[1], [0]])]
        neighbours = np.array((parents[:, nodes], children[:, nodes]))
        here, end = -var[nodes], np.zeros_like(nodes)
        columns, where = [], []
        for literal, pair, asked in zip(x, neighbours, (nodes > 2, nodes > 0), strict=True):
            for lit, this, other in ((literal, *pair), (-literal, *pair[::-1])):
                said = asked & (this != TRUE)
                columns.append((here, -lit, var[this], end))
                needed = (this == FALSE) | (other != FALSE)
                where.append((said, said & needed, said & (this >= 0), said))
        high, low = children[:, nodes]
        columns.append((here, var[high], var[low], end))
        where.append(((high >= 0) & (low >= 0),) * 4)
        chosen: Block = np.array(columns, dtype=np.int32).transpose(2, 0, 1)[
            np.array(where).transpose(2, 0, 1)
        ]
        yield chosen


_MOST_PLACES: Final = 2**18
"""More places on a level are not looked at: few of them may be nodes of their own."""

_DENSE: Final = 16
"""Density from which a table of all numbers up to the bound is faster than sorting."""


def decision_diagram(weights: Sequence[int], lower: int, upper: int) -> Diagram:
    """Return the diagram of ``lower <= sum <= upper`` for decreasing weights, built either way."""
    layered = layered_diagram(weights, lower, upper)
    return interval_diagram(weights, lower, upper) if layered is None else layered


def layered_diagram(weights: Sequence[int], lower: int, upper: int) -> Diagram | None:
    """Return the diagram of ``lower <= sum <= upper`` for decreasing weights.

    None for sums beyond 2^61, and for more places on a level than can be looked at.

    >>> found = layered_diagram([3, 2, 2], 0, 4)
    >>> [tuple(node) for node in found.nodes]  # level, high, low
    [(0, 1, -2), (1, -1, 2), (2, -1, -2)]
    """
    edges = _edges(weights, lower, upper) if sum(weights) < 2**61 else None
    return None if edges is None else _numbered(*_nodes(edges))


def _edges(weights: Sequence[int], lower: int, upper: int) -> list[Indices] | None:
    """Return the targets of the edges of each level's places, edges of true inputs first.

    That is a terminal, or the number of a place on the next level; only places that are no
    terminals have edges, and numbers, by what is left to them. The first array leads to the root.
    """
    rests = [*accumulate(reversed(weights), initial=0)][::-1]
    reached = np.array([upper])
    edges: list[Indices] = []
    for rest, weight in zip(rests, [*weights, 0], strict=True):
        # What is left suffices for all further inputs, or the upper bound is exceeded already.
        always, never = reached >= rest, reached < 0
        if lower:
            # So far there are upper - reached: the lower bound is met, or out of reach.
            always &= reached <= upper - lower
            never |= reached > rest + upper - lower
        inner = reached[~(always | never)]
        if upper <= _DENSE * len(inner):
            there = np.zeros(upper + 1, dtype=np.bool_)
            there[inner] = True
            places = np.flatnonzero(there)
            ends = (there.cumsum() - 1)[np.clip(reached, 0, None)]
        else:
            inner.sort(kind="stable")
            places = inner[inner != np.concatenate(([-1], inner[:-1]))]
            ends = places.searchsorted(reached)
        if len(places) > _MOST_PLACES:
            return None
        ends[always], ends[never] = TRUE, FALSE
        edges.append(ends)
        if not len(places):
            break
        reached = np.concatenate((places - weight, places))
    return edges


def _nodes(edges: Sequence[Indices]) -> tuple[list[Indices], int]:
    """Return the high and low children of the nodes of each level, and the root.

    A child is a terminal or the number of a node on the next level. Places of one node are
    neighbours.
    """
    below = np.array([TRUE, FALSE])
    found: list[Indices] = []
    for ends in reversed(edges[1:]):
        children = below[ends].reshape(2, -1)
        # Equal children: the input does not matter, and the place is its child's.
        inner = children[0] != children[1]
        new = inner.copy()
        # Equal functions have neighbouring places, so a node is new where its neighbour differs.
        new[1:] &= (children[:, 1:] != children[:, :-1]).any(axis=0)
        numbers = np.where(inner, new.cumsum() - 1, children[0])
        below = np.concatenate((numbers, [TRUE, FALSE]))
        found.append(children[:, new])
    return found[::-1], int(below[edges[0][0]])


def _numbered(children: Sequence[Indices], root: int) -> Diagram:
    """Return the diagram with its nodes numbered through, in order within each level."""
    counts = [pairs.shape[1] for pairs in children]
    nodes: Indices = np.hstack([np.empty((2, 0), dtype=np.intp), *children])
    next_level = np.repeat(np.cumsum(counts, dtype=np.intp), counts)
    nodes[nodes >= 0] += np.tile(next_level, (2, 1))[nodes >= 0]
    return Diagram(np.repeat(np.arange(len(counts)), counts), nodes[0], nodes[1], root)
