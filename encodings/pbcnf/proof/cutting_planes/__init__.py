"""A checker of pseudo-Boolean proofs, for the part of VeriPB's format that derivations need.

It shares no code with what writes them: this package imports nothing but the standard library.
"""

from pbcnf.proof.cutting_planes.checker import Derived, check_proof
from pbcnf.proof.cutting_planes.error import ProofError
from pbcnf.proof.cutting_planes.inequality import Inequality

__all__ = ["Derived", "Inequality", "ProofError", "check_proof"]
