"""A checker of pseudo-Boolean proofs, for the part of VeriPB's format that derivations need.

It shares no code with what writes them: this package imports nothing but the standard library.
"""

from pbcnf.proof.pseudo_boolean.checking import Derived, check_proof
from pbcnf.proof.pseudo_boolean.error import ProofError
from pbcnf.proof.pseudo_boolean.inequality import Inequality

__all__ = ["Derived", "Inequality", "ProofError", "check_proof"]
