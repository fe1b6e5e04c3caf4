"""The multipartite encoding of at-most-one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb, isqrt
from typing import ClassVar, Final, NamedTuple

import numpy as np

from pbcnf.encoders.at_most_one.pairwise import pairwise, pairwise_size
from pbcnf.encoders.bounds import AtMostOne
from pbcnf.encoders.cardinality.knuth_counter import KnuthCounter
from pbcnf.encoders.circuits.array_emission import Indices, rows
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit, negate
from pbcnf.sink import ClauseSink

_GROUPED_UP_TO: Final = 48
"""The number of literals up to which groups are split off again and again, beyond it but once."""

_LARGEST_GROUP: Final = 6
"""The largest group that is split off."""

TRIPLES_UP_TO: Final = 5
"""The number of parts up to which at most two of them takes no auxiliary variable."""


class Plan(NamedTuple):
    """A step of encoding at most one of some literals: the shape, and the size with all inside.

    ``by``: literals in the group that is split off, columns of the rectangle, parts of the graph.
    """

    size: EncodingSize
    shape: str
    by: int = 0

    def cost(self) -> tuple[int, int]:
        """Return the numbers of clauses and auxiliary variables: less is better."""
        return self.size.clauses, self.size.variables


@dataclass(frozen=True, slots=True)
class Multipartite(AtMostOne):
    """Gives each input an edge between parts of a graph: one node a part, at most two parts.

    Idea: the inputs are edges of the complete graph between t parts, and a true input marks its two
    nodes, which lie in two parts. Of each part at most one node is marked, and a marked node makes
    its part active; at most two parts are active. Two inputs with four nodes in the same two parts
    differ in the node of one of them; else they have nodes in three parts. A part is the same
    problem again, at most one of its nodes, and has an output, "the part is active". Two parts are
    the product encoding, which is one of the shapes chosen from: at each step the one with the
    fewest clauses, by dynamic programming.

    * *pairs*: a clause per pair of literals (and one per literal that it implies the output);
    * *group*: at most one of g literals with an output, which takes their place among the others;
    * *rectangle*: a literal marks its row and its column; the output is that of the rows;
    * *parts*: as above; at most two of t parts are triples up to t = 5, else Knuth's counter, and
      all active parts but the last imply the output, as an edge has nodes in two parts.

    Nodes are numbered so that their parts take turns, and edges by their later node: each node but
    the last has all its edges, and the last has one at least.

    Auxiliary variables: of a group or a part its output, implied by each of its literals; of a
    rectangle its rows and columns, as in the product encoding; of a graph its nodes, implied by
    "an edge at the node is true"; and those of Knuth's counter.

    Size: by dynamic programming over n, see `plan`. With parts of p nodes n = C(t, 2) p^2 inputs
    take 2n + 2tp + O(t sqrt p + t) clauses, which is 2n + 2 sqrt(2n) + O(n^(1/3)) for t about
    n^(1/6), as published. For n > 6 every encoding takes 2n + sqrt(n+1) - 2 clauses at least (same
    source). At most one of 100: 243, where the product takes 258; of 10,000: 20,444 and 20,516.

    Propagation: arc-consistent. A true input marks its nodes u, w and makes their parts active; so
    all other parts become inactive, hence all nodes marked in none of them, and in these two parts
    all other nodes: of every other edge a node is excluded. Exactly one (and n-1) is parsimonious
    while there are only pairs and groups, up to 22 inputs; beyond it columns of a part are free
    where none of its nodes is marked.

    Reference: Krapivin, Przybocki, Subercaseaux: Near-optimal encodings of cardinality constraints,
    arXiv 2603.28954, 2026, for both bounds. The construction was found here from their abstract,
    which has the bounds alone, and may differ from theirs; groups, the numbering and the choice by
    dynamic programming are ours. The rectangle is the product of Chen (2010).

    >>> from pbcnf import Cardinality, Formula, encode
    >>> f = Formula(num_vars=50)
    >>> encode(Cardinality(range(1, 51), upper=1), f, encoder=Multipartite())
    >>> f.num_clauses, [clause for clause in f.clauses() if 9 in clause or -9 in clause]
    (128, [[-9, 54], [-9, 55]])
    """

    name: ClassVar[str] = "multipartite"

    def parsimonious(self, n: int, lower: int, upper: int) -> bool:
        """Whether models extend uniquely: exactly one of pairs and groups."""
        if self.size(n, lower, upper).variables == 0:
            return True
        return max(lower, 0) == min(upper, n) and _only_groups(n)

    def at_most_one(self, lits: Sequence[Lit], sink: ClauseSink) -> None:
        """Emit at most one of three literals or more."""
        _emit(lits, False, sink)

    def at_most_one_size(self, n: int) -> EncodingSize:
        """Return the size of at most one of n >= 3."""
        return plan(n).size


@lru_cache(maxsize=4096)
def plan(n: int, output: bool = False, grouped: bool = True) -> Plan:
    """Return how at most one of `n` >= 1 literals takes the fewest clauses.

    Args:
        n: the number of literals.
        output: whether each literal implies an output; that of a single literal is this literal.
        grouped: whether a group may be split off.
    """
    if n == 1:
        return Plan(EncodingSize(0, 0, 0), "pairs")
    best = Plan(pairwise_size(n) + EncodingSize(1, n, 2 * n) * output, "pairs")
    for found in _larger(n, output, grouped):
        # Clauses with more than two literals are few: these of a graph's parts.
        best = min(best, found, key=Plan.cost)
    return best


def _larger(n: int, output: bool, grouped: bool) -> Iterator[Plan]:
    """Yield the plans of n >= 2 literals that are no pairs."""
    if grouped:
        again = splits_again(n)
        for group in range(2, min(_LARGEST_GROUP, n - 1) + 1):
            rest = plan(n - group + 1, output, again)
            yield Plan(plan(group, True, again).size + rest.size, "group", group)
    marked = EncodingSize(0, 2 * n, 4 * n)
    if n < 4:
        return
    side = isqrt(n)
    for columns in range(max(2, side - 4), min(side + 5, n // 2) + 1):
        lines = -(-n // columns)
        size = EncodingSize(columns + lines, 0, 0) + marked
        yield Plan(size + plan(lines, output).size + plan(columns).size, "rectangle", columns)
    # Parts take two clauses a node at least, so beyond some number they are too many.
    for parts in range(3, 3 + 2 * round(n ** (1 / 5))):
        nodes = nodes_needed(n, parts)
        if nodes >= n or nodes < parts:
            return
        short, long = divmod(nodes, parts)
        size = EncodingSize(nodes, 0, 0) + marked + _two_of_size(parts)
        size += plan(short, True).size * (parts - long) + plan(short + 1, True).size * long
        yield Plan(size + EncodingSize(1, parts - 1, 2 * parts - 2) * output, "parts", parts)


def splits_again(n: int) -> bool:
    """Whether groups of `n` literals, and what is left of them, may be split off once more."""
    return n <= _GROUPED_UP_TO


def nodes_needed(edges: int, parts: int) -> int:
    """Return the least number of nodes, in parts that take turns, with that many edges.

    >>> nodes_needed(12, 3), nodes_needed(13, 3)
    (6, 7)
    """
    nodes = isqrt(2 * edges)
    while _edges(nodes, parts) < edges:
        nodes += 1
    return nodes


def _edges(nodes: int, parts: int) -> int:
    """Return the number of pairs of nodes in different parts."""
    short, long = divmod(nodes, parts)
    return comb(nodes, 2) - long * comb(short + 1, 2) - (parts - long) * comb(short, 2)


def edge_ends(edges: int, nodes: int, parts: int) -> tuple[Indices, Indices]:
    """Return the two nodes of each of the first edges; node v is in part ``v % parts``.

    >>> [end.tolist() for end in edge_ends(6, 5, 3)]
    [[0, 0, 1, 1, 2, 0], [1, 2, 2, 3, 3, 4]]
    """
    every = np.arange(nodes)
    # A node has edges to all earlier nodes but those of its part, of which there are v // parts.
    later = np.repeat(every, every - every // parts)[:edges]
    before = every - every // parts
    rank = np.arange(edges) - (np.cumsum(before) - before)[later]
    # Of `parts` nodes in turn one is of the same part, and is skipped.
    turn, place = np.divmod(rank, parts - 1)
    earlier = turn * parts + place + (place >= later % parts)
    return earlier, later


def _two_of_size(parts: int) -> EncodingSize:
    """Return the size of at most two of `parts` >= 3 outputs."""
    if parts <= TRIPLES_UP_TO:
        return EncodingSize(0, comb(parts, 3), 3 * comb(parts, 3))
    return KnuthCounter().size(parts, 0, 2)


def _only_groups(n: int) -> bool:
    step = plan(n)
    return step.shape == "pairs" or (step.shape == "group" and _only_groups(n - step.by + 1))


def _emit(lits: Sequence[Lit], output: bool, sink: ClauseSink, grouped: bool = True) -> Lit:
    """Emit at most one of the literals; return the output, or 0 if none is asked for."""
    n = len(lits)
    step = plan(n, output, grouped)
    if step.shape == "group":
        again = splits_again(n)
        head = _emit(lits[: step.by], True, sink, again)
        return _emit([head, *lits[step.by :]], output, sink, again)
    if step.shape == "rectangle":
        return _emit_rectangle(lits, step.by, output, sink)
    if step.shape == "parts":
        return emit_parts(lits, step.by, output, sink)
    pairwise(lits, sink)
    if n == 1 or not output:
        return lits[0] if output else 0
    return _implied(lits, sink)


def _emit_rectangle(lits: Sequence[Lit], columns: int, output: bool, sink: ClauseSink) -> Lit:
    """Emit that at most one row and at most one column is marked; the inputs come row by row."""
    lines = -(-len(lits) // columns)
    u, v = sink.new_vars(lines), sink.new_vars(columns)
    x, place = np.array(lits, dtype=np.int32), np.arange(len(lits))
    sink.add_block(rows(-x, u + place // columns))
    sink.add_block(rows(-x, v + place % columns))
    found = _emit(range(u, u + lines), output, sink)
    _emit(range(v, v + columns), False, sink)
    return found


def emit_parts(lits: Sequence[Lit], parts: int, output: bool, sink: ClauseSink) -> Lit:
    """Emit at most one of n >= 4 literals as edges between 3 to n - 1 parts; see `plan`."""
    nodes = nodes_needed(len(lits), parts)
    first, x = sink.new_vars(nodes), np.array(lits, dtype=np.int32)
    for end in edge_ends(len(lits), nodes, parts):
        sink.add_block(rows(-x, first + end))
    active = [_emit(range(first + part, first + nodes, parts), True, sink) for part in range(parts)]
    if parts > TRIPLES_UP_TO:
        KnuthCounter().encode(active, 0, 2, sink)
    else:
        for some in combinations(active, 3):
            sink.add_clause(negate(some))
    return _implied(active[:-1], sink) if output else 0


def _implied(lits: Sequence[Lit], sink: ClauseSink) -> Lit:
    """Return a new variable that each of the literals implies."""
    head = sink.new_var()
    for lit in lits:
        sink.add_clause([-lit, head])
    return head
