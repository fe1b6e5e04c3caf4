"""The commander encoding of at-most-one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pbcnf.encoders.at_most_one.pairwise import pairwise, pairwise_in_rows, pairwise_size
from pbcnf.encoders.bounds import AtMostOne
from pbcnf.encoders.circuits.array_emission import rows
from pbcnf.formula import EncodingSize
from pbcnf.literals import Block, Lit
from pbcnf.sink import ClauseSink

_PAIRWISE_UP_TO = 6
"""The largest number of literals whose pairs are no more clauses than their commanders'."""


@dataclass(frozen=True, slots=True)
class Commander(AtMostOne):
    """Groups of three elect commanders, the commanders again, until few are left.

    Idea: at most one input of a group is true, and its commander is true iff one is; then at most
    one is true of the commanders and of the one or two literals that the groups of three leave
    over. The last 6 or fewer literals go pairwise; exactly one adds the clause that one of these is
    true.

    Auxiliary variables: c[g] for every group of a level: equivalent to "a literal of g is true".

    Size: a level turns n literals into n - 2 floor(n/3), until r <= 6 are left. At most one takes
    (n-r)/2 auxiliaries, 7(n-r)/2 + C(r, 2) clauses, 8(n-r) + 2 C(r, 2) literals: less than n/2 and
    7n/2, the published figures (a group has 3 pairs, 3 implications to its commander and 1 back).
    Exactly one: one clause of r literals more. Tools without the implication back have fewer
    clauses for at most one, but this implication makes the encoding parsimonious and the clause of
    exactly one short.

    Propagation: arc-consistent; parsimonious at every bound.

    Reference: Klieber, Kwon: Efficient CNF encoding for selecting 1 from N objects, CFV 2007.

    >>> from pbcnf import Cardinality, Formula, encode
    >>> f = Formula(num_vars=9)
    >>> encode(Cardinality(range(1, 10), lower=1, upper=1), f, encoder=Commander())
    >>> list(f.clauses())[-7:]
    [[-10, 1, 2, 3], [-11, 4, 5, 6], [-12, 7, 8, 9], \
[-10, -11], [-10, -12], [-11, -12], [10, 11, 12]]
    """

    name: ClassVar[str] = "commander"

    def parsimonious(self, n: int, lower: int, upper: int) -> bool:
        """Whether models extend uniquely: always."""
        return True

    def at_most_one(self, lits: Sequence[Lit], sink: ClauseSink) -> None:
        """Emit at most one of three literals or more."""
        pairwise(_last_commanders(lits, sink), sink)

    def exactly_one(self, lits: Sequence[Lit], sink: ClauseSink) -> None:
        """Emit exactly one of three literals or more."""
        last = _last_commanders(lits, sink)
        pairwise(last, sink)
        sink.add_clause(last)

    def at_most_one_size(self, n: int) -> EncodingSize:
        """Return the size of at most one of n >= 3."""
        last = _last(n)
        return EncodingSize(1, 7, 16) * ((n - last) // 2) + pairwise_size(last)

    def exactly_one_size(self, n: int) -> EncodingSize:
        """Return the size of exactly one of n >= 3."""
        return self.at_most_one_size(n) + EncodingSize(0, 1, _last(n))


def _last_commanders(lits: Sequence[Lit], sink: ClauseSink) -> list[Lit]:
    """Emit all levels, and return the commanders of the last one: at most `_PAIRWISE_UP_TO`."""
    x = np.array(lits, dtype=np.int32)
    while len(x) > _PAIRWISE_UP_TO:
        full = len(x) - len(x) % 3
        x = np.concatenate((_elect(x[:full].reshape(-1, 3), sink), x[full:]))
    last: list[Lit] = x.tolist()
    return last


def _elect(groups: Block, sink: ClauseSink) -> Block:
    """Emit the clauses of each group, a row of `groups`, and return the commanders."""
    first = sink.new_vars(len(groups))
    commanders = np.arange(first, first + len(groups), dtype=np.int32)
    pairwise_in_rows(groups, sink)
    sink.add_block(rows(-groups, commanders[:, None]))
    sink.add_block(rows(-commanders, *groups.T))
    return commanders


def _last(n: int) -> int:
    """Return how many literals the last level has."""
    while n > _PAIRWISE_UP_TO:
        n -= n // 3 * 2
    return n
