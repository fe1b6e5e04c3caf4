"""The pairwise encoding of at-most-one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pbcnf.encoders.bounds import AtMostOne
from pbcnf.encoders.circuits.array_emission import rows
from pbcnf.encoders.circuits.template import add_subsets
from pbcnf.formula import EncodingSize
from pbcnf.literals import Block, Lit, negate
from pbcnf.sink import ClauseSink


@dataclass(frozen=True, slots=True)
class Pairwise(AtMostOne):
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

    def parsimonious(self, n: int, lower: int, upper: int) -> bool:
        """Whether models extend uniquely: always."""
        return True

    def at_most_one(self, lits: Sequence[Lit], sink: ClauseSink) -> None:
        """Emit a clause per pair."""
        pairwise(lits, sink)

    def at_most_one_size(self, n: int) -> EncodingSize:
        """Return the number of pairs."""
        return pairwise_size(n)


def pairwise(lits: Sequence[Lit], sink: ClauseSink) -> None:
    """Emit that at most one of the literals is true, a clause per pair."""
    add_subsets(negate(lits), 2, sink)


def pairwise_in_rows(groups: Block, sink: ClauseSink) -> None:
    """Emit "at most one" for every row of literals: all pairs of all rows as a block."""
    first, second = np.triu_indices(groups.shape[1], 1)
    if len(groups) and len(first):
        sink.add_block(rows(-groups[:, first], -groups[:, second]))


def pairwise_size(n: int) -> EncodingSize:
    """Return the size of at most one of n literals."""
    pairs = n * (n - 1) // 2
    return EncodingSize(0, pairs, 2 * pairs)
