"""Sinz's sequential counter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pbcnf.encoder import EncodingSize, Propagation
from pbcnf.literals import Lit
from pbcnf.normal_form import at_most_of_negations, size_of
from pbcnf.sink import ClauseSink


@dataclass(frozen=True, slots=True)
class SequentialCounter:
    """Reads the inputs one after the other and keeps their number so far in unary.

    Idea: a row of counters; input i raises counter i-1 to counter i, and raising it beyond the
    bound is forbidden. At least k is at most n-k of the negated inputs. A lower and an upper
    bound together share one set of auxiliaries, with the implications in both directions.

    Auxiliary variables: s[i][j] for 1 <= i < n, 1 <= j <= k (k = upper, or n-lower if only the
    lower bound is given): "at least j of the first i inputs are true". With one bound it is only
    implied by that (the published half), with two it is equivalent to it.

    Size: at most k, as published: (n-1)k auxiliaries, 2nk+n-3k-1 clauses, (n-2)(5k+1)+k+3
    literals. Two bounds, not published by Sinz: (n-1)k auxiliaries, 4nk-7k+3 clauses and
    (n-2)(10k-1)+k+7 literals, plus one unit clause if lower > 1.

    Propagation: arc-consistent. Parsimonious with two bounds, not with one.

    Reference: Sinz: Towards an optimal CNF encoding of Boolean cardinality constraints, CP 2005
    (LT_SEQ). The full rectangle s[i][j] is kept as published; `KnuthCounter` drops the variables
    that no count can reach or that cannot matter any more.

    >>> from pbcnf import Cardinality, Formula, dimacs, encode
    >>> f = Formula(num_vars=3)
    >>> encode(Cardinality([1, 2, 3], upper=1), f, encoder="sequential_counter")
    >>> print(dimacs(f), end="")
    p cnf 5 5
    -1 4 0
    -2 5 0
    -4 5 0
    -2 -4 0
    -3 -5 0
    """

    name: ClassVar[str] = "sequential_counter"
    propagation: ClassVar[Propagation] = Propagation.ARC_CONSISTENT

    def parsimonious(self, n: int, lower: int, upper: int) -> bool:
        """Whether models extend uniquely: with two bounds, and where no auxiliary is needed."""
        return self.size(n, lower, upper).variables == 0 or (lower > 0 and upper < n)

    def size(self, n: int, lower: int, upper: int) -> EncodingSize:
        """Return the exact size, see the class."""
        return size_of(n, lower, upper, _size)

    def encode(self, lits: Sequence[Lit], lower: int, upper: int, sink: ClauseSink) -> None:
        """Emit the clauses for non-trivial bounds."""
        if upper == len(lits):
            lits, upper = at_most_of_negations(lits, lower)
            lower = 0
        first = sink.new_vars((len(lits) - 1) * upper)
        rows = [range(first + i * upper, first + (i + 1) * upper) for i in range(len(lits) - 1)]
        _at_most(lits, rows, sink)
        if lower > 0:
            _only_counted(lits, rows, sink)
            sink.add_clause([rows[-1][lower - 1], lits[-1]])
            if lower > 1:
                sink.add_clause([rows[-1][lower - 2]])


def _at_most(lits: Sequence[Lit], rows: list[range], sink: ClauseSink) -> None:
    """Emit Sinz's clauses: true inputs are counted, and one more than k is a conflict."""
    sink.add_clause([-lits[0], rows[0][0]])
    for s in rows[0][1:]:
        sink.add_clause([-s])
    for x, before, after in zip(lits[1:-1], rows[:-1], rows[1:], strict=True):
        sink.add_clause([-x, after[0]])
        sink.add_clause([-before[0], after[0]])
        for j in range(1, len(after)):
            sink.add_clause([-x, -before[j - 1], after[j]])
            sink.add_clause([-before[j], after[j]])
        sink.add_clause([-x, -before[-1]])
    sink.add_clause([-lits[-1], -rows[-1][-1]])


def _only_counted(lits: Sequence[Lit], rows: list[range], sink: ClauseSink) -> None:
    """Emit the other direction: a counter rises only with its input, and by one."""
    sink.add_clause([-rows[0][0], lits[0]])
    for x, before, after in zip(lits[1:-1], rows[:-1], rows[1:], strict=True):
        for j in range(len(after)):
            sink.add_clause([-after[j], before[j], x])
            if j > 0:
                sink.add_clause([-after[j], before[j - 1]])


def _size(n: int, lower: int, upper: int) -> EncodingSize:
    if upper == n:
        lower, upper = 0, n - lower
    variables = (n - 1) * upper
    clauses = 2 * n * upper + n - 3 * upper - 1
    literals = (n - 2) * (5 * upper + 1) + upper + 3
    if lower > 0:
        unit = 1 if lower > 1 else 0
        clauses += (n - 2) * (2 * upper - 1) + 2 + unit
        literals += (n - 2) * (5 * upper - 2) + 4 + unit
    return EncodingSize(variables, clauses, literals)
