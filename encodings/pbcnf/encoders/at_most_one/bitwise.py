"""The bitwise encoding of at-most-one."""

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
class Bitwise(AtMostOne):
    """Every input has a number, and a true input implies the bits of its number.

    Idea: two numbers differ in a bit, so two inputs cannot both be true. At most one leaves the
    highest bit out for the inputs that differ from all others in the lower bits already. Exactly
    one keeps every bit, since then a true input settles all of them, and adds one clause.

    Auxiliary variables: b[k] for 0 <= k < ceil(log2 n): if input i (counted from 0) is true, bit k
    of i, unless left out.

    Size: with m = ceil(log2 n), at most one of n >= 3: m auxiliaries, nm - (2^m - n) clauses of 2
    literals, nm as published if n is a power of two. Exactly one: m auxiliaries, nm clauses of 2
    literals and one of n. Two inputs need no auxiliary, only clauses.

    Propagation: arc-consistent. Exactly one (and n-1) is parsimonious; at most one is not for
    n >= 3, because no bit is settled while no input is true.

    Reference: Frisch, Peugniez, Doggett, Nightingale: Solving non-Boolean satisfiability problems
    with stochastic local search, J. Automated Reasoning 2005; Prestwich: Finding large cliques
    using SAT local search, Trends in Constraint Programming 2007.

    >>> from pbcnf import Cardinality, Formula, dimacs, encode
    >>> f = Formula(num_vars=3)
    >>> encode(Cardinality([1, 2, 3], upper=1), f, encoder=Bitwise())
    >>> print(dimacs(f), end="")
    p cnf 5 5
    -1 -4 0
    -2 4 0
    -3 -4 0
    -1 -5 0
    -3 5 0
    """

    name: ClassVar[str] = "bitwise"

    def at_most_one(self, lits: Sequence[Lit], sink: ClauseSink) -> None:
        """Emit at most one of three literals or more."""
        at_most_one_group(lits, 1, sink, every_bit=False)

    def exactly_one(self, lits: Sequence[Lit], sink: ClauseSink) -> None:
        """Emit exactly one of three literals or more."""
        at_most_one_group(lits, 1, sink, every_bit=True)
        sink.add_clause(lits)

    def at_most_one_size(self, n: int) -> EncodingSize:
        """Return the size of at most one of n >= 3."""
        return at_most_one_group_size(n, 1, every_bit=False)

    def exactly_one_size(self, n: int) -> EncodingSize:
        """Return the size of exactly one of n >= 3."""
        return at_most_one_group_size(n, 1, every_bit=True) + EncodingSize(0, 1, n)


def at_most_one_group(
    lits: Sequence[Lit], group_size: int, sink: ClauseSink, *, every_bit: bool
) -> None:
    """Emit that all true literals are of one group: a group is `group_size` literals in order.

    A true literal implies the bits of its group's number: all of them with `every_bit`, otherwise
    as many as it takes to differ from the other groups.
    """
    x = np.array(lits, dtype=np.int32)
    number = np.arange(len(lits)) // group_size
    groups = -(-len(lits) // group_size)
    bits = (groups - 1).bit_length()
    first = sink.new_vars(bits)
    for k in range(bits):
        numbered = np.full(len(lits), True)
        if k == bits - 1 and not every_bit:
            # Two groups that differ in a lower bit exclude each other by that bit. Only a group and
            # its partner, whose numbers differ in the highest bit alone, need the highest bit.
            numbered = number ^ (1 << k) < groups
        bit = np.where(number[numbered] >> k & 1, first + k, -first - k)
        sink.add_block(rows(-x[numbered], bit))


def at_most_one_group_size(n: int, group_size: int, *, every_bit: bool) -> EncodingSize:
    """Return the size of what `at_most_one_group` emits for n literals."""
    groups = -(-n // group_size)
    bits = (groups - 1).bit_length()
    # 2^bits - groups groups have no partner (the number with the highest bit flipped). The last
    # group has a partner, so all groups without a partner are full.
    left_out = 0 if every_bit else group_size * (2**bits - groups)
    clauses = n * bits - left_out
    return EncodingSize(bits, clauses, 2 * clauses)
