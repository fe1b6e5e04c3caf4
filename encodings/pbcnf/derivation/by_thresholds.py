"""Encoders whose auxiliary variables are thresholds of inputs, each clause one sum of these."""

from __future__ import annotations

from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.derivation.thresholds import MEANINGS


def derive(of: EncodedSum, state: DerivationState) -> list[int]:
    """Define the auxiliary variables as their encoder documents them, then derive the clauses."""
    meanings = MEANINGS[of.encoder.name](of.lits, of.lower, of.upper, of.first)
    for var, (least, lits) in meanings.items():
        state.define(var, [(1, lit) for lit in lits], least)
    return [state.derive_clause(clause, *of.bounds) for clause in of.clauses]
