"""The pairwise encoding of at-most-one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

from pbcnf.encoder import EncodingSize, Propagation
from pbcnf.literals import Lit, negate
from pbcnf.normal_form import at_most_of_negations, size_of
from pbcnf.sink import ClauseSink


@dataclass(frozen=True, slots=True)
class Pairwise:
    """Of every two inputs one is false.

    Idea: at most one input is true iff no two are. At least n-1 is the same for the negated
    inputs; at least one, and at most n-1, are one clause. Other bounds are refused.

    Auxiliary variables: none.

    Size: C(n, 2) clauses of 2 literals for ``upper == 1 < n`` and for ``lower == n-1 > 0``; one
    clause of n literals for ``lower == 1`` and for ``upper == n-1``; for n = 2 these coincide and
    the clause is counted once per bound.

    Propagation: arc-consistent; parsimonious at every bound, since there are no auxiliaries.

    Reference: folklore; Prestwich: CNF encodings, Handbook of Satisfiability, 2nd ed., 2021.

    >>> from pbcnf import Cardinality, Formula, dimacs, encode
    >>> f = Formula(num_vars=3)
    >>> encode(Cardinality([1, 2, 3], upper=1), f, encoder="pairwise")
    >>> print(dimacs(f), end="")
    p cnf 3 3
    -1 -2 0
    -1 -3 0
    -2 -3 0
    """

    name: ClassVar[str] = "pairwise"
    propagation: ClassVar[Propagation] = Propagation.ARC_CONSISTENT

    def parsimonious(self, n: int, lower: int, upper: int) -> bool:
        """Whether models extend uniquely: always."""
        return True

    def size(self, n: int, lower: int, upper: int) -> EncodingSize:
        """Return the exact size, see the class; ValueError for a bound it cannot express."""
        return size_of(n, lower, upper, _size)

    def encode(self, lits: Sequence[Lit], lower: int, upper: int, sink: ClauseSink) -> None:
        """Emit the clauses for non-trivial bounds; ValueError for one it cannot express."""
        _require_expressible(len(lits), lower, upper)
        if upper < len(lits):
            _at_most(lits, upper, sink)
        if lower > 0:
            _at_most(*at_most_of_negations(lits, lower), sink)


def _at_most(lits: Sequence[Lit], bound: int, sink: ClauseSink) -> None:
    if bound == 1:
        for pair in combinations(negate(lits), 2):
            sink.add_clause(pair)
    else:
        sink.add_clause(negate(lits))


def _size(n: int, lower: int, upper: int) -> EncodingSize:
    _require_expressible(n, lower, upper)
    clauses = literals = 0
    for bound in (upper, n - lower):
        if bound < n:
            number, width = (n * (n - 1) // 2, 2) if bound == 1 else (1, n)
            clauses += number
            literals += number * width
    return EncodingSize(0, clauses, literals)


def _require_expressible(n: int, lower: int, upper: int) -> None:
    if lower not in (0, 1, n - 1) or upper not in (1, n - 1, n):
        raise ValueError(
            f"pairwise cannot express {lower} <= sum of {n} inputs <= {upper}: it can do at most"
            " one, at least one, and the same of the negated inputs (upper n-1, lower n-1)"
        )
