"""Counters whose auxiliary variables are thresholds of inputs: their meanings, their derivation.

A meaning is what the encoder documents, in the order in which it numbers variables. A wrong meaning
would leave clauses without a derivation; it could not derive a clause that does not follow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.literals import Lit, Var, negate


class Threshold(NamedTuple):
    """True exactly if at least `least` >= 1 of the literals, on distinct variables, are true."""

    least: int
    lits: tuple[Lit, ...]


Meanings = Mapping[Var, Threshold]


def no_auxiliaries(lits: Sequence[Lit], lower: int, upper: int, first: Var) -> Meanings:
    """Return no meanings, for encoders without auxiliary variables."""
    return {}


def totalizer(lits: Sequence[Lit], lower: int, upper: int, first: Var) -> Meanings:
    """Return the outputs of the inner nodes below the root, as `Totalizer` documents them.

    They are numbered by size of the node, by its place, then by count.
    """
    n = len(lits)
    places: dict[int, set[int]] = {n: {0}}
    for size in range(n, 1, -1):
        for place in places.get(size, ()):
            places.setdefault(size // 2, set()).add(place)
            places.setdefault(size - size // 2, set()).add(place + size // 2)
    meanings: dict[Var, Threshold] = {}
    # At the root the counts asked for are those that the bounds are about. A count below matters
    # only if the inputs outside the node can make up the difference.
    first_asked, last_asked = lower or upper + 1, lower if upper == n else upper + 1
    for size in range(2, n):
        counts = range(max(1, first_asked - (n - size)), min(size, last_asked) + 1)
        for place in sorted(places.get(size, ())):
            for count in counts:
                below = tuple(lits[place : place + size])
                meanings[first + len(meanings)] = Threshold(count, below)
    return meanings


def sequential_grid(lits: Sequence[Lit], lower: int, upper: int, first: Var) -> Meanings:
    """Return the meanings of `KnuthCounter` and `SequentialCounter`, row by row.

    The variable in row j and column k is "at least k of the first j + k - 1 inputs".
    """
    n = len(lits)
    if upper == n:
        lits, lower, upper = negate(lits), 0, n - lower
    rows = n - lower if lower > 0 else n - upper
    places = [(j, k) for j in range(1, rows + 1) for k in range(1, upper + 1) if j + k <= n]
    return {first + v: Threshold(k, tuple(lits[: j + k - 1])) for v, (j, k) in enumerate(places)}


MEANINGS: Mapping[str, Callable[[Sequence[Lit], int, int, Var], Meanings]] = MappingProxyType(
    {
        "direct": no_auxiliaries,
        "pairwise": no_auxiliaries,
        "sequential_counter": sequential_grid,
        "knuth_counter": sequential_grid,
        "totalizer": totalizer,
    }
)
"""Encoder -> the meanings of its auxiliaries, for distinct inputs, bounds that are not trivial,
and the first auxiliary variable."""


def derive(of: EncodedSum, state: DerivationState) -> list[int]:
    """Define the auxiliary variables as their encoder documents them, then derive the clauses."""
    meanings = MEANINGS[of.encoder.name](of.lits, of.lower, of.upper, of.first)
    for var, (least, lits) in meanings.items():
        state.define(var, [(1, lit) for lit in lits], least)
    return [state.derive_clause(clause, *of.bounds) for clause in of.clauses]
