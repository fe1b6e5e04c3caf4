"""The reduced ordered decision diagram of a weighted sum, built by intervals.

Reference: Abio, Nieuwenhuis, Oliveras, Rodriguez-Carbonell, Mayer-Eichberger: A new look at BDDs
for pseudo-Boolean constraints, JAIR 2012, for an upper bound.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from pbcnf.encoders.circuits.diagram import FALSE, TRUE, Diagram


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
