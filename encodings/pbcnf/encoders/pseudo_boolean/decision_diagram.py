"""Reduced ordered decision diagrams of weighted sums."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt

from pbcnf.encoders.bounds import MirroredBounds
from pbcnf.encoders.cardinality.knuth_counter import KnuthCounter
from pbcnf.encoders.circuits.array_emission import add_rows
from pbcnf.encoders.circuits.choice_diagrams import encode_choices
from pbcnf.encoders.circuits.diagrams import (
    Diagram,
    decision_diagram,
    encode_equal,
    encode_path,
    path_size,
)
from pbcnf.encoders.circuits.grouped_sums import GroupedSum
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

    Groups: a node decides a whole group, with an edge for each value (`encode_groups`); d[v] is as
    with one bound, each bound has a diagram. Arc-consistent for one bound, given the groups.

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
    grouped_propagation: ClassVar[Propagation] = Propagation.ARC_CONSISTENT

    def sum_sizes(self, weights: Sequence[int], lower: int, upper: int) -> tuple[EncodingSize]:
        """Return the exact size, from the nodes alone."""
        if weights[0] == weights[-1]:
            return (_equal_size(len(weights), -(-lower // weights[0]), upper // weights[0]),)
        diagram = _diagram(weights, lower, upper)
        return (path_size(diagram) if lower else _at_most_size(diagram),)

    def encode_sum(
        self, lits: Sequence[Lit], weights: Sequence[int], lower: int, upper: int, sink: ClauseSink
    ) -> None:
        """Emit the clauses for decreasing weights."""
        if weights[0] != weights[-1]:
            diagram = _diagram(weights, lower, upper)
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

    def grouped_steps(self, of: GroupedSum) -> int:
        """Return about how many clauses `encode_groups` emits at the most."""
        return of.edges() // 8

    def encode_groups(self, of: GroupedSum, sink: ClauseSink) -> None:
        """Emit the clauses of a sum over groups, which other clauses must enforce."""
        for bound in of.one_sided():
            encode_choices(bound, sink)


_MOST_KEPT: Final = 2**18
"""The most inputs times the bound of a sum whose diagram is kept."""

_kept = lru_cache(maxsize=1)(decision_diagram)


def _diagram(weights: Sequence[int], lower: int, upper: int) -> Diagram:
    """Return the diagram; the last one is kept, as its size is asked for before its clauses."""
    find = _kept if len(weights) * upper <= _MOST_KEPT else decision_diagram
    return find(tuple(weights), lower, upper)


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
