"""The decision diagram of two bounds over inputs of equal weight, laid out at once.

A node is a place: a level and what the upper bound leaves to the inputs from there on. No two
places are one node, and the places of a level are one range or two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from pbcnf.encoders.circuits.array_emission import Indices, add_by_width, staircase
from pbcnf.encoders.circuits.diagram import FALSE, TRUE, Diagram
from pbcnf.literals import Block, Lit
from pbcnf.sink import ClauseSink

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
