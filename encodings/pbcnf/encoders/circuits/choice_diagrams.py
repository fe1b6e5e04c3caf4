"""Diagrams of sums over groups: a node has an edge for every value of a group.

The places of a level are the remainders of the bound that the groups before leave. What a larger
remainder allows includes what a smaller one allows, so that equal functions have neighbouring
places, and a node is new where the children of its place differ from those of the place before.

Reference: Bofill, Coll, Suy, Villaret: Compact MDDs for pseudo-Boolean constraints with at-most-one
relations in resource-constrained scheduling problems, IJCAI 2017; Abio, Nieuwenhuis, Oliveras,
Rodriguez-Carbonell, Mayer-Eichberger: A new look at BDDs for pseudo-Boolean constraints, JAIR 2012.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pbcnf.encoders.circuits.array_emission import Indices
from pbcnf.encoders.circuits.diagrams import FALSE, TRUE
from pbcnf.encoders.circuits.grouped_sums import GroupedSum, chained_leaf, loose_leaf, values_of
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink


@dataclass(frozen=True, eq=False)
class ChoiceDiagram:
    """The nodes of each level, numbered through, and the root: a node or a terminal.

    ``children[level][i]`` are the children of node ``first[level] + i``, one for each value of the
    level, the least first.
    """

    children: list[Indices]
    first: list[int]
    root: int


def choice_diagram(values: Sequence[Sequence[int]], upper: int) -> ChoiceDiagram:
    """Return the diagram of "one value of each level, together at most `upper`".

    The values of a level increase from 0.

    >>> found = choice_diagram([[0, 2, 3], [0, 1]], 3)
    >>> found.root, [level.tolist() for level in found.children]
    (0, [[-2, -2, 1], [-2, -1]])
    """
    rests = [0]
    for level in reversed(values):
        rests.insert(0, rests[0] + level[-1])
    exact = np.int64 if max(rests[0], upper) < 2**62 else object
    # Downwards: the remainders reached on each level, and where their edges lead.
    reached, ends = np.array([upper], dtype=exact), list[Indices]()
    for rest, level in zip(rests, [*values, [0]], strict=True):
        places = np.unique(reached[(reached >= 0) & (reached < rest)])
        targets = places.searchsorted(reached)
        targets[reached < 0], targets[reached >= rest] = FALSE, TRUE
        ends.append(targets)
        reached = (places[:, None] - np.array(level, dtype=exact)).ravel()
    # Upwards: places whose children are equal have the node of these, others are new where they
    # differ from their neighbour.
    below = np.array([TRUE, FALSE])
    children = list[Indices]()
    for targets, level in zip(ends[:0:-1], reversed(values), strict=True):
        # Numbers of nodes on lower levels are negative for now: the last node is -3.
        rows = below[targets].reshape(-1, len(level))
        inner = (rows != rows[:, :1]).any(axis=1)
        new = inner.copy()
        new[1:] &= (rows[1:] != rows[:-1]).any(axis=1)
        start = -3 - sum(map(len, children))
        numbers = np.where(inner, start - new.cumsum() + 1, rows[:, 0])
        below = np.concatenate((numbers, [TRUE, FALSE]))
        children.append(rows[new])
    total = sum(map(len, children))
    found, first = list[Indices](), list[int]()
    # Node -3 - i becomes number total - 1 - i; within a level the order is reversed.
    for rows in reversed(children):
        first.append(sum(map(len, found)))
        found.append(np.where(rows <= -3, total + 2 + rows, rows)[::-1])
    root = int(below[ends[0][0]])
    return ChoiceDiagram(found, first, total + 2 + root if root <= -3 else root)


def encode_choices(of: GroupedSum, sink: ClauseSink) -> None:
    """Emit an upper bound as a diagram: a node and the literal of a value imply the child.

    A node always implies the child of the least value.
    """
    upper = of.upper
    parts: list[tuple[dict[Lit, int], int | None] | list[tuple[Lit, int]]] = [
        *of.chains,
        *of.at_most_one,
    ]
    levels = []
    for part in parts:
        if isinstance(part, tuple):
            values = values_of(*part)
            upper -= values[0]
            found = [value - values[0] for value in values]
        else:
            found = [0]
            for _, weight in part:
                found.append(found[-1] + weight)
        levels.append(found)
    order = sorted(range(len(parts)), key=lambda i: -levels[i][-1])
    if upper < 0:
        sink.add_clause([])
        return
    diagram = choice_diagram([levels[i] for i in order], upper)
    # Nodes to which the least values lead from the root hold always, and have no variable.
    total = sum(map(len, diagram.children))
    node, free = diagram.root, np.ones(total + 2, dtype=np.bool_)
    free[-2:] = False
    for first, rows in zip(diagram.first, diagram.children, strict=True):
        if first <= node < first + len(rows):
            free[node] = False
            node = int(rows[node - first, 0])
    var = np.zeros(total + 2, dtype=np.int64)
    inner = int(free.sum())
    var[free] = sink.new_vars(inner) + np.arange(inner)
    for place, first, rows in zip(order, diagram.first, diagram.children, strict=True):
        part = parts[place]
        # Columns with an edge of their own: a value whose child is that of the least one, or of
        # the one before where literals imply each other, says nothing more.
        differ = rows[:, 1:] != rows[:, :1]
        steps = rows[:, 1:] != rows[:, :-1]
        if isinstance(part, list):
            lits, own = [lit for lit, _ in part], steps
        else:
            # A chain of "at least" takes some clauses, once, and spares equal neighbours.
            repeated = int(differ.sum()) - int(steps.sum())
            if repeated > 3 * len(part[0]):
                _, leaf = chained_leaf(*part, False, sink)
                lits, own = list(leaf.outputs), steps
            else:
                _, loose = loose_leaf(*part, sink)
                lits, own = [lit for lit, _ in loose], differ
        for at, row in enumerate(rows.tolist(), start=first):
            here = [-int(var[at])] if free[at] else []
            low = row[0]
            if here and low >= 0 and free[low]:
                sink.add_clause([*here, int(var[low])])
            for j in np.flatnonzero(own[at - first]).tolist():
                child = row[j + 1]
                if child != TRUE and (child == FALSE or free[child]):
                    to = [int(var[child])] if child >= 0 else []
                    sink.add_clause([*here, -lits[j], *to])
