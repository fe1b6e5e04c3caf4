"""Verdicts proved by sums of clues: the steps in cutting planes, and what they come to.

What a cell is in every layout is read off single constraints that were derived: a literal is true
if the constraint could not hold without it. Nothing else is taken from how the proof was made. Two
checkers take the steps, which share nothing; only what both find counts.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from pbcnf.proof.cutting_planes import ProofError, check_proof
from satsweeper.checker.board import Board
from satsweeper.checker.formula import MAP, MOST_DIGITS, PROBLEM, check_problem
from satsweeper.checker.jobs import ALONE, Jobs
from satsweeper.checker.manifest import SUMS, Certificate
from satsweeper.checker.name_map import check_map
from satsweeper.checker.stated import Stated
from satsweeper.checker.sums_again import add_up
from satsweeper.checker.wrong import wrong_at


@dataclass(frozen=True)
class Summed:
    """What sums of the clues prove: nothing holds (``refuted``), or literals and clauses."""

    refuted: bool
    literals: frozenset[int]
    clauses: frozenset[frozenset[int]]

    def proves(self, clause: Iterable[int]) -> bool:
        """Whether a clause was derived, or has a literal that every layout makes true."""
        literals = frozenset(clause)
        return self.refuted or not self.literals.isdisjoint(literals) or literals in self.clauses


NOTHING = Summed(False, frozenset(), frozenset())


def check_sums(
    certificate: Certificate,
    board: Board,
    said: Stated,
    stem: str,
    *,
    alone: bool,
    parts: Jobs = ALONE,
) -> Summed:
    """Follow the steps from what the board says.

    Args:
        certificate: its files.
        board: whose cells are the variables.
        said: the clues that may be used, and perhaps the total.
        stem: where the files are.
        alone: whether there is no formula, whose name map would be checked with it.
        parts: where the second checker may run.

    Raises:
        WrongCertificateError: the problem is another one, or a step is wrong.
    """
    problem = check_problem(certificate.files[stem + PROBLEM], said, stem + PROBLEM)
    if alone:
        check_map(certificate, board, said.cells, stem + MAP)
    proof = certificate.files[stem + SUMS]
    texts = certificate.text(stem + PROBLEM), certificate.text(stem + SUMS)
    adding = parts.start(add_up, *texts, stem + SUMS)
    try:
        derived = check_proof(problem, proof, stem + PROBLEM, stem + SUMS, most_digits=MOST_DIGITS)
    except ProofError as error:
        raise wrong_at(error.source, error.line, error.message) from None
    again = adding()
    return Summed(
        derived.refuted and again.refuted,
        frozenset(derived.forced() & again.literals),
        frozenset(derived.derived_clauses() & again.clauses),
    )
