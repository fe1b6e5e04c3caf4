"""The decision diagram of a weighted sum, built level by level: all places of a level at once.

A place is a level and what the upper bound leaves to the inputs from there on.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Final

import numpy as np

from pbcnf.encoders.circuits.array_emission import Indices
from pbcnf.encoders.circuits.diagram import FALSE, TRUE, Diagram
from pbcnf.encoders.circuits.interval_diagram import interval_diagram

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
