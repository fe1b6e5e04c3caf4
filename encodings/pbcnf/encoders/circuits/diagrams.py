"""Reduced ordered decision diagrams of weighted sums, and how they are built.

A *place* is a level and a remainder: the upper bound minus the weight of the true inputs before the
level. The places of a node have an interval of remainders. `interval_diagram` finds the node of one
place after the other, `layered_diagram` treats all places of a level at once, `equal_diagram`
computes the diagram of equal weights without a search. `encode_path` and `encode_equal` emit two
bounds as a path in a diagram.

Reference: Abio, Nieuwenhuis, Oliveras, Rodriguez-Carbonell, Mayer-Eichberger: A new look at BDDs
for pseudo-Boolean constraints, JAIR 2012, for an upper bound by intervals.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Final, NamedTuple

import numpy as np

from pbcnf.encoders.circuits.array_emission import Indices, add_by_width, add_rows, staircase
from pbcnf.encoders.circuits.networks import Mask
from pbcnf.formula import EncodingSize
from pbcnf.literals import Block, Lit, Var
from pbcnf.sink import ClauseSink

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

    With decreasing weights no edge skips a level, unless the edge leads to a terminal: the sums of
    the later inputs lie no further apart than the weight of a level that would be skipped.
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


def interval_diagram(weights: Sequence[int], lower: int, upper: int) -> Diagram:
    """Return the diagram of ``lower <= sum <= upper`` for decreasing weights.

    The remainders of the places of a node form an interval, which is known once the children are
    known; so no node is built twice. No recursion: a diagram is as deep as the sum has inputs.

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

    # The interval around the remainder `left` and its node; None if not known yet.
    def find(level: int, left: int) -> tuple[int, int, int] | None:
        # In order: the upper bound is exceeded; the lower one out of reach; any values meet both.
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

    # A stack of places without a node yet, each with the interval of its high child once known.
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
        # A remainder has these children, hence this node, exactly if it is in the intervals of
        # both.
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
    """Return the diagram with its nodes sorted by level, then by the start of their intervals."""
    order = sorted(range(len(nodes)), key=lambda node: (nodes[node][0], first[node]))
    place = [0] * len(nodes) + [TRUE, FALSE]  # from the end: FALSE is -1, TRUE is -2
    for at, node in enumerate(order):
        place[node] = at
    columns = np.array([nodes[node] for node in order], dtype=np.intp).reshape(-1, 3).T
    targets = np.array(place, dtype=np.intp)
    return Diagram(columns[0], targets[columns[1]], targets[columns[2]], place[root])


_CHUNK: Final = 2**12
"""The number of nodes treated at a time: arrays of this length stay in processor caches."""


def equal_diagram(n: int, lower: int, upper: int) -> Diagram:
    """Return the diagram of ``lower <= sum <= upper`` of n literals, for 0 < lower <= upper < n.

    >>> [tuple(node) for node in equal_diagram(2, 1, 1).nodes]  # level, high, low
    [(0, 1, 2), (1, -1, -2), (1, -2, -1)]
    """
    level, width = np.arange(n + 1), upper - lower
    inputs = n - level
    first, end = np.maximum(upper - level, 0), np.minimum(upper, width + inputs) + 1
    # Remainders from `met` to `unmet` - 1 meet both bounds whatever the later inputs are: no nodes.
    met = np.clip(inputs, first, end)
    unmet = np.clip(width + 1, met, end)
    starts = np.stack((first, unmet), axis=1)
    stops = np.stack((met, end), axis=1)
    counts = stops - starts
    shifts = counts.cumsum().reshape(-1, 2) - stops  # remainder + shift = number of the node
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

    The literal of a node states that the path leads to the node; those of the children of the root
    are the first input and its negation. No edge needs a variable: with equal weights a bound that
    decides an input decides all later inputs alike, one node after the other.
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
    # `x` holds for each node the input of the level before, whose value led to the node, and the
    # input of its own level. The two rounds of `zip` below are the clauses upwards (some parent)
    # and downwards (the child for the value of the input).
    for start in range(1, count, _CHUNK):
        nodes = np.arange(start, min(start + _CHUNK, count))
        x = lits[diagram.levels[nodes] - np.array([[1], [0]])]
        neighbours = np.array((parents[:, nodes], children[:, nodes]))
        here, end = -var[nodes], np.zeros_like(nodes)
        columns, where = [], []
        for literal, pair, asked in zip(x, neighbours, (nodes > 2, nodes > 0), strict=True):
            for lit, this, other in ((literal, *pair), (-literal, *pair[::-1])):
                present = asked & (this != TRUE)
                columns.append((here, -lit, var[this], end))
                needed = (this == FALSE) | (other != FALSE)
                where.append((present, present & needed, present & (this >= 0), present))
        high, low = children[:, nodes]
        columns.append((here, var[high], var[low], end))
        where.append(((high >= 0) & (low >= 0),) * 4)
        chosen: Block = np.array(columns, dtype=np.int32).transpose(2, 0, 1)[
            np.array(where).transpose(2, 0, 1)
        ]
        yield chosen


