"""Derivations of clauses from the sums with bounds that they encode, for VeriPB and other checkers.

The clauses of an encoder need not be trusted: what is derived follows from the constraint in the
formula, whoever emitted it. A derivation says that every assignment of the inputs which satisfies
the constraint extends to a model of the clauses; it does not say that no other does.

>>> from pbcnf import Cardinality
>>> state = DerivationState(Derivation(formula=1))
>>> at_most_one = Cardinality([1, 2, 3], upper=1)
>>> derive_constraint(at_most_one, "totalizer", BoundIds(upper=1), state, first_auxiliary=4)
"""

from pbcnf.derivation.derivation_state import DerivationState, UnderivableError
from pbcnf.derivation.encoded_constraint import derive_constraint
from pbcnf.derivation.families import DERIVABLE
from pbcnf.derivation.proof_file import VERSIONS, step_text, whole_proof, write_proof
from pbcnf.derivation.steps import BoundIds, Derivation, Step
from pbcnf.derivation.thresholds import MEANINGS, Threshold

__all__ = [
    "DERIVABLE",
    "MEANINGS",
    "VERSIONS",
    "BoundIds",
    "Derivation",
    "DerivationState",
    "Step",
    "Threshold",
    "UnderivableError",
    "derive_constraint",
    "step_text",
    "whole_proof",
    "write_proof",
]
