"""The decision diagram: with one bound, with two and equal weights, with two and any weights."""

from __future__ import annotations

from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.derivation.diagrams import equal, path, remaining
from pbcnf.derivation.encoded_sum import EncodedSum, by_decreasing_weight, is_clause


def derive(of: EncodedSum, state: DerivationState) -> list[int]:
    """Derive the clauses of the diagram that the encoder builds for these bounds."""
    of = by_decreasing_weight(of)
    if is_clause(of):
        return [state.derive_clause(clause, *of.bounds) for clause in of.clauses]
    if of.at_least is None:
        return remaining.derive(of, state)
    if of.weights[0] == of.weights[-1]:
        return equal.derive(of, state)
    return path.derive(of, state)
