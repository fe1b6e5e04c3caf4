"""The totalizer, bounded on both sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import ClassVar

from pbcnf.encoders.bounds import TwoSided
from pbcnf.encoders.circuits.output_ranges import Asked, asked_below, outputs_of
from pbcnf.encoders.circuits.totalizer_tree import TotalizerTree, needs_arrays
from pbcnf.encoders.counter import Direction, UnaryCount, outputs_for
from pbcnf.encoders.protocol import Propagation
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink


@dataclass(frozen=True, slots=True)
class Totalizer(TwoSided):
    """A balanced binary tree of adders in unary.

    Idea: split the inputs into halves (the left one rounded down), count each half in unary, and
    add two unary numbers by one clause per pair of values. A bound of the whole needs only some
    outputs of each node, given how many inputs lie outside the node; others are left out, and the
    root's outputs are the constants that the bounds make them.

    Auxiliary variables: o[v][t] for every inner node v but the root: "at least t of the m inputs
    below v are true", for max(1, upper+1-(n-m)) <= t <= min(m, upper+1) with an upper bound
    alone, max(1, lower-(n-m)) <= t <= min(m, lower) with a lower bound alone (each implied in
    one direction), and max(1, lower-(n-m)) <= t <= min(m, upper+1) with both (equivalent; the
    clauses that would define the ends of that range, lower-(n-m) and upper+1, in the direction
    in which the bounds fix them anyway, are left out).

    Size: the sum over the nodes, by recurrence (`size`); O(n k) auxiliaries and O(n k) clauses
    for a small bound k, O(n^2) clauses in general.

    Propagation: arc-consistent. Parsimonious with two bounds, not with one.

    Reference: Bailleux, Boufkhad: Efficient CNF encoding of Boolean cardinality constraints, CP
    2003. Outputs capped at upper+1: Buettner, Rintanen: Satisfiability planning with constraints
    on the number of actions, ICAPS 2005; Martins, Joshi, Manquinho, Lynce: Incremental
    cardinality constraints for MaxSAT, CP 2014.

    >>> from pbcnf import Cardinality, Formula, dimacs, encode
    >>> f = Formula(num_vars=3)
    >>> encode(Cardinality([1, 2, 3], upper=1), f, encoder="totalizer")
    >>> print(dimacs(f), end="")
    p cnf 5 5
    -2 4 0
    -3 4 0
    -2 -3 5 0
    -5 0
    -1 -4 0
    """

    name: ClassVar[str] = "totalizer"
    propagation: ClassVar[Propagation] = Propagation.ARC_CONSISTENT

    def nontrivial_size(self, n: int, lower: int, upper: int) -> EncodingSize:
        """Return the exact size, see the class."""
        asked = _asked_by_bounds(n, lower, upper)
        half = n // 2
        parts = [
            _size_below(half, n - half, asked),
            _size_below(n - half, half, asked),
            _size_of_add(half, n - half, _at_root(asked), outputs=0),
        ]
        return sum(parts, EncodingSize(0, 0, 0))

    def encode(self, lits: Sequence[Lit], lower: int, upper: int, sink: ClauseSink) -> None:
        """Emit the clauses for non-trivial bounds."""
        asked = _asked_by_bounds(len(lits), lower, upper)
        tree = _tree(lits, sink)
        tree.grow_below(asked, sink)
        tree.bound_root(_at_root(asked), sink)

    def count(
        self,
        lits: Sequence[Lit],
        upto: int,
        sink: ClauseSink,
        directions: Direction = Direction.BOTH,
        downto: int = 0,
    ) -> UnaryCount:
        """Emit a counter of `lits` whose bounds are assumed later, and may rise and fall.

        Every bound from `downto` to `upto` may be requested; `extend` adds others: every node gets
        the outputs that become relevant, and the clauses for their sums. Literals may repeat and be
        opposite. Raises TypeError or ValueError for a value that is no literal, ValueError if there
        is no such bound.

        >>> from pbcnf import Formula
        >>> f = Formula(num_vars=4)
        >>> total = Totalizer().count([1, 2, 3, 4], upto=1, sink=f)
        >>> total.at_most(1), total.at_least(1), total.at_most(4), total.at_least(5)
        ([-11], [10], [], [5])
        >>> total.extend(upto=2)
        >>> total.at_most(1), total.at_most(2)
        ([-11], [-12])
        """
        return UnaryCount(lits, partial(_tree, sink=sink), sink, downto, upto, directions)

    def count_size(
        self,
        n: int,
        upto: int,
        directions: Direction = Direction.BOTH,
        downto: int = 0,
        added: Sequence[int] = (),
    ) -> EncodingSize:
        """Return the exact size of a counter of n distinct inputs, its `false` included.

        `added` are the numbers of inputs, distinct as well, that `add_inputs` adds one after the
        other.

        >>> Totalizer().count_size(8, upto=2)
        EncodingSize(variables=18, clauses=66, literals=162)
        >>> Totalizer().count_size(4, upto=2, added=[3, 1])
        EncodingSize(variables=19, clauses=68, literals=166)
        """
        total = n + sum(added)
        asked = outputs_for(total, min(downto, n), upto, directions)
        size, below = EncodingSize(1, 1, 1), 0
        for inputs in filter(None, (n, *added)):
            size += _size_below(inputs, total - inputs, asked)
            if below:
                here = asked_below(asked, below + inputs, total - below - inputs)
                size += _size_of_add(below, inputs, here, outputs=len(outputs_of(here)))
            below += inputs
        return size


def _tree(lits: Sequence[Lit], sink: ClauseSink) -> TotalizerTree:
    return TotalizerTree(lits, arrays=needs_arrays(len(lits), sink))


def _asked_by_bounds(n: int, lower: int, upper: int) -> Asked:
    # Upper bounds need outputs implied by the inputs (rising), lower bounds outputs that imply
    # counts (falling). With both bounds rising starts at lower+1, not only at upper+1, and falling
    # ends at upper, not only at lower: then every output is equivalent to its meaning.
    if lower == 0:
        return Asked(range(upper + 1, upper + 2), range(0))
    if upper == n:
        return Asked(range(0), range(lower, lower + 1))
    return Asked(range(lower + 1, upper + 2), range(lower, upper + 1))


def _at_root(asked: Asked) -> Asked:
    """Return the outputs of the root that the bounds make constant: upper+1 false, lower true."""
    return Asked(asked.rising[-1:], asked.falling[:1])


@lru_cache(maxsize=4096)
def _size_below(n: int, outside: int, asked: Asked) -> EncodingSize:
    """Return the size of a node with n inputs below it and everything under it."""
    if n == 1:
        return EncodingSize(0, 0, 0)
    half = n // 2
    here = asked_below(asked, n, outside)
    parts = [
        _size_below(half, outside + n - half, asked),
        _size_below(n - half, outside + half, asked),
        _size_of_add(half, n - half, here, outputs=len(outputs_of(here))),
    ]
    return sum(parts, EncodingSize(0, 0, 0))


def _size_of_add(a: int, b: int, asked: Asked, outputs: int) -> EncodingSize:
    """Return the size of one addition: pairs of values, less the literals that are constants."""
    width = 3 if outputs else 2
    clauses = literals = 0
    for t in [*asked.rising, *(t - 1 for t in asked.falling)]:
        pairs = min(a, t) - max(0, t - b) + 1
        clauses += pairs
        literals += width * pairs
    literals -= sum((t <= a) + (t <= b) for t in asked.rising)
    literals -= sum((t > a) + (t > b) for t in asked.falling)
    return EncodingSize(outputs, clauses, literals)
