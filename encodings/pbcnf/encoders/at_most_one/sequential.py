"""The sequential encoding of at-most-one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pbcnf.encoders.bounds import AtMostOne
from pbcnf.encoders.circuits.array_emission import rows
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink


@dataclass(frozen=True, slots=True)
class Sequential(AtMostOne):
    """Reads the inputs in order and remembers whether a true input has come.

    Idea: Sinz's counter for the bound 1: a true input switches the memory on, on it stays, and
    while it is on no further input may be true. Exactly one adds one clause.

    Auxiliary variables: s[i] for 1 <= i < n, implied by "one of the first i inputs is true".

    Size: at most one of n >= 3: n-1 auxiliaries, 3n-4 clauses, 6n-8 literals, as published.
    Exactly one: one clause of n literals more. Two inputs need no auxiliary, only clauses.

    Propagation: arc-consistent. Exactly one (and n-1) is parsimonious; at most one is not for
    n >= 3, because s is free to rise while no input is true.

    Reference: Sinz: Towards an optimal CNF encoding of Boolean cardinality constraints, CP 2005
    (LT_SEQ with k = 1).

    >>> from pbcnf import Cardinality, Formula, dimacs, encode
    >>> f = Formula(num_vars=3)
    >>> encode(Cardinality([1, 2, 3], upper=1), f, encoder=Sequential())
    >>> print(dimacs(f), end="")
    p cnf 5 5
    -1 4 0
    -2 5 0
    -4 5 0
    -4 -2 0
    -5 -3 0
    """

    name: ClassVar[str] = "sequential"

    def at_most_one(self, lits: Sequence[Lit], sink: ClauseSink) -> None:
        """Emit at most one of three literals or more."""
        x = np.array(lits, dtype=np.int32)
        first = sink.new_vars(len(lits) - 1)
        s = np.arange(first, first + len(lits) - 1)
        sink.add_block(rows(-x[:-1], s))
        sink.add_block(rows(-s[:-1], s[1:]))
        sink.add_block(rows(-s, -x[1:]))

    def at_most_one_size(self, n: int) -> EncodingSize:
        """Return the size of at most one of n >= 3."""
        return EncodingSize(n - 1, 3 * n - 4, 6 * n - 8)
