"""The normal form of a cardinality constraint, and the bounds that need no encoder.

Everything here is a fact about ``lower <= sum <= upper``, true for every encoder; that is why no
encoder handles a trivial bound itself.
"""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Callable, Sequence
from enum import Enum

from pbcnf.constraints.constraint import Cardinality
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit


class Settled(Enum):
    """The meanings of trivial pairs of bounds of n inputs."""

    TRUE = "always holds"
    FALSE = "never holds"
    ALL_FALSE = "every input is false"
    ALL_TRUE = "every input is true"


def settle(n: int, lower: int, upper: int) -> Settled | None:
    """Return the meaning of trivial bounds of n inputs, None for all other bounds.

    >>> settle(3, -1, 5), settle(3, 2, 1), settle(3, 0, 0), settle(3, 1, 2)
    (<Settled.TRUE: 'always holds'>, <Settled.FALSE: 'never holds'>, \
<Settled.ALL_FALSE: 'every input is false'>, None)
    """
    if lower > upper or upper < 0 or lower > n:
        return Settled.FALSE
    if lower <= 0 and upper >= n:
        return Settled.TRUE
    if upper == 0:
        return Settled.ALL_FALSE
    return Settled.ALL_TRUE if lower == n else None


def settled_clauses(settled: Settled, lits: Sequence[Lit]) -> list[list[Lit]]:
    """Return the clauses of a trivial constraint over `lits`."""
    match settled:
        case Settled.TRUE:
            return []
        case Settled.FALSE:
            return [[]]
        case Settled.ALL_FALSE:
            return [[-lit] for lit in dict.fromkeys(lits)]
        case Settled.ALL_TRUE:
            return [[lit] for lit in dict.fromkeys(lits)]


def normal_form(constraint: Cardinality) -> tuple[list[Lit], int, int]:
    """Return literals without opposites, and bounds clamped to their number from outside.

    A pair x, -x contributes exactly 1: it is removed and both bounds fall by 1. Repeated literals
    stay. A constraint that never holds keeps bounds that say so.

    >>> normal_form(Cardinality([1, -1, 2, 3], lower=2, upper=9))
    ([2, 3], 1, 2)
    """
    if len({*map(abs, constraint.lits)}) == len(constraint.lits):
        n = len(constraint.lits)
        return list(constraint.lits), max(constraint.lower, 0), min(constraint.upper, n)
    number = Multiset(constraint.lits)
    surplus = {lit: count - number[-lit] for lit, count in number.items()}
    lits: list[Lit] = []
    for lit in constraint.lits:
        if surplus[lit] > 0:
            surplus[lit] -= 1
            lits.append(lit)
    pairs = (len(constraint.lits) - len(lits)) // 2
    return lits, max(constraint.lower - pairs, 0), min(constraint.upper - pairs, len(lits))


def size_of(
    n: int, lower: int, upper: int, nontrivial: Callable[[int, int, int], EncodingSize]
) -> EncodingSize:
    """Return the size of a trivial constraint here, of any other by `nontrivial`."""
    match settle(n, lower, upper):
        case None:
            return nontrivial(n, max(lower, 0), min(upper, n))
        case Settled.TRUE:
            return EncodingSize(0, 0, 0)
        case Settled.FALSE:
            return EncodingSize(0, 1, 0)
        case _:
            return EncodingSize(0, n, n)


def at_most_of_negations(lits: Sequence[Lit], lower: int) -> tuple[list[Lit], int]:
    """Return the at-most form of ``sum of lits >= lower``: the negated literals and their bound.

    At least `lower` of n literals are true if and only if at most ``n - lower`` are false.
    """
    return [-lit for lit in lits], len(lits) - lower
