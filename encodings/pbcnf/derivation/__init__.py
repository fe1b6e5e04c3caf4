"""Derivations of clauses from the counting constraints they encode, for VeriPB and other checkers.

The clauses of an encoder need not be trusted: what is derived follows from the constraint in the
formula, whoever emitted it. A derivation says that every assignment of the inputs which satisfies
the constraint extends to a model of the clauses; it does not say that no other does.

>>> from pbcnf import Cardinality
>>> steps = Derivation(formula=1)
>>> derive(Cardinality([1, 2, 3], upper=1), "totalizer", Given(upper=1), steps, first_auxiliary=4)
[6, 7, 8, 10, 12]
"""

from pbcnf.constraints.constraint import Cardinality
from pbcnf.derivation.clauses import ClauseDerivation
from pbcnf.derivation.counting import derive, derive_range
from pbcnf.derivation.proof_file import VERSIONS, write_proof
from pbcnf.derivation.steps import Derivation, Given, Step
from pbcnf.derivation.thresholds import MEANINGS, Threshold

__all__ = [
    "MEANINGS",
    "VERSIONS",
    "Cardinality",
    "ClauseDerivation",
    "Derivation",
    "Given",
    "Step",
    "Threshold",
    "derive",
    "derive_range",
    "write_proof",
]
