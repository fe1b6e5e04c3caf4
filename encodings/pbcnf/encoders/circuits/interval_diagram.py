"""The reduced ordered decision diagram of a weighted sum, built by intervals.

Reference: Abio, Nieuwenhuis, Oliveras, Rodriguez-Carbonell, Mayer-Eichberger: A new look at BDDs
for pseudo-Boolean constraints, JAIR 2012, for an upper bound.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

FALSE, TRUE = -1, -2
"""The terminal nodes; an inner node is its place in the list of nodes."""


class Node(NamedTuple):
    """The input that decides (its level), and the nodes that follow where it is true or false."""

    level: int
    high: int
    low: int


class Diagram(NamedTuple):
    """The inner nodes by increasing level, and the root: the first of them or a terminal.

    By decreasing weight no edge skips a level, unless it goes to a terminal: sums of the other
    inputs lie no further apart than the weight that the node would have to ignore.
    """

    nodes: list[Node]
    root: int


def interval_diagram(weights: Sequence[int], lower: int, upper: int) -> Diagram:
    """Return the diagram of ``lower <= sum <= upper`` for decreasing weights.

    A place is a level and what the upper bound leaves to the inputs from there on. The places of
    one node form an interval, known once its children are; so no node is built twice. Built
    without recursion: a diagram is as deep as the sum has inputs.

    >>> interval_diagram([3, 2, 2], 0, 4)
    Diagram(nodes=[Node(level=0, high=1, low=-2), Node(level=1, high=-1, low=2), \
Node(level=2, high=-1, low=-2)], root=0)
    """
    n, width = len(weights), upper - lower
    rest = [*accumulate(reversed(weights), initial=0)][::-1]
    least = -2 * rest[0] - 1  # below every place, even after the weights shift it up
    known: list[list[tuple[int, int, int]]] = [[] for _ in range(n + 1)]
    nodes: dict[Node, int] = {}

    def find(level: int, left: int) -> tuple[int, int, int] | None:
        if left < 0:
            return least, -1, FALSE
        if left - width > rest[level]:
            return rest[level] + width + 1, upper, FALSE
        if rest[level] <= left <= width:
            return rest[level], width, TRUE
        at = bisect_right(known[level], left, key=lambda interval: interval[0])
        if at and known[level][at - 1][1] >= left:
            return known[level][at - 1]
        return None

    open_places = [(0, upper)]
    while open_places:
        level, left = open_places[-1]
        if find(level, left) is None:
            weight = weights[level]
            high, low = find(level + 1, left - weight), find(level + 1, left)
            if high is None or low is None:
                open_places.append((level + 1, left - weight if high is None else left))
                continue
            node = low[2]
            if high[2] != node:
                node = nodes.setdefault(Node(level, high[2], node), len(nodes))
            interval = max(high[0] + weight, low[0]), min(high[1] + weight, low[1]), node
            insort(known[level], interval)
        open_places.pop()
    root = find(0, upper)
    assert root is not None
    return _ordered(list(nodes), root[2])


def _ordered(nodes: list[Node], root: int) -> Diagram:
    order = sorted(range(len(nodes)), key=lambda node: (nodes[node].level, node))
    place = {FALSE: FALSE, TRUE: TRUE, **{node: at for at, node in enumerate(order)}}
    ordered = [nodes[node] for node in order]
    return Diagram(
        [Node(level, place[high], place[low]) for level, high, low in ordered], place[root]
    )
