"""The ladder encoding of exactly-one and at-most-one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pbcnf.encoders.bounds import AtMostOne
from pbcnf.encoders.circuits.array_emission import rows
from pbcnf.formula import EncodingSize
from pbcnf.literals import Block, Lit
from pbcnf.sink import ClauseSink


@dataclass(frozen=True, slots=True)
class Ladder(AtMostOne):
    """A ladder whose rungs are true up to the true input and false from it on.

    Idea: the rungs y[1] .. y[n-1] never rise, and input i is true iff y[i-1] is true and y[i] is
    false (y[0] counts as true, y[n] as false): exactly one input. At most one needs one direction
    alone: a true input has a true rung below it and a false one above.

    Auxiliary variables: y[i] for 1 <= i < n, equivalent to "none of the first i inputs is true";
    for at most one it only implies that.

    Size: exactly one of n >= 3: n-1 auxiliaries, 4n-4 clauses, 9n-10 literals. At most one:
    3n-4 clauses, 6n-8 literals. Two inputs need no auxiliary, only clauses. Other tools spend n+1
    auxiliaries and 4n clauses on at most one, with rungs y[0] and y[n] that are variables too.

    Propagation: arc-consistent. Exactly one (and n-1) is parsimonious, at most one of n >= 3 not.

    Reference: Gent, Nightingale: A new encoding of AllDifferent into SAT, ModRef 2004; as the
    regular encoding: Ansotegui, Manya: Mapping problems with finite-domain variables into
    problems with Boolean variables, SAT 2004.

    >>> from pbcnf import Cardinality, Formula, dimacs, encode
    >>> f = Formula(num_vars=3)
    >>> encode(Cardinality([1, 2, 3], lower=1, upper=1), f, encoder=Ladder())
    >>> print(dimacs(f), end="")
    p cnf 5 8
    -5 4 0
    -1 -4 0
    -2 -5 0
    -2 4 0
    -3 5 0
    1 4 0
    -4 5 2 0
    -5 3 0
    """

    name: ClassVar[str] = "ladder"

    def at_most_one(self, lits: Sequence[Lit], sink: ClauseSink) -> None:
        """Emit at most one of three literals or more."""
        _climb(lits, sink)

    def exactly_one(self, lits: Sequence[Lit], sink: ClauseSink) -> None:
        """Emit exactly one of three literals or more."""
        x, y = _climb(lits, sink)
        sink.add_clause([int(x[0]), int(y[0])])
        sink.add_block(rows(-y[:-1], y[1:], x[1:-1]))
        sink.add_clause([int(-y[-1]), int(x[-1])])

    def at_most_one_size(self, n: int) -> EncodingSize:
        """Return the size of at most one of n >= 3."""
        return EncodingSize(n - 1, 3 * n - 4, 6 * n - 8)

    def exactly_one_size(self, n: int) -> EncodingSize:
        """Return the size of exactly one of n >= 3."""
        return EncodingSize(n - 1, 4 * n - 4, 9 * n - 10)


def _climb(lits: Sequence[Lit], sink: ClauseSink) -> tuple[Block, Block]:
    """Emit at most one of the literals; return them and the rungs."""
    x = np.array(lits, dtype=np.int32)
    first = sink.new_vars(len(lits) - 1)
    y = np.arange(first, first + len(lits) - 1, dtype=np.int32)
    sink.add_block(rows(-y[1:], y[:-1]))
    sink.add_block(rows(-x[:-1], -y))
    sink.add_block(rows(-x[1:], y))
    return x, y