_MOST_PLACES: Final = 2**18
"""The most places of a level that `layered_diagram` treats: few of more may be nodes."""

_DENSE: Final = 16
"""The most numbers up to the bound per place for which a table is faster than sorting."""

_FEW_INPUTS: Final = 12
"""The most inputs for which nodes are found faster one by one than by levels."""


def decision_diagram(weights: Sequence[int], lower: int, upper: int) -> Diagram:
    """Return the diagram of ``lower <= sum <= upper`` for decreasing weights, in either way."""
    shape = weights, lower, upper
    layered = None if len(weights) <= _FEW_INPUTS else layered_diagram(*shape)
    return interval_diagram(*shape) if layered is None else layered


def layered_diagram(weights: Sequence[int], lower: int, upper: int) -> Diagram | None:
    """Return the diagram of ``lower <= sum <= upper`` for decreasing weights.

    None if the weights sum to 2^61 or more, or a level has more than `_MOST_PLACES` places.

    >>> found = layered_diagram([3, 2, 2], 0, 4)
    >>> [tuple(node) for node in found.nodes]  # level, high, low
    [(0, 1, -2), (1, -1, 2), (2, -1, -2)]
    """
    edges = _edges(weights, lower, upper) if sum(weights) < 2**61 else None
    return None if edges is None else _numbered(*_nodes(edges))


def _edges(weights: Sequence[int], lower: int, upper: int) -> list[Indices] | None:
    """Return the targets of the edges of each level's places, edges of true inputs first.

    A target is a terminal, or the number of a place on the next level. Only places that are no
    terminals have edges and numbers; they are numbered by increasing remainder. The first array
    leads to the root.
    """
    rests = [*accumulate(reversed(weights), initial=0)][::-1]
    reached = np.array([upper])
    edges: list[Indices] = []
    for rest, weight in zip(rests, [*weights, 0], strict=True):
        # The remainder suffices for all later inputs, or the upper bound is exceeded.
        always, never = reached >= rest, reached < 0
        if lower:
            # The true inputs so far weigh upper - reached: the lower bound is met, or out of reach.
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
        # With equal children the input does not matter: the place has the node of the children.
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


def forced(diagram: Diagram) -> tuple[list[tuple[int, int]], int]:
    """Return the inputs (level, sign) that the root decides, and the first node that is left."""
    found, node = list[tuple[int, int]](), diagram.root
    while node >= 0:
        high, low = int(diagram.highs[node]), int(diagram.lows[node])
        if FALSE not in (high, low):
            break
        found.append((int(diagram.levels[node]), 1 if low == FALSE else -1))
        node = high if low == FALSE else low
    return found, node


def encode_path(lits: Sequence[Lit], diagram: Diagram, sink: ClauseSink) -> None:
    """Emit that a path leads along edges, and that each input has the value of its edge.

    The literal of a node says that the path leads to the node: for the two children of the first
    node that the bounds do not decide, the input of this node and its negation; for all other
    nodes, a variable. An edge that neither of its nodes stands for has a variable, too. Where
    several edges meet both bounds for good, each later level has a variable "the bounds are met
    before".
    """
    units, start = forced(diagram)
    for level, sign in units:
        sink.add_clause([sign * lits[level]])
    if start == FALSE:
        sink.add_clause([])
    if start >= 0:
        _encode_below(np.array(lits, dtype=np.int32), diagram, start, sink)


