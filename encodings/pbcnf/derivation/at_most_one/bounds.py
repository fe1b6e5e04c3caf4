"""At-most-one encoders: the given bound that says "at most one", the definitions, the clauses.

The cases are those of `pbcnf.encoders.bounds.at_most_one`.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from types import MappingProxyType

from pbcnf.derivation.at_most_one.bits import bimander, bitwise
from pbcnf.derivation.at_most_one.chains import ladder, sequential
from pbcnf.derivation.at_most_one.groups import commander, nested, product
from pbcnf.derivation.at_most_one.one_of import Family, Hints, OneOf, each_of
from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.literals import negate

FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        "sequential": sequential,
        "ladder": ladder,
        "bitwise": bitwise,
        "product": product,
        "commander": commander,
        "bimander": bimander,
        "nested": nested,
    }
)
"""Encoder -> the function that defines its variables and names the hints of its clauses."""


def derive(of: EncodedSum, state: DerivationState) -> list[int]:
    """Derive at most, at least or exactly one true input, or one false input."""
    hints = _hints(of, state)
    return [state.propagate(clause, ids) for clause, ids in zip(of.clauses, hints, strict=True)]


def _hints(of: EncodedSum, state: DerivationState) -> list[Hints]:
    n = len(of.lits)
    if n > 2 and of.upper == 1:
        lits, at_most, at_least = of.lits, of.at_most, of.at_least
    elif n > 2 and of.lower == n - 1:
        lits, at_most, at_least = tuple(negate(of.lits)), of.at_least, of.at_most
    else:
        return each_of(of.bounds)
    assert at_most is not None
    one_of = OneOf(of.encoder, lits, at_most, at_least, count(of.first))
    return FAMILIES[of.encoder.name](one_of, state)
