"""Check of verdicts proved by sums of clues, steps in cutting planes.

Verdicts are read off single derived constraints: a literal is true if the constraint cannot hold
without it. Nothing else is taken from the making of the proof. Two checkers, which share no code,
check the steps; only results of both count.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from satsweeper.checker.board import CheckedBoard
from satsweeper.checker.formula import MAP, PROBLEM, check_problem, check_steps
from satsweeper.checker.jobs import ALONE, Jobs
from satsweeper.checker.manifest import SUMS, LoadedCertificate
from satsweeper.checker.name_map import check_map
from satsweeper.checker.opb_statement import OpbStatement
from satsweeper.checker.sums_recheck import add_up


@dataclass(frozen=True)
class Summed:
    """Results of sums of clues: a contradiction (``refuted``), or literals and clauses."""

    refuted: bool
    literals: frozenset[int]
    clauses: frozenset[frozenset[int]]

    def proves(self, clause: Iterable[int]) -> bool:
        """Whether ``clause`` was derived, or has a literal that every layout makes true."""
        literals = frozenset(clause)
        return self.refuted or not self.literals.isdisjoint(literals) or literals in self.clauses


NOTHING = Summed(False, frozenset(), frozenset())


def check_sums(
    certificate: LoadedCertificate,
    board: CheckedBoard,
    statement: OpbStatement,
    stem: str,
    *,
    alone: bool,
    parts: Jobs = ALONE,
) -> Summed:
    """Check the steps of sums.pbp from the constraints of ``statement``.

    Args:
        certificate: its files.
        board: whose cells are the variables.
        statement: the clues that may be used, and perhaps the total.
        stem: where the files are.
        alone: whether there is no formula, whose name map would be checked with it.
        parts: where the second checker may run.

    Raises:
        WrongCertificateError: the problem is another one, or a step is wrong.
    """
    problem = check_problem(certificate.files[stem + PROBLEM], statement, stem + PROBLEM)
    if alone:
        check_map(certificate, board, statement.cells, stem + MAP)
    proof = certificate.files[stem + SUMS]
    texts = certificate.text(stem + PROBLEM), certificate.text(stem + SUMS)
    adding = parts.start(add_up, *texts, stem + SUMS)
    derived = check_steps(problem, proof, stem + PROBLEM, stem + SUMS)
    again = adding()
    return Summed(
        derived.refuted and again.refuted,
        frozenset(derived.forced() & again.literals),
        frozenset(derived.derived_clauses() & again.clauses),
    )