def path_size(diagram: Diagram) -> EncodingSize:
    """Return the exact size of what `encode_path` emits."""
    units, start = forced(diagram)
    if start < 0:
        return EncodingSize(0, len(units) + (start == FALSE), len(units))
    path, count = DiagramPath(diagram, start), np.count_nonzero
    levels, edges = len(path.met), len(path.nodes)
    known, either = count(path.met + path.met_already), (path.met + path.met_already)[path.several]
    # Of two literals: an edge and its input, or the node at either end, or what it says is met.
    pairs = edges + count(path.starts) + count(path.inner & ~path.is_child) + either.sum()
    # Longer clauses: of nodes whence edges start, and where they arrive, of inputs, of levels.
    heads = count(path.fork) + count(path.led_to) + 2 * levels + len(either)
    others = count(path.starts) + count(path.arrives) + edges + 2 * known + either.sum()
    literals = len(units) + 2 * pairs + heads + others
    return EncodingSize(path.variables, int(len(units) + pairs + heads), int(literals))


class DiagramPath:
    """The nodes after the node `start` and their levels, both numbered from 0 on, and their edges.

    Edges are in the order of their nodes, the edge of a true input (side 0) first.
    """

    def __init__(self, diagram: Diagram, start: int) -> None:
        children = np.stack((diagram.highs, diagram.lows), axis=1)[start:]
        children[children >= 0] -= start + 1
        count = len(children) - 1
        self.nodes, self.sides = np.nonzero(children[1:] != FALSE)
        ends, to = children[0], children[1:][self.nodes, self.sides]
        self.ends = ends
        self.is_end = np.zeros(count, dtype=np.bool_)
        self.is_end[ends[ends >= 0]] = True
        self.levels = (diagram.levels[start + 1 :] - diagram.levels[start] - 1)[self.nodes]
        self.meets = to == TRUE
        self.inner = to >= 0
        self.to = np.where(self.inner, to, 0)
        self.fork = self.is_end | (np.bincount(self.nodes, minlength=count) == 2)
        """Nodes with a literal apart from their edges: with two edges, or children of `start`."""
        self.starts = self.fork[self.nodes]
        """Edges from such nodes."""
        arriving = np.bincount(to[self.inner], minlength=count)
        # Led to by this edge alone, a node is on the path iff the edge is: one variable for both.
        self.is_child = self.starts & self.inner & (arriving[self.to] == 1)
        """Edges that share the literal of the node at their end."""
        self.is_own = self.starts & ~self.is_child
        """Edges with a variable of their own."""
        self.led_to = ~self.is_end
        """Nodes that need one of several edges to them."""
        self.led_to[self.to[self.is_child]] = False
        self.arrives = self.inner & self.led_to[self.to]
        """Edges to such nodes."""
        at_once = np.zeros(np.count_nonzero(ends == TRUE), dtype=np.intp)
        self.met_before = np.concatenate((at_once, self.levels[self.meets] + 1))
        """For each edge to TRUE the first level before which the bounds are met."""
        levels = int(self.levels[-1]) + 1
        self.met = np.bincount(self.met_before, minlength=levels)[:levels]
        """For each level the number of these edges."""
        self.met_already = self.met.cumsum() > self.met
        """Levels before which the bounds can be met by earlier edges."""
        self.several = self.met + self.met_already > 1
        """Levels with a variable "the bounds are met before", for the disjunction of several."""

    @property
    def variables(self) -> int:
        """The number of variables of nodes, edges and levels."""
        nodes = np.count_nonzero(~self.is_end)
        return int(nodes + np.count_nonzero(self.is_own) + np.count_nonzero(self.several))

    def literals(self, own: Lit, first: Var) -> tuple[Block, Block, list[tuple[Lit, list[Lit]]]]:
        """Return the literals of nodes, of edges, and for each level of "met before".

        The last, 0 where the bounds cannot be met before the level, with the literals of which it
        is the disjunction. `own` is the input at `start`. Variables are numbered from `first` on:
        those of nodes, and then level by level the one of "met before" and those of edges.
        """
        ends = own * np.array([1, -1], dtype=np.int32)
        var = np.zeros(len(self.is_end), dtype=np.int32)
        there = first + np.count_nonzero(~self.is_end)
        var[~self.is_end] = np.arange(first, there)
        var[self.ends[self.ends >= 0]] = ends[self.ends >= 0]
        numbers = there + self.several.cumsum()[self.levels] + self.is_own.cumsum() - self.is_own
        edge = np.where(self.is_child, var[self.to], var[self.nodes])
        edge[self.is_own] = numbers[self.is_own]
        levels = np.arange(len(self.several) + 1)
        any_var = (numbers[self.levels.searchsorted(levels[:-1])] - 1).tolist()
        met = np.concatenate((ends[self.ends == TRUE], edge[self.meets])).tolist()
        places, last = self.met_before.searchsorted(levels).tolist(), 0
        done: list[tuple[Lit, list[Lit]]] = []
        for level, several in enumerate(self.several.tolist()):
            either = ([last] if last else []) + met[places[level] : places[level + 1]]
            last = any_var[level] if several else either[0] if either else 0
            done.append((last, either))
        return var, edge, done


