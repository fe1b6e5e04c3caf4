"""The decision diagram of a weighted sum, built level by level: all places of a level at once.

A place is a level and what the upper bound leaves to the inputs from there on.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Final

import numpy as np

from pbcnf.encoders.circuits.bulk import Indices
from pbcnf.encoders.circuits.diagram import FALSE, TRUE, Diagram
from pbcnf.encoders.circuits.interval_diagram import interval_diagram

_MOST_PLACES: Final = 2**18
"""More places on a level are not looked at: few of them may be nodes of their own."""

_DENSE: Final = 16
"""One in so many numbers up to the bound: a table of them all is faster than sorting."""


def decision_diagram(weights: Sequence[int], lower: int, upper: int) -> Diagram:
    """Return the diagram of ``lower <= sum <= upper`` for decreasing weights, built either way."""
    layered = layered_diagram(weights, lower, upper)
    return interval_diagram(weights, lower, upper) if layered is None else layered


def layered_diagram(weights: Sequence[int], lower: int, upper: int) -> Diagram | None:
    """Return the diagram of ``lower <= sum <= upper`` for decreasing weights.

    None for sums beyond 2^61, and for more places on a level than can be looked at.

    >>> found = layered_diagram([3, 2, 2], 0, 4)
    >>> found.nodes if found else None
    [Node(level=0, high=1, low=-2), Node(level=1, high=-1, low=2), Node(level=2, high=-1, low=-2)]
    """
    edges = _edges(weights, lower, upper) if sum(weights) < 2**61 else None
    return None if edges is None else _ordered(*_nodes(edges))


def _edges(weights: Sequence[int], lower: int, upper: int) -> list[Indices] | None:
    """Return where the edges of the places of each level lead, first those of true inputs.

    That is a terminal, or the number of a place on the next level; only places that are no
    terminals have edges, and numbers, by what is left to them. The first array leads to the root.
    """
    rests = [*accumulate(reversed(weights), initial=0)][::-1]
    reached = np.array([upper])
    edges: list[Indices] = []
    for rest, weight in zip(rests, [*weights, 0], strict=True):
        always, never = reached >= rest, reached < 0
        if lower:
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
        inner = children[0] != children[1]
        new = inner.copy()
        new[1:] &= (children[:, 1:] != children[:, :-1]).any(axis=0)
        numbers = np.where(inner, new.cumsum() - 1, children[0])
        below = np.concatenate((numbers, [TRUE, FALSE]))
        found.append(children[:, new])
    return found[::-1], int(below[edges[0][0]])


def _ordered(children: Sequence[Indices], root: int) -> Diagram:
    """Return the diagram with the nodes of a level as a search meets them, true inputs first."""
    nodes: list[Indices] = []
    order, end = np.zeros(int(root >= 0), dtype=np.intp), int(root >= 0)
    for level, pairs in enumerate(children):
        here = pairs[:, order]
        met = here.T.ravel()
        met = met[met >= 0][::-1]
        first = np.zeros(met.max(initial=-1) + 1, dtype=np.intp)
        first[met] = np.arange(len(met))[::-1]  # of equal ones the last assignment counts
        order = first.argsort()
        place = np.empty(len(order) + 2, dtype=np.intp)
        place[order] = np.arange(end, end + len(order))
        place[-2:] = TRUE, FALSE
        end += len(order)
        nodes.append(np.vstack((np.full(here.shape[1], level), place[here])))
    levels, highs, lows = np.hstack([np.empty((3, 0), dtype=np.intp), *nodes])
    return Diagram(levels, highs, lows, root)
