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

from pbcnf.encoders.circuits.array_emission import Indices, add_block, rows
from pbcnf.encoders.circuits.diagrams import FALSE, TRUE
from pbcnf.encoders.circuits.grouped_sums import GroupedSum, chained_leaf, loose_leaf, values_of
from pbcnf.literals import Block, Lit, Var
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
        ways = below[targets].reshape(-1, len(level))
        inner = (ways != ways[:, :1]).any(axis=1)
        new = inner.copy()
        new[1:] &= (ways[1:] != ways[:-1]).any(axis=1)
        start = -3 - sum(map(len, children))
        numbers = np.where(inner, start - new.cumsum() + 1, ways[:, 0])
        below = np.concatenate((numbers, [TRUE, FALSE]))
        children.append(ways[new])
    total = sum(map(len, children))
    found, first = list[Indices](), list[int]()
    # Node -3 - i becomes number total - 1 - i; within a level the order is reversed.
    for ways in reversed(children):
        first.append(sum(map(len, found)))
        found.append(np.where(ways <= -3, total + 2 + ways, ways)[::-1])
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
        levels.sort(key=lambda part: -part[0][-1])
        values_by_level = [values for values, _ in levels]
        diagram = choice_diagram(values_by_level, upper)
        # Nodes to which the least values lead from the root hold always, and have no variable.
        node, free = diagram.root, np.ones(sum(map(len, diagram.children)) + 2, dtype=np.bool_)
        free[-2:] = False
        for first, level in zip(diagram.first, diagram.children, strict=True):
            if first <= node < first + len(level):
                free[node] = False
                node = int(level[node - first, 0])
        return GroupedDiagram([part for _, part in levels], values_by_level, upper, diagram, free)

    def _differ(self, level: int) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """Return by node which values have another child than the least one, and than the last."""
        found = self.diagram.children[level]
        return found[:, 1:] != found[:, :1], found[:, 1:] != found[:, :-1]

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

    def clauses(self, level: int, lits: Sequence[Lit], first: Var) -> Iterator[Block]:
        """Yield blocks of the clauses of a level's nodes, which have variables from `first` on.

        A node implies the child of the least value, and with the literal of another value that
        value's child.
        """
        found, free, start = self.diagram.children[level], self.free, self.diagram.first[level]
        var = free.cumsum() + (first - 1)
        here = np.arange(start, start + len(found))
        low = found[:, 0]
        goes_on = free[here] & (low >= 0) & free[low]
        yield rows(-var[here[goes_on]], var[low[goes_on]])
        # A value whose child is that of the least one, or of the one before where literals imply
        # each other, says nothing more.
        own = self._differ(level)[0 if self.is_loose(level) else 1]
        places, values = np.nonzero(own & (found[:, 1:] != TRUE))
        child = found[places, values + 1]
        kept = (child == FALSE) | free[child]
        node, child = here[places[kept]], child[kept]
        lit = -np.array(lits, dtype=np.int32)[values[kept]]
        # Nodes without a variable hold always; a child that is FALSE has no literal.
        for is_free in (True, False):
            for ends in (True, False):
                chosen = (free[node] == is_free) & ((child == FALSE) == ends)
                columns = [-var[node[chosen]]] if is_free else []
                columns += [lit[chosen]]
                columns += [] if ends else [var[child[chosen]]]
                yield rows(*columns)


def encode_choices(of: GroupedSum, sink: ClauseSink) -> None:
    """Emit an upper bound as a diagram, level by level."""
    found = GroupedDiagram.of(of)
    if found is None:
        sink.add_clause([])
        return
    first = sink.new_vars(int(found.free.sum()))
    for level in range(len(found.parts)):
        lits = found.literals(level, sink)
        for block in found.clauses(level, lits, first):
            add_block(sink, block)