def _encode_below(lits: Block, diagram: Diagram, start: int, sink: ClauseSink) -> None:
    """Emit the nodes, then for each input that its value is the value of an edge on the path."""
    path, level = DiagramPath(diagram, start), int(diagram.levels[start])
    var, edge, done = path.literals(int(lits[level]), sink.new_vars(path.variables))
    for lit, either in done:
        if len(either) > 1:
            columns = np.array([(-one, lit) for one in either], dtype=np.int32).T
            add_rows(sink, *columns)
            sink.add_clause([-lit, *either])
    _emit_nodes(path, var, edge, sink)
    x = lits[level + 1 :][path.levels] * np.where(path.sides, -1, 1)
    add_rows(sink, -edge, x)
    inputs = lits[level + 1 : level + 1 + len(done)]
    met = np.array([lit for lit, _ in done], dtype=np.int32)
    known = np.repeat(np.flatnonzero(met), 2)
    groups = 2 * known
    groups[1::2] += 1
    _add(
        sink,
        np.stack((-inputs, inputs), axis=1).ravel(),
        np.concatenate((2 * path.levels + path.sides, groups)),
        np.concatenate((edge, met[known])),
    )


def _emit_nodes(path: DiagramPath, var: Block, edge: Block, sink: ClauseSink) -> None:
    """Emit that edges start and end at their nodes, and nodes have one on either side."""
    fork, starts, led_to, arrives = path.fork, path.starts, path.led_to, path.arrives
    add_rows(sink, -edge, var[path.nodes], where=starts)
    add_rows(sink, -edge, var[path.to], where=path.inner & ~path.is_child)
    _add(sink, -var[fork], _numbers(fork)[path.nodes[starts]], edge[starts])
    _add(sink, -var[led_to], _numbers(led_to)[path.to[arrives]], edge[arrives])


def _numbers(chosen: Mask) -> Indices:
    """Return for each chosen place its number among the chosen places."""
    return chosen.cumsum() - 1


def _add(sink: ClauseSink, heads: Block, groups: Indices, members: Block) -> None:
    """Emit a clause for each head: itself, and the members of its group in their order."""
    sizes = np.bincount(groups, minlength=len(heads))
    starts = (sizes + 2).cumsum() - (sizes + 2)
    flat = np.zeros(len(members) + 2 * len(heads), dtype=np.int32)
    flat[starts] = heads
    order = np.argsort(groups, kind="stable")
    flat[np.arange(len(members)) + 2 * groups[order] + 1] = members[order]
    if len(flat):
        add_by_width(sink, flat)
