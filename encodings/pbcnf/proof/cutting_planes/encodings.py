"""Clauses checked against the pseudo-Boolean problem that they encode, by the proof beside them."""

from __future__ import annotations

from dataclasses import dataclass

from pbcnf.proof.cnf_reader import parse_cnf
from pbcnf.proof.cutting_planes.checking import check_proof
from pbcnf.proof.cutting_planes.error import ProofError
from pbcnf.proof.cutting_planes.formula import read_formula
from pbcnf.proof.cutting_planes.statements import MOST_COMPUTED


@dataclass(frozen=True, slots=True)
class CheckedEncoding:
    """What was checked: constraints of the problem (an equality is two), variables, clauses."""

    constraints: int
    inputs: int
    variables: int
    clauses: int
    steps: int
    """Constraints that the proof derives, deleted or not."""


def check_encoding(
    problem: bytes,
    cnf: bytes,
    proof: bytes,
    sources: tuple[str, str, str] = ("problem.opb", "formula.cnf", "proof.pbp"),
    *,
    most_digits: int = MOST_COMPUTED,
) -> CheckedEncoding:
    r"""Check that a proof leaves the clauses of a CNF and nothing else, in their order.

    Then every solution of the problem, an OPB file whose objective does not matter here, extends
    to a model of the clauses: if these are unsatisfiable, so is the problem. That a model of the
    clauses satisfies the problem is not said; whoever has one can put it in.

    Raises ProofError or ProofFormatError, naming file and line, for the first thing wrong.

    >>> opb, cnf = b"1 x1 1 x2 <= 1 ;\n", b"p cnf 2 1\n-1 -2 0\n"
    >>> proof = b"pseudo-Boolean proof version 3.0\nf 1 ;\nrup 1 ~x1 1 ~x2 >= 1 : ~ 1 ;\n"
    >>> proof += b"output NONE ;\nconclusion NONE ;\nend pseudo-Boolean proof ;\n"
    >>> check_encoding(opb, cnf, proof).clauses
    1
    """
    formula = read_formula(problem, sources[0], objective=True)
    derived = check_proof(formula, proof, sources[0], sources[2], most_digits=most_digits)
    read = parse_cnf(cnf, sources[1])
    size = len(formula.constraints)
    left = [(n, found) for n, found in derived.constraints.items() if n > size]
    for place, ((number, found), clause) in enumerate(zip(left, read.clauses, strict=False), 1):
        if found.clause != frozenset(clause) or len(found.clause) < len(clause):
            message = f"clause {place} is not what constraint {number} of the proof says"
            raise ProofError(sources[1], 0, message)
    if len(left) != len(read.clauses):
        message = f"the clauses are {len(read.clauses)}, where the proof leaves {len(left)}"
        raise ProofError(sources[1], 0, message)
    if read.num_vars < formula.variables:
        message = f"the variables are {read.num_vars}, but {formula.variables} in the problem"
        raise ProofError(sources[1], 0, message)
    last = max(derived.constraints, default=size)
    return CheckedEncoding(size, formula.variables, read.num_vars, len(left), last - size)
