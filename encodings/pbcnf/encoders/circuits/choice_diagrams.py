"""Diagrams of sums over groups: a node has an edge for every value of a group.

The places of a level are the remainders of the bound that the groups before leave. What a larger
remainder allows includes what a smaller one allows, so that equal functions have neighbouring
places, and a node is new where the children of its place differ from those of the place before.

Reference: Bofill, Coll, Suy, Villaret: Compact MDDs for pseudo-Boolean constraints with at-most-one
relations in resource-constrained scheduling problems, IJCAI 2017; Abio, Nieuwenhuis, Oliveras,
Rodriguez-Carbonell, Mayer-Eichberger: A new look at BDDs for pseudo-Boolean constraints, JAIR 2012.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from pbcnf.encoders.circuits.array_emission import Indices
from pbcnf.encoders.circuits.diagrams import FALSE, TRUE
from pbcnf.encoders.circuits.grouped_sums import GroupedSum, chained_leaf, loose_leaf, values_of
from pbcnf.literals import Lit, Var
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
    (0, [[[-2, -2, 1]], [[-2, -1]]])
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


Part = tuple[dict[Lit, int], int | None] | list[tuple[Lit, int]]
"""An at-most-one group or a chain of a `GroupedSum`."""


@dataclass(frozen=True, eq=False)
class GroupedDiagram:
    """The diagram of an upper bound: the parts by level, the largest first, and their values.

    The values of each level count from 0; ``upper`` is what the bound leaves above the least ones.
    """

    parts: list[Part]
    values: list[list[int]]
    upper: int
    diagram: ChoiceDiagram
    free: npt.NDArray[np.bool_]
    """The mask of nodes with a variable, by number; the last two are the terminals."""

    @staticmethod
    def of(bound: GroupedSum) -> GroupedDiagram | None:
        """Return the diagram; None if not even the least values are within the bound."""
        upper, levels = bound.upper, list[tuple[list[int], Part]]()
        for chain in bound.chains:
            levels.append(([0, *accumulate(weight for _, weight in chain)], chain))
        for part in bound.at_most_one:
            values = values_of(*part)
            upper -= values[0]
            levels.append(([value - values[0] for value in values], part))
        if upper < 0:
            return None
        levels.sort(key=lambda level: -level[0][-1])
        values_by_level = [values for values, _ in levels]
        diagram = choice_diagram(values_by_level, upper)
        # Nodes to which the least values lead from the root hold always, and have no variable.
        node, free = diagram.root, np.ones(sum(map(len, diagram.children)) + 2, dtype=np.bool_)
        free[-2:] = False
        for first, rows in zip(diagram.first, diagram.children, strict=True):
            if first <= node < first + len(rows):
                free[node] = False
                node = int(rows[node - first, 0])
        return GroupedDiagram([part for _, part in levels], values_by_level, upper, diagram, free)

    def _differ(self, level: int) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """Return by node which values have another child than the least one, and than the last."""
        rows = self.diagram.children[level]
        return rows[:, 1:] != rows[:, :1], rows[:, 1:] != rows[:, :-1]

    def is_loose(self, level: int) -> bool:
        """Whether a literal of the level says "this value" and not "at least this value"."""
        part = self.parts[level]
        if isinstance(part, list):
            return False
        # A chain of "at least" takes some clauses, once, and spares equal neighbours.
        differ, steps = self._differ(level)
        return int(differ.sum()) - int(steps.sum()) <= 3 * len(part[0])

    def literals(self, level: int, sink: ClauseSink) -> list[Lit]:
        """Emit the leaf of a level; return the literals of its values but the least."""
        part = self.parts[level]
        if isinstance(part, list):
            return [lit for lit, _ in part]
        if self.is_loose(level):
            return [lit for lit, _ in loose_leaf(*part, sink)[1]]
        return list(chained_leaf(*part, False, sink)[1].outputs)

    def clauses(self, level: int, lits: Sequence[Lit], first: Var) -> Iterator[list[Lit]]:
        """Yield the clauses of a level's nodes, whose variables are numbered from `first` on.

        A node implies the child of the least value, and with the literal of another value that
        value's child.
        """
        var = np.cumsum(self.free) + (first - 1)
        # A value whose child is that of the least one, or of the one before where literals imply
        # each other, says nothing more.
        own = self._differ(level)[0 if self.is_loose(level) else 1]
        rows, free = self.diagram.children[level], self.free
        for at, row in enumerate(rows.tolist(), start=self.diagram.first[level]):
            here = [-int(var[at])] if free[at] else []
            low = row[0]
            if here and low >= 0 and free[low]:
                yield [*here, int(var[low])]
            for j in np.flatnonzero(own[at - self.diagram.first[level]]).tolist():
                child = row[j + 1]
                if child != TRUE and (child == FALSE or free[child]):
                    to = [int(var[child])] if child >= 0 else []
                    yield [*here, -lits[j], *to]


def encode_choices(of: GroupedSum, sink: ClauseSink) -> None:
    """Emit an upper bound as a diagram, level by level."""
    found = GroupedDiagram.of(of)
    if found is None:
        sink.add_clause([])
        return
    first = sink.new_vars(int(found.free.sum()))
    for level in range(len(found.parts)):
        lits = found.literals(level, sink)
        for clause in found.clauses(level, lits, first):
            sink.add_clause(clause)
