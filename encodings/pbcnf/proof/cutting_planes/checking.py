"""Whole proofs checked, and what they have derived."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pbcnf.proof.cutting_planes.checker import Checker
from pbcnf.proof.cutting_planes.error import ProofError, RefusedError
from pbcnf.proof.cutting_planes.formula import PbFormula, read_formula
from pbcnf.proof.cutting_planes.inequality import Inequality
from pbcnf.proof.cutting_planes.known import Known
from pbcnf.proof.cutting_planes.statements import MOST_COMPUTED, proof_statements, text_of


@dataclass(frozen=True, slots=True)
class Derived:
    """The constraints that a correct proof leaves, by number; the formula's come first."""

    constraints: Known
    refuted: bool
    """Whether the proof concludes that the formula is unsatisfiable."""
    last: int = 0
    """The number of the constraint that was added last, deleted or not."""

    def clauses(self) -> set[frozenset[int]]:
        """Return the clauses among the constraints; -v is the negation of ``xv``."""
        return self.derived_clauses() | _clauses(self.constraints.given)

    def derived_clauses(self) -> set[frozenset[int]]:
        """Return the clauses among the derived constraints."""
        return _clauses(self.constraints.derived.values())

    def first_underived(self, clauses: Iterable[Iterable[int]]) -> int | None:
        """Return the place, from 0, of the first clause that was not derived; None if all were."""
        derived = self.derived_clauses()
        wanted = [frozenset(clause) for clause in clauses]
        if not derived.issuperset(wanted):
            derived = self.clauses()
        return next((place for place, clause in enumerate(wanted) if clause not in derived), None)

    def forced(self) -> set[int]:
        """Return the literals that single constraints force."""
        return self.constraints.forced()


def _clauses(inequalities: Iterable[Inequality]) -> set[frozenset[int]]:
    found = (inequality.clause for inequality in inequalities)
    return {clause for clause in found if clause is not None}


def check_proof(
    formula: bytes | PbFormula,
    proof: bytes,
    formula_source: str = "formula.opb",
    proof_source: str = "proof.pbp",
    *,
    most_digits: int = MOST_COMPUTED,
) -> Derived:
    r"""Check a proof in VeriPB's format, version 3.0 or 2.0, from an OPB formula, read or not.

    Read are the rules f, pol, rup, red, e, del, output NONE, conclusion NONE or UNSAT, and end;
    nothing is allowed that VeriPB would not allow, and no sum with a weight or a degree of more
    than about `most_digits` digits. Raises ProofError, naming file and line, for the first thing
    wrong.

    >>> proof = b"pseudo-Boolean proof version 3.0\nf 1 ;\nrup 1 ~x1 1 ~x2 >= 1 : ~ 1 ;\n"
    >>> proof += b"output NONE ;\nconclusion NONE ;\nend pseudo-Boolean proof ;\n"
    >>> check_proof(b"1 x1 1 x2 <= 1 ;\n", proof).first_underived([[-1, -2], [1, 2]])
    1
    """
    problem = read_formula(formula, formula_source) if isinstance(formula, bytes) else formula
    version, statements = proof_statements(text_of(proof, proof_source), proof_source)
    checker = Checker(problem, version, most_digits)
    line = 1
    for line, words in statements:
        try:
            checker.take(words)
        except RefusedError as refusal:
            raise ProofError(proof_source, line, str(refusal)) from None
    if checker.footer != 3:
        message = "the proof is cut off: 'end pseudo-Boolean proof' is missing"
        raise ProofError(proof_source, line, message)
    return Derived(checker.data.alive, checker.refuted, checker.data.last)
