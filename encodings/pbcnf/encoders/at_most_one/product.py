"""The product encoding of at-most-one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt
from typing import ClassVar

import numpy as np

from pbcnf.encoders.at_most_one.pairwise import pairwise, pairwise_size
from pbcnf.encoders.bounds import AtMostOne
from pbcnf.encoders.circuits.array_emission import rows
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink

_PAIRWISE_UP_TO = 6
"""The largest number of literals whose pairs are fewer clauses than their product."""


@dataclass(frozen=True, slots=True)
class Product(AtMostOne):
    """Places the inputs in a rectangle with at most one row and at most one column in use.

    Idea: a true input marks its row and its column; two inputs differ in one of them. At most one
    row and at most one column are encoded in the same way; up to 6 literals go pairwise, which is
    fewer clauses there. Exactly one adds one clause.

    Auxiliary variables: u[r], v[c] for the p = ceil(sqrt n) rows and q = ceil(n/p) columns, row
    by row: implied by "an input of row r (column c) is true"; and those of the rows and columns.

    Size: P(n) = C(n, 2) clauses for n <= 6, P(n) = 2n + P(p) + P(q) with p + q auxiliaries more
    for n > 6, all of 2 literals: 2n + 4 sqrt n + O(n^(1/4)) clauses, 2 sqrt n + O(n^(1/4))
    auxiliaries as published. Exactly one: one clause of n literals more. Saying rows and
    columns pairwise takes fewer auxiliaries and more clauses from n = 37 on.

    Propagation: arc-consistent. Exactly one (and n-1) is parsimonious; at most one is for n <= 6
    only, because a row may be marked while no input is true.

    Reference: Chen: A new SAT encoding of the at-most-one constraint, ModRef 2010 (2-product).

    >>> from pbcnf import Cardinality, Formula, encode
    >>> f = Formula(num_vars=9)
    >>> encode(Cardinality(range(1, 10), upper=1), f, encoder=Product())
    >>> [clause for clause in f.clauses() if 5 in clause or -5 in clause]
    [[-5, 11], [-5, 14]]
    """

    name: ClassVar[str] = "product"

    def at_most_one(self, lits: Sequence[Lit], sink: ClauseSink) -> None:
        """Emit at most one of three literals or more."""
        n = len(lits)
        if n <= _PAIRWISE_UP_TO:
            pairwise(lits, sink)
            return
        p, q = _sides(n)
        u, v = sink.new_vars(p), sink.new_vars(q)
        x, place = np.array(lits, dtype=np.int32), np.arange(n)
        # Input i is in row i // q and column i % q: a true input marks both.
        sink.add_block(rows(-x, u + place // q))
        sink.add_block(rows(-x, v + place % q))
        self.at_most_one(range(u, u + p), sink)
        self.at_most_one(range(v, v + q), sink)

    def at_most_one_size(self, n: int) -> EncodingSize:
        """Return the size of at most one of n >= 3."""
        if n <= _PAIRWISE_UP_TO:
            return pairwise_size(n)
        p, q = _sides(n)
        marked = EncodingSize(p + q, 2 * n, 4 * n)
        return marked + self.at_most_one_size(p) + self.at_most_one_size(q)


def _sides(n: int) -> tuple[int, int]:
    """Return the numbers of rows and of columns; every row and every column has an input."""
    p = isqrt(n - 1) + 1
    return p, -(-n // p)
