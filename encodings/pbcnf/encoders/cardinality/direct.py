"""The direct (binomial) encoding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import ClassVar

from pbcnf.constraints.normal_form import size_of
from pbcnf.encoders.protocol import Propagation
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit, negate
from pbcnf.sink import ClauseSink


@dataclass(frozen=True, slots=True)
class Direct:
    """Every subset of inputs that is too large holds a false one, and the other way round.

    Idea: at most k of n are true iff each of the (k+1)-subsets has a false input; at least k iff
    each of the (n-k+1)-subsets has a true one. These are all prime implicates of the constraint.

    Auxiliary variables: none.

    Size: C(n, upper+1) clauses of upper+1 literals if upper < n, and C(n, n-lower+1) clauses of
    n-lower+1 literals if lower > 0. For 8 inputs never more than 112 clauses, but the number
    grows exponentially with n at bounds near n/2.

    Propagation: arc-consistent; parsimonious at every bound, since there are no auxiliaries.

    Reference: folklore; "binomial" in Frisch, Giannaros: SAT encodings of the at-most-k
    constraint, ModRef 2010.

    >>> from pbcnf import Cardinality, Formula, dimacs, encode
    >>> f = Formula(num_vars=3)
    >>> encode(Cardinality([1, 2, 3], lower=1, upper=1), f, encoder="direct")
    >>> print(dimacs(f), end="")
    p cnf 3 4
    -1 -2 0
    -1 -3 0
    -2 -3 0
    1 2 3 0
    """

    name: ClassVar[str] = "direct"
    propagation: ClassVar[Propagation] = Propagation.ARC_CONSISTENT

    def parsimonious(self, n: int, lower: int, upper: int) -> bool:
        """Whether models extend uniquely: always."""
        return True

    def size(self, n: int, lower: int, upper: int) -> EncodingSize:
        """Return the exact size, see the class."""
        return size_of(n, lower, upper, _size)

    def encode(self, lits: Sequence[Lit], lower: int, upper: int, sink: ClauseSink) -> None:
        """Emit the clauses for non-trivial bounds."""
        if upper < len(lits):
            for clause in combinations(negate(lits), upper + 1):
                sink.add_clause(clause)
        if lower > 0:
            for clause in combinations(lits, len(lits) - lower + 1):
                sink.add_clause(clause)


def _size(n: int, lower: int, upper: int) -> EncodingSize:
    at_most = comb(n, upper + 1)
    at_least = comb(n, n - lower + 1)
    return EncodingSize(0, at_most + at_least, at_most * (upper + 1) + at_least * (n - lower + 1))
