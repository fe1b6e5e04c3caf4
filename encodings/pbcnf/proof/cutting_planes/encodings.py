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
    equivalent: bool
    """Whether every model of the clauses, too, satisfies the constraints."""

    @property
    def shown(self) -> str:
        """The claim that the proof shows: "equivalent", or "no solution lost"."""
        return "equivalent" if self.equivalent else "no solution lost"


@dataclass(frozen=True, slots=True)
class ProvedClauses:
    """The clauses that a proof leaves of a problem, as (number, clause), in order.

    A proof that turns around leaves them when it deletes the problem's constraints, which it then
    derives again.
    """

    formula: PbFormula
    left: tuple[tuple[int, frozenset[int] | None], ...]
    """The clause is None where another inequality is left."""
    steps: int
    equivalent: bool
    """Whether the constraints follow from the clauses as well."""
    fresh: int | None = None
    """The smallest variable introduced to show that; None for none."""

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
        derived = check_proof(formula, proof, *sources, most_digits=most_digits, turns=True)
        size, alone = len(formula.constraints), derived.alone
        some = derived.constraints.derived.items() if alone is None else alone
        left = tuple((number, found.clause) for number, found in some)
        # No constraint excludes nothing: then every model satisfies all of them.
        equivalent = alone is not None or not size
        return ProvedClauses(formula, left, derived.last - size, equivalent, derived.fresh)

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
        if self.fresh is not None and self.fresh <= read.num_vars:
            message = f"the variables are {read.num_vars}, yet the proof introduces x{self.fresh}"
            raise ProofFormatError(source, message)
        sizes = len(self.formula.constraints), inputs, read.num_vars, len(self.left), self.steps
        return CheckedEncoding(*sizes, self.equivalent)


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
    to a model of the clauses: if these are unsatisfiable, so is the problem. Whether every model
    of the clauses satisfies the problem, too, is said by `CheckedEncoding.equivalent`.

    Raises ProofError or ProofFormatError, naming file and line, for the first thing wrong.

    >>> opb, cnf = b"1 x1 1 x2 <= 1 ;\n", b"p cnf 2 1\n-1 -2 0\n"
    >>> proof = b"pseudo-Boolean proof version 3.0\nf 1 ;\nrup 1 ~x1 1 ~x2 >= 1 : ~ 1 ;\n"
    >>> proof += b"output NONE ;\nconclusion NONE ;\nend pseudo-Boolean proof ;\n"
    >>> check_encoding(opb, cnf, proof).clauses
    1
    """
    names = sources[0], sources[2]
    return ProvedClauses.of(problem, proof, names, most_digits=most_digits).check(cnf, sources[1])
