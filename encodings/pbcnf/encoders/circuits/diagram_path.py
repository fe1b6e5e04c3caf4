"""Two bounds by the diagram of a weighted sum: clauses of a path in the diagram, by arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pbcnf.encoders.circuits.array_emission import Indices, add_by_width, add_rows
from pbcnf.encoders.circuits.comparators import Mask
from pbcnf.encoders.circuits.diagrams import FALSE, TRUE, Diagram
from pbcnf.literals import Block, Lit
from pbcnf.sink import ClauseSink


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
    """Emit that a path leads along edges only, and each input takes the value of such an edge.

    The literal of a node says that the path leads to it: for the children of the first node that is
    left these are its input and the negation, for the others variables. An edge that neither of its
    nodes stands for has a variable, too; and where several edges meet both bounds for good, each
    later level has one that says that they are met before.
    """
    units, start = forced(diagram)
    for level, sign in units:
        sink.add_clause([sign * lits[level]])
    if start == FALSE:
        sink.add_clause([])
    if start >= 0:
        _encode_below(np.array(lits, dtype=np.int32), diagram, start, sink)


class _DiagramPath:
    """The nodes behind the first one left, numbered from 0 on, as their levels are; their edges.

    Edges are in the order of their nodes, that of a true input (side 0) first.
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
        """Nodes that stand for no edge: those with two, and the children of the first node."""
        arriving = np.bincount(to[self.inner], minlength=count)
        # Led to by this edge alone, a node is on the path iff the edge is: one variable for both.
        self.is_child = self.fork[self.nodes] & self.inner & (arriving[self.to] == 1)
        """Edges that the node at their end stands for."""

    def met_before(self) -> Indices:
        """Return the level before which each edge that meets the bounds does so."""
        at_once = np.zeros(np.count_nonzero(self.ends == TRUE), dtype=np.intp)
        return np.concatenate((at_once, self.levels[self.meets] + 1))


def _encode_below(lits: Block, diagram: Diagram, start: int, sink: ClauseSink) -> None:
    """Emit the nodes, then for each input that its value is the value of an edge on the path."""
    path, level = _DiagramPath(diagram, start), int(diagram.levels[start])
    first = lits[level] * np.array([1, -1], dtype=np.int32)
    var = np.zeros(len(path.is_end), dtype=np.int32)
    free = len(var) - int(path.is_end.sum())
    var[~path.is_end] = sink.new_vars(free) + np.arange(free)
    var[path.ends[path.ends >= 0]] = first[path.ends >= 0]

    # A level takes a variable if it needs one, then those of its edges.
    levels, met_before = int(path.levels[-1]) + 1, path.met_before()
    just = np.bincount(met_before, minlength=levels)[:levels]
    any_of = just + (just.cumsum() > just) > 1
    own = path.fork[path.nodes] & ~path.is_child
    numbers = any_of.cumsum()[path.levels] + own.cumsum() - own
    there = sink.new_vars(int(own.sum() + any_of.sum()))
    edge = np.where(path.is_child, var[path.to], var[path.nodes])
    edge[own] = (there + numbers)[own]
    any_var = there + numbers[np.searchsorted(path.levels, np.arange(levels))] - 1
    met = np.concatenate((first[path.ends == TRUE], edge[path.meets]))

    done = _done(met, met_before, any_of, any_var, sink)
    _emit_nodes(path, var, edge, sink)
    x = lits[level + 1 :][path.levels] * np.where(path.sides, -1, 1)
    add_rows(sink, -edge, x)
    inputs = lits[level + 1 : level + 1 + levels]
    known = np.repeat(np.flatnonzero(done), 2)
    groups = 2 * known
    groups[1::2] += 1
    _add(
        sink,
        np.stack((-inputs, inputs), axis=1).ravel(),
        np.concatenate((2 * path.levels + path.sides, groups)),
        np.concatenate((edge, done[known])),
    )


def _done(met: Block, before: Indices, any_of: Mask, any_var: Indices, sink: ClauseSink) -> Block:
    """Emit variables of "the bounds were met before this level"; return them, 0 for none."""
    places = np.searchsorted(before, np.arange(len(any_of) + 1)).tolist()
    done = np.zeros(len(any_of) + 1, dtype=np.int32)  # the last one stands before the first
    for level, several in enumerate(any_of.tolist()):
        either = np.append(done[level - 1], met[places[level] : places[level + 1]])
        either = either[either != 0]
        if several:
            done[level] = any_var[level]
            add_rows(sink, -either, np.full_like(either, done[level]))
            sink.add_clause([-int(done[level]), *either.tolist()])
        elif len(either):
            done[level] = either[0]
    return done[:-1]


def _emit_nodes(path: _DiagramPath, var: Block, edge: Block, sink: ClauseSink) -> None:
    """Emit that edges start and end at their nodes, and nodes have one on either side."""
    forked = path.fork[path.nodes]
    add_rows(sink, -edge, var[path.nodes], where=forked)
    add_rows(sink, -edge, var[path.to], where=path.inner & ~path.is_child)
    _add(sink, -var[path.fork], _numbers(path.fork)[path.nodes[forked]], edge[forked])
    led_to = ~path.is_end
    led_to[path.to[path.is_child]] = False
    into = path.inner & led_to[path.to]
    _add(sink, -var[led_to], _numbers(led_to)[path.to[into]], edge[into])


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
