"""The nested encoding of at-most-one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pbcnf.encoders.at_most_one.pairwise import pairwise_in_rows
from pbcnf.encoders.bounds import AtMostOne
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink


@dataclass(frozen=True, slots=True)
class Nested(AtMostOne):
    """Cuts the inputs in halves, by one variable each time, until at most four are together.

    Idea: at most one of a left and a right half is true iff, for some t, at most one of the left
    half and t is, and at most one of the right half and not-t. Four literals or fewer go
    pairwise. An odd number of literals goes to the left of every cut, so that all groups but at
    most one hold four, which takes the fewest variables. Exactly one adds one clause.

    Auxiliary variables: t for every cut: false if a literal on its left is true, true if one on
    its right is; the earlier cuts' variables count among the literals.

    Size: at most one of n >= 3: floor((n-3)/2) auxiliaries, 3n-6 clauses, 6n-12 literals.
    Exactly one: one clause of n literals more. Cutting one group of four off at a time has the
    same size, but makes a chain and not a tree of logarithmic depth; cutting exactly in the middle
    takes more auxiliaries (63 and not 48 for n = 100).

    Propagation: arc-consistent. Exactly one (and n-1) is parsimonious; at most one is for n <= 4
    only, because t is free while no input is true.

    Reference: Knuth: The Art of Computer Programming 7.2.2.2 (2015), exercise 12, after Heule;
    under this name: Philipp, Steinke: PBLib - a library for encoding pseudo-Boolean constraints
    into CNF, SAT 2015.

    >>> from pbcnf import Cardinality, Formula, dimacs, encode
    >>> f = Formula(num_vars=5)
    >>> encode(Cardinality([1, 2, 3, 4, 5], upper=1), f, encoder=Nested())
    >>> print(dimacs(f), end="")
    p cnf 6 9
    -1 -2 0
    -1 -3 0
    -1 -6 0
    -2 -3 0
    -2 -6 0
    -3 -6 0
    6 -4 0
    6 -5 0
    -4 -5 0
    """

    name: ClassVar[str] = "nested"

    def at_most_one(self, lits: Sequence[Lit], sink: ClauseSink) -> None:
        """Emit at most one of three literals or more."""
        groups = _cut(lits, sink)
        for size in (4, 3):
            rows = [group for group in groups if len(group) == size]
            pairwise_in_rows(np.array(rows, dtype=np.int32).reshape(-1, size), sink)

    def at_most_one_size(self, n: int) -> EncodingSize:
        """Return the size of at most one of n >= 3."""
        return EncodingSize((n - 3) // 2, 3 * n - 6, 6 * n - 12)


def _cut(lits: Sequence[Lit], sink: ClauseSink) -> list[Sequence[Lit]]:
    """Return groups of 3 or 4 literals that replace `lits`.

    At most one of `lits` is true iff, for some values of the cut variables, at most one literal of
    each group is.
    """
    if len(lits) <= 4:
        return [lits]
    # With t the left part has an even number of literals, and splits into groups of four.
    half = len(lits) // 2 | 1
    t = sink.new_var()
    return [*_cut([*lits[:half], t], sink), *_cut([-t, *lits[half:]], sink)]
