"""Clauses checked against the pseudo-Boolean problem that they encode, by the proof beside them."""

from __future__ import annotations

from dataclasses import dataclass

from pbcnf.proof.cnf_reader import parse_cnf
from pbcnf.proof.cutting_planes.checker import check_proof
from pbcnf.proof.cutting_planes.formula import PbFormula, read_formula
from pbcnf.proof.cutting_planes.statements import MOST_COMPUTED
from pbcnf.proof.format_error import ProofFormatError


@dataclass(frozen=True, slots=True)
class CheckedEncoding:
    """The sizes of a checked encoding: constraints (an equality is two), variables, clauses."""

    constraints: int
    inputs: int
    variables: int
    clauses: int
    steps: int
    """Constraints that the proof derives, deleted or not."""


@dataclass(frozen=True, slots=True)
class ProvedClauses:
    """The clauses that a proof leaves of a problem, as (number, clause), in order."""

    formula: PbFormula
    left: tuple[tuple[int, frozenset[int] | None], ...]
    """The clause is None where another inequality is left."""
    steps: int

    @staticmethod
    def of(
        problem: bytes,
        proof: bytes,
        sources: tuple[str, str] = ("problem.opb", "proof.pbp"),
        *,
        most_digits: int = MOST_COMPUTED,
    ) -> ProvedClauses:
        """Check the proof. Raises ProofError, naming file and line, for the first thing wrong."""
        # Without its objective: what is derived from a solution holds for better ones only.
        formula = read_formula(problem, sources[0], objective=True)._replace(objective=None)
        derived = check_proof(formula, proof, *sources, most_digits=most_digits)
        size = len(formula.constraints)
        left = tuple((n, found.clause) for n, found in derived.constraints.items() if n > size)
        return ProvedClauses(formula, left, derived.last - size)

    def check(self, cnf: bytes, source: str = "formula.cnf") -> CheckedEncoding:
        """Check that a CNF has exactly the proved clauses, in order.

        Raises ProofFormatError for the first thing wrong.
        """
        read = parse_cnf(cnf, source)
        for place, ((number, proved), clause) in enumerate(
            zip(self.left, read.clauses, strict=False), start=1
        ):
            if proved != frozenset(clause) or len(proved) < len(clause):
                message = f"clause {place} is not what constraint {number} of the proof says"
                raise ProofFormatError(source, message)
        if len(self.left) != len(read.clauses):
            message = (
                f"the clauses are {len(read.clauses)}, where the proof leaves {len(self.left)}"
            )
            raise ProofFormatError(source, message)
        inputs = self.formula.variables
        if read.num_vars < inputs:
            message = f"the variables are {read.num_vars}, but {inputs} in the problem"
            raise ProofFormatError(source, message)
        rows = len(self.formula.constraints)
        return CheckedEncoding(rows, inputs, read.num_vars, len(self.left), self.steps)


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
    names = sources[0], sources[2]
    return ProvedClauses.of(problem, proof, names, most_digits=most_digits).check(cnf, sources[1])
