"""Proofs of unsatisfiability, checked: DRUP, DRAT, FRAT, LRAT, and LIDRUP of incremental solvers.

The trusted base of an independent check: plain tuples, the standard library, nothing of the rest
of this package. Two checkers share no code: `check_drat` finds the conflicts itself by unit
propagation, `check_lrat` follows hints, which `to_lrat` writes.

>>> cnf = parse_cnf(b"p cnf 2 4\\n1 2 0\\n-1 2 0\\n1 -2 0\\n-1 -2 0\\n")
>>> proof = parse_drat(b"2 0\\n0\\n")
>>> check_drat(cnf.clauses, proof).verified
True
>>> check_lrat(cnf.clauses, to_lrat(cnf.clauses, proof)).reason
'the empty clause is derived'
"""

from pbcnf.proof.cnf_reader import parse_cnf, read_cnf
from pbcnf.proof.conversion import UnprovedError, to_lrat
from pbcnf.proof.drat import check_drat, session_lemmas
from pbcnf.proof.drat_reader import parse_drat, read_drat
from pbcnf.proof.format_error import ProofFormatError
from pbcnf.proof.frat_reader import parse_frat, read_frat
from pbcnf.proof.lidrup import Event, LidrupChecker
from pbcnf.proof.lrat import check_lrat
from pbcnf.proof.lrat_reader import parse_lrat, read_lrat, write_lrat
from pbcnf.proof.propagation import Deletions
from pbcnf.proof.steps import (
    Addition,
    Checked,
    Cnf,
    Deletion,
    DratStep,
    LratAddition,
    LratDeletion,
    LratStep,
)

__all__ = [
    "Addition",
    "Checked",
    "Cnf",
    "Deletion",
    "Deletions",
    "DratStep",
    "Event",
    "LidrupChecker",
    "LratAddition",
    "LratDeletion",
    "LratStep",
    "ProofFormatError",
    "UnprovedError",
    "check_drat",
    "check_lrat",
    "parse_cnf",
    "parse_drat",
    "parse_frat",
    "parse_lrat",
    "read_cnf",
    "read_drat",
    "read_frat",
    "read_lrat",
    "session_lemmas",
    "to_lrat",
    "write_lrat",
]
