"""Reduced ordered decision diagrams of weighted sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from pbcnf.encoders.bounds import MirroredBounds
from pbcnf.encoders.cardinality.knuth_counter import KnuthCounter
from pbcnf.encoders.circuits.array_emission import add_rows
from pbcnf.encoders.circuits.diagrams import (
    FALSE,
    TRUE,
    Diagram,
    DiagramNode,
    decision_diagram,
    encode_equal,
    encode_path,
    forced,
)
from pbcnf.encoders.protocol import Propagation
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink


@dataclass(frozen=True, slots=True)
class DecisionDiagram(MirroredBounds):
    """Decides the inputs by decreasing weight and shares equal subdiagrams.

    Idea: a node stands for all sums so far (an interval) after which the same values of the other
    inputs meet the bounds; its two edges are the values of the next input. At least l is at most
    ``total - l`` of the negated inputs, and a clause where no single input may be missing; two
    bounds share one diagram for the range.

    Auxiliary variables: with one bound d[v] for every node v that is not reached by false inputs
    alone: "the remaining inputs stay within what v leaves to them", implied where the inputs lead
    to v. With two bounds d[v] for every node but the root and its children (those are the first
    input and its negation): "the inputs lead to v". With two bounds and different weights also
    e[v][x] for every edge that neither of its nodes stands for: "the inputs lead along it", and,
    where a choice of edges meets both bounds for good, "they are met before input i".

    Size: by the nodes of the diagram (`weighted_size`). Equal weights: at most k < n-1 takes what
    `KnuthCounter` takes, ``k(n-k)`` auxiliaries and ``2k(n-k)+n-2k`` clauses; l to u with
    A = u+1, B = n-l+1, D = u-l+1 takes N-3 auxiliaries, where N = AB-D^2, 5N-A-B-2D-7 clauses
    and 15N-7A-7B-2D-11 literals.

    Propagation: arc-consistent, also for two bounds together (deciding subset sums on the way).
    Parsimonious with two bounds, not with one.

    Reference: Een, Sorensson: Translating pseudo-Boolean constraints into SAT, JSAT 2006. Abio,
    Nieuwenhuis, Oliveras, Rodriguez-Carbonell, Mayer-Eichberger: A new look at BDDs for
    pseudo-Boolean constraints, JAIR 2012 (intervals; two clauses per node for one bound). The
    clauses for two bounds are those of a path in a diagram, as in Abio, Gange, Mayer-Eichberger,
    Stuckey: On CNF encodings of decision diagrams, CPAIOR 2016.

    >>> from pbcnf import Formula, dimacs
    >>> f = Formula(num_vars=3)
    >>> DecisionDiagram().encode_weighted([1, 2, 3], [3, 2, 2], 0, 4, f)
    >>> print(dimacs(f), end="")
    p cnf 5 4
    -4 -2 0
    -5 -3 0
    -1 4 0
    -4 5 0
    """

    name: ClassVar[str] = "decision_diagram"
    propagation: ClassVar[Propagation] = Propagation.ARC_CONSISTENT
    weighted_propagation: ClassVar[Propagation] = Propagation.ARC_CONSISTENT
    weighted_range_propagation: ClassVar[Propagation] = Propagation.ARC_CONSISTENT

    def sum_size(self, weights: Sequence[int], lower: int, upper: int) -> EncodingSize:
        """Return the exact size, from the nodes alone."""
        if weights[0] == weights[-1]:
            return _equal_size(len(weights), -(-lower // weights[0]), upper // weights[0])
        diagram = decision_diagram(weights, lower, upper)
        return _range_size(diagram) if lower else _at_most_size(diagram)

    def encode_sum(
        self, lits: Sequence[Lit], weights: Sequence[int], lower: int, upper: int, sink: ClauseSink
    ) -> None:
        """Emit the clauses for decreasing weights."""
        if weights[0] != weights[-1]:
            diagram = decision_diagram(weights, lower, upper)
            (encode_path if lower else _at_most)(lits, diagram, sink)
            return
        least, most = -(-lower // weights[0]), upper // weights[0]
        if not least:
            # The clauses of this diagram, node by node, but without building it.
            KnuthCounter().encode(lits, 0, most, sink)
        elif least > most:
            sink.add_clause([])
        else:
            encode_equal(lits, least, most, sink)


def _free(diagram: Diagram) -> npt.NDArray[np.bool_]:
    """Return the mask of nodes that false inputs do not lead to from the root."""
    free, node = np.ones(len(diagram.levels), dtype=np.bool_), diagram.root
    while node >= 0:
        free[node] = False
        node = int(diagram.lows[node])
    return free


def _at_most(lits: Sequence[Lit], diagram: Diagram, sink: ClauseSink) -> None:
    """Emit that a node goes on to its low child, and with a true input to its high child."""
    level, high, low, free = diagram.levels, diagram.highs, diagram.lows, _free(diagram)
    if not len(level):
        return
    inner = int(free.sum())
    var = np.zeros(len(level), np.int32)
    var[free] = sink.new_vars(inner) + np.arange(inner)
    x = -np.array(lits, np.int32)[level]
    # Four shapes of the clause "node and true input imply the high child": nodes that false inputs
    # lead to hold in any case and have no variable, and a FALSE child has no literal.
    for has_own, without in ((True, -var), (False, None)):
        for goes_on, to in ((True, var[high]), (False, None)):
            columns = [column for column in (without, x, to) if column is not None]
            where = (free == has_own) & ((high >= 0) == goes_on)
            add_rows(sink, *columns, where=where)
    add_rows(sink, -var, var[low], where=free & (low >= 0) & free[low])


def _at_most_size(diagram: Diagram) -> EncodingSize:
    count, free = len(diagram.levels), _free(diagram)
    own = int(free.sum())
    both = int((free & (diagram.lows >= 0) & free[diagram.lows]).sum()) if count > 1 else 0
    inner = int((diagram.highs >= 0).sum())
    return EncodingSize(own, count + both, count + own + inner + 2 * both)


def _children(node: DiagramNode) -> list[tuple[int, int]]:
    """Return the edges that can still meet the bounds: (1 or -1 for the input's value, child)."""
    return [(s, c) for s, c in ((1, node.high), (-1, node.low)) if c != FALSE]


def _range_size(diagram: Diagram) -> EncodingSize:
    """Return the size of a range if the weights differ."""
    units, start = forced(diagram)
    if start < 0:
        return EncodingSize(0, len(units) + (start == FALSE), len(units))
    ends = diagram.nodes[start][1:]
    arriving = Counter(child for node in diagram.nodes for _, child in _children(node))
    inner = range(start + 1, len(diagram.nodes))
    # As in `encode_path`: a fork has a literal of its own, which is also the literal of an edge
    # into the fork if this is the only one (`alone`); any other node shares the literal of its only
    # edge out.
    forks = {at for at in inner if at in ends or len(_children(diagram.nodes[at])) == 2}
    children = {child for at in forks for _, child in _children(diagram.nodes[at])}
    alone = {child for child in children if child >= 0 and arriving[child] == 1}
    joins = [arriving[at] for at in inner if at not in ends and at not in alone]
    variables = sum(at not in ends for at in inner)
    clauses, literals = len(units) + len(joins), len(units) + len(joins) + sum(joins)
    done, met = 0, int(TRUE in ends)
    for _, level in groupby(inner, key=lambda at: diagram.nodes[at].level):
        # Several literals say "the bounds are met before this level": they get one variable.
        if done + met > 1:
            variables += 1
            clauses += done + met + 1
            literals += 3 * (done + met) + 1
        done, met = min(done + met, 1), 0
        # Two clauses for the input of the level: each value needs an edge, or bounds met before.
        clauses += 2
        literals += 2 + 2 * done
        for at in level:
            edges = _children(diagram.nodes[at])
            if at in forks:
                clauses += 1
                literals += 1 + len(edges)
            for _, child in edges:
                binary = 1 + (at in forks) + (child >= 0 and child not in alone)
                variables += at in forks and child not in alone
                clauses += binary
                literals += 2 * binary + 1
                met += child == TRUE
    return EncodingSize(variables, clauses, literals)


def _equal_size(n: int, lower: int, upper: int) -> EncodingSize:
    """Return the size if every weight is 1, see the class."""
    if lower == 0:
        return KnuthCounter().size(n, lower, upper)
    if lower > upper:
        return EncodingSize(0, 1, 0)
    a, b, d = upper + 1, n - lower + 1, upper - lower + 1
    # All nodes but the root and its two children have a variable.
    nodes = a * b - d * d
    return EncodingSize(
        nodes - 3,
        5 * nodes - a - b - 2 * d - 7,
        15 * nodes - 7 * a - 7 * b - 2 * d - 11,
    )
