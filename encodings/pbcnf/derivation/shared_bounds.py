"""What `SharedBounds` encoders do before they encode, done to the sum and to its bounds."""

from __future__ import annotations

from dataclasses import replace

from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.literals import negate


def by_decreasing_weight(of: EncodedSum) -> EncodedSum:
    """Return the sum with its inputs ordered; a lower bound alone is an upper one of negations."""
    order = sorted(range(len(of.lits)), key=lambda place: -of.weights[place])
    weights = tuple(of.weights[place] for place in order)
    lits = tuple(of.lits[place] for place in order)
    if of.at_most is not None:
        return replace(of, lits=lits, weights=weights)
    return replace(
        of,
        lits=tuple(negate(lits)),
        weights=weights,
        lower=0,
        upper=sum(weights) - of.lower,
        at_least=None,
        at_most=of.at_least,
    )


def is_clause(of: EncodedSum) -> bool:
    """Whether an upper bound alone is a clause: no single input may be missing from the sum."""
    total = sum(of.weights)
    return of.at_least is None and of.upper >= total - min(of.weights)
