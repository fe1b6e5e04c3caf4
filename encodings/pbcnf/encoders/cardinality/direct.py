"""The direct (binomial) encoding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import ClassVar, Final

from pbcnf.constraints.normal_form import size_of
from pbcnf.encoders.circuits.template import add_subsets
from pbcnf.encoders.counter import Uncounted
from pbcnf.encoders.protocol import Propagation
from pbcnf.errors import EncodingError
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit, negate
from pbcnf.sink import ClauseSink

MOST_CLAUSES: Final = 20_000_000
"""The largest number of clauses of an encoding; more are refused before the first clause."""

_COUNTED: Final = 10_000
"""The most inputs for which `size` computes any number of clauses; the numbers of more inputs,
which may take minutes, are computed only up to `MOST_CLAUSES`."""


@dataclass(frozen=True, slots=True)
class Direct(Uncounted):
    """Every subset of inputs that is too large holds a false one, and the other way round.

    Idea: at most k of n are true iff each of the (k+1)-subsets has a false input; at least k iff
    each of the (n-k+1)-subsets has a true one. These are all prime implicates of the constraint.

    Auxiliary variables: none.

    Size: C(n, upper+1) clauses of upper+1 literals if upper < n, and C(n, n-lower+1) clauses of
    n-lower+1 literals if lower > 0. For 8 inputs never more than 112 clauses, but the number
    grows exponentially with n at bounds near n/2: beyond 20,000,000 clauses it refuses.

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
        """Return the exact size, see the class; EncodingError if it is too long a number."""
        return size_of(n, lower, upper, _size)

    def encode(self, lits: Sequence[Lit], lower: int, upper: int, sink: ClauseSink) -> None:
        """Emit the clauses for non-trivial bounds; EncodingError beyond `MOST_CLAUSES`."""
        n = len(lits)
        _require_moderate(n, lower, upper)
        if upper < n:
            add_subsets(negate(lits), upper + 1, sink)
        if lower > 0:
            add_subsets(lits, n - lower + 1, sink)


def _require_moderate(n: int, lower: int, upper: int) -> None:
    if _exceeds(n, lower, upper):
        raise EncodingError(
            f"direct would need more than {MOST_CLAUSES:,} clauses for"
            f" {lower} <= sum of {n} inputs <= {upper}: name another encoder, such as totalizer,"
            " or none, which chooses by size"
        )


def _exceeds(n: int, lower: int, upper: int) -> bool:
    """Whether there are more than `MOST_CLAUSES` clauses, found without much larger numbers."""
    clauses = 0
    for width in (upper + 1, n - lower + 1):
        # `subsets` runs through C(n, 1), C(n, 2), ... up to C(n, width), or to C(n, n - width),
        # which is equal. It grows with every step, so the first excess decides.
        subsets = 1 if width <= n else 0
        for chosen in range(min(width, n - width)):
            subsets = subsets * (n - chosen) // (chosen + 1)
            if subsets > MOST_CLAUSES:
                return True
        clauses += subsets
    return clauses > MOST_CLAUSES


def _size(n: int, lower: int, upper: int) -> EncodingSize:
    if n > _COUNTED:
        _require_moderate(n, lower, upper)
    at_most = comb(n, upper + 1)
    at_least = comb(n, n - lower + 1)
    return EncodingSize(0, at_most + at_least, at_most * (upper + 1) + at_least * (n - lower + 1))
