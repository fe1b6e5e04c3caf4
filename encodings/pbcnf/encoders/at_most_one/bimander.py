"""The bimander encoding of at-most-one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pbcnf.encoders.at_most_one.bitwise import at_most_one_group, at_most_one_group_size
from pbcnf.encoders.at_most_one.pairwise import pairwise_in_rows, pairwise_size
from pbcnf.encoders.bounds import AtMostOne
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit, integer
from pbcnf.sink import ClauseSink


@dataclass(frozen=True, slots=True)
class Bimander(AtMostOne):
    """Pairwise within small groups, bitwise between them.

    Idea: at most one input of a group is true, and a true input implies the bits of its group's
    number, so that no two groups have true inputs. As in `Bitwise`, at most one leaves the highest
    bit out where the lower bits tell the groups apart; exactly one keeps it and adds one clause.

    Groups of 2 are the published choice m = ceil(n/2): a pair costs half a clause per input and
    saves a bit, a whole clause per input. Groups of 4 take about as many clauses and one auxiliary
    less, groups of 3 mostly a few clauses less for at most one; groups of 1 are `Bitwise`.

    Auxiliary variables: b[k] for 0 <= k < ceil(log2 m), with m groups: if an input of group g
    (counted from 0) is true, bit k of g, unless left out.

    Size: with groups of s, m = ceil(n/s), r = n - (m-1)s and B = ceil(log2 m), at most one of
    n >= 3: B auxiliaries, nB - s(2^B - m) + (m-1) C(s, 2) + C(r, 2) clauses of 2 literals.
    Exactly one: nB + (m-1) C(s, 2) + C(r, 2) as published, and one clause of n literals. Two
    inputs need no auxiliary, only clauses.

    Propagation: arc-consistent. Exactly one (and n-1) is parsimonious; at most one is not where
    there are bits, because no bit is settled while no input is true.

    Reference: Hoelldobler, Nguyen: On SAT-encodings of the at-most-one constraint, ModRef 2013.

    >>> from pbcnf import Cardinality, Formula, dimacs, encode
    >>> f = Formula(num_vars=4)
    >>> encode(Cardinality([1, 2, 3, 4], upper=1), f, encoder=Bimander())
    >>> print(dimacs(f), end="")
    p cnf 5 6
    -1 -2 0
    -3 -4 0
    -1 -5 0
    -2 -5 0
    -3 5 0
    -4 5 0
    """

    group_size: int = 2

    name: ClassVar[str] = "bimander"

    def __post_init__(self) -> None:
        """Raise TypeError or ValueError unless the group size is an int of at least 1."""
        if integer(self.group_size, "the group size") < 1:
            raise ValueError(f"the group size must be at least 1, not {self.group_size}")

    def at_most_one(self, lits: Sequence[Lit], sink: ClauseSink) -> None:
        """Emit at most one of three literals or more."""
        self._within_groups(lits, sink)
        at_most_one_group(lits, self.group_size, sink, every_bit=False)

    def exactly_one(self, lits: Sequence[Lit], sink: ClauseSink) -> None:
        """Emit exactly one of three literals or more."""
        self._within_groups(lits, sink)
        at_most_one_group(lits, self.group_size, sink, every_bit=True)
        sink.add_clause(lits)

    def _within_groups(self, lits: Sequence[Lit], sink: ClauseSink) -> None:
        x = np.array(lits, dtype=np.int32)
        full = len(x) - len(x) % self.group_size
        pairwise_in_rows(x[:full].reshape(-1, self.group_size), sink)
        pairwise_in_rows(x[full:].reshape(1, -1), sink)

    def at_most_one_size(self, n: int) -> EncodingSize:
        """Return the size of at most one of n >= 3."""
        between = at_most_one_group_size(n, self.group_size, every_bit=False)
        return between + self._size_within_groups(n)

    def exactly_one_size(self, n: int) -> EncodingSize:
        """Return the size of exactly one of n >= 3."""
        between = at_most_one_group_size(n, self.group_size, every_bit=True)
        return between + self._size_within_groups(n) + EncodingSize(0, 1, n)

    def _size_within_groups(self, n: int) -> EncodingSize:
        full, left = divmod(n, self.group_size)
        return pairwise_size(self.group_size) * full + pairwise_size(left)
