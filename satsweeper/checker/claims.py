"""Claims about cells, or that a board has no layout: proved by sums, by clauses, or by both.

By sums: verdicts are read off single constraints that steps in cutting planes derive. A literal is
true if a derived constraint cannot hold while the literal is false.
By clauses: formula and negated claims are refuted, by DRAT and by LRAT. Both are checked twice.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from pbcnf.proof import (
    Cnf,
    LratAddition,
    ProofFormatError,
    check_drat,
    check_lrat,
    parse_drat,
    parse_lrat,
)
from satsweeper.checker.board import CheckedBoard
from satsweeper.checker.contents import check_distinct
from satsweeper.checker.errors import WrongCertificateError, counted, wrong_at
from satsweeper.checker.formula import (
    FORMULA,
    MAP,
    PROBLEM,
    OpbStatement,
    check_formula,
    check_map,
    check_problem,
    check_steps,
    read_clauses,
)
from satsweeper.checker.jobs import ALONE, Jobs
from satsweeper.checker.manifest import ONE_PROOF, SUMS, LoadedCertificate
from satsweeper.checker.sums_recheck import add_up

REFUTED: Final = "refutation.cnf"
DRAT: Final = "refutation.drat"
LRAT: Final = "refutation.lrat"


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
        certificate: holds the files.
        board: its covered cells are the variables.
        statement: the clues that may be used, and perhaps the total.
        stem: the folder of the files with a slash behind it; empty for those of the whole board.
        alone: whether there is no formula, so that the name map has to be checked here.
        parts: runs the second checker, perhaps in another process.

    Raises:
        WrongCertificateError: clues.opb does not state ``statement``, or a step is wrong.
    """
    problem = check_problem(certificate.files[stem + PROBLEM], statement, stem + PROBLEM)
    if alone:
        check_map(certificate, board, statement.cells, stem + MAP)
    proof = certificate.files[stem + SUMS]
    texts = certificate.text(stem + PROBLEM), certificate.text(stem + SUMS)
    # Two checkers that share no code follow the same steps, perhaps in two processes. Only what
    # both prove counts: a literal or clause that one of them alone finds is dropped.
    adding = parts.start(add_up, *texts, stem + SUMS)
    derived = check_steps(problem, proof, stem + PROBLEM, stem + SUMS)
    again = adding()
    return Summed(
        derived.refuted and again.refuted,
        frozenset(derived.forced() & again.literals),
        frozenset(derived.derived_clauses() & again.clauses),
    )


def check_refutation(
    certificate: LoadedCertificate,
    formula: Cnf,
    against: Sequence[int] | None,
    stem: str = "",
    summed: Summed = NOTHING,
    parts: Jobs = ALONE,
) -> int:
    """Check both proofs that a formula and the clause ``against`` are contradictory.

    Args:
        certificate: holds the files.
        formula: its clauses are known to follow from the board.
        against: the clause "some claimed literal is false"; None: there is no layout, and no clause
            is added.
        stem: the folder of the files with a slash behind it; empty for those of the whole board.
        summed: proves each refuted clause between those of ``formula`` and ``against``.
        parts: runs the check of one proof, perhaps in another process.

    Returns:
        The number of lemmas of the LRAT proof.

    Raises:
        WrongCertificateError: refutation.cnf holds other clauses, or a proof is wrong.
    """
    refuted = read_clauses(certificate, stem + REFUTED)
    last = [] if against is None else [tuple(against)]
    between = refuted.clauses[len(formula.clauses) : len(refuted.clauses) - len(last)]
    if summed is not NOTHING:
        for number, clause in enumerate(between, len(formula.clauses) + 1):
            if not summed.proves(clause):
                fault = f"clause {number} is not in {FORMULA}, and {SUMS} does not prove it"
                raise WrongCertificateError(stem + REFUTED, fault)
        last = [*between, *last]
    # The refuted clauses must be exactly these: the formula, which follows from the board, clauses
    # that sums prove, and the negated claim.
    expected = [*formula.clauses, *last]
    if refuted.num_vars != formula.num_vars:
        raise WrongCertificateError(
            stem + REFUTED,
            f"it has {counted(refuted.num_vars, 'variable')}, {FORMULA} {formula.num_vars}",
        )
    if len(refuted.clauses) != len(expected):
        fault = f"{counted(len(refuted.clauses), 'clause')}, where there should be {len(expected)}"
        raise WrongCertificateError(stem + REFUTED, fault)
    for number, (found, wanted) in enumerate(zip(refuted.clauses, expected, strict=True), start=1):
        if set(found) != set(wanted):
            what = f"clause {number} of {FORMULA}"
            if number == len(expected):
                what = "the last clause: that something claimed is otherwise"
            raise WrongCertificateError(stem + REFUTED, f"clause {number} is not {what}")
    lrat, drat = stem + LRAT, stem + DRAT
    try:
        steps = parse_lrat(certificate.files[lrat], lrat)
        lemmas = parse_drat(certificate.files[drat], drat)
    except ProofFormatError as error:
        raise wrong_at(error.source, error.line, error.message) from None
    check_distinct(
        lrat, (step.literals for step in steps if isinstance(step, LratAddition)), "lemma"
    )
    check_distinct(drat, (step.literals for step in lemmas), "step")
    # Two checks of one refutation: DRAT by unit propagation, LRAT by its hints without any search.
    plain = parts.start(check_drat, refuted.clauses, lemmas)
    hinted = check_lrat(refuted.clauses, steps, strict=True)
    for name, checked in ((lrat, hinted), (drat, plain())):
        if not checked.verified:
            raise WrongCertificateError(name, checked.reason)
    return hinted.lemmas


class Proved(NamedTuple):
    """Numbers of claims proved by sums, of clauses, and of lemmas that refute them."""

    by_sums: int
    clauses: int
    lemmas: int


def prove_in_parts(
    certificate: LoadedCertificate,
    board: CheckedBoard,
    statement: OpbStatement,
    claimed: Sequence[int] | None,
    way: str,
    stem: str = "",
    parts: Jobs = ALONE,
) -> Proved:
    """Check that ``claimed`` follows from ``statement``: by sums, by clauses, or by both.

    Args:
        certificate: holds the files.
        board: its covered cells are the variables.
        statement: the clues that may be used, and perhaps the total.
        claimed: literals that every layout makes true; None claims that there is no layout.
        way: the kind of proof, a key of ``PROOF_FILES``.
        stem: the folder of the files with a slash behind it; empty for those of the whole board.
        parts: runs pieces of the check, perhaps in other processes.

    Raises:
        WrongCertificateError: the first defect.
    """
    # Sums come first: a literal that they force needs no clauses.
    alone = way == "sums"
    summed = NOTHING
    if way != "clauses":
        summed = check_sums(certificate, board, statement, stem, alone=alone, parts=parts)
    rest = None if claimed is None else [lit for lit in claimed if not summed.proves([lit])]
    by_sums = len(claimed or ()) - len(rest or ())
    if alone:
        if rest:
            cell = board.cells[abs(rest[0]) - 1]
            raise WrongCertificateError(stem + SUMS, f"the verdict of {cell} is not proved")
        if rest is None and not summed.refuted:
            raise WrongCertificateError(stem + SUMS, "that there is no layout is not proved")
        return Proved(by_sums, 0, 0)
    # The rest is refuted in clauses: the formula follows from the counts, and together with "some
    # claimed literal is false" it has no model. So every layout makes every claimed literal true.
    formula = check_formula(certificate, board, statement, stem, parts)
    against = None if rest is None else [-lit for lit in rest]
    lemmas = 0
    if against is None or against:
        lemmas = check_refutation(certificate, formula, against, stem, summed, parts)
    return Proved(by_sums, len(formula.clauses), lemmas)


def check_one_proof(
    certificate: LoadedCertificate,
    statement: OpbStatement,
    claimed: Sequence[int] | None,
    stem: str = "",
) -> None:
    """Check that ``statement`` contradicts the clause "some literal of ``claimed`` is false".

    Only proof.opb and proof.pbp are read. proof.opb must state exactly ``statement`` and the
    clause, and the checker of cutting planes follows the steps of proof.pbp.

    Args:
        certificate: holds the files.
        statement: the clues that may be used, and perhaps the total.
        claimed: literals that every layout makes true; None claims that there is no layout.
        stem: the folder of the files with a slash behind it; empty for those of the whole board.

    Raises:
        WrongCertificateError: proof.opb states something else, or proof.pbp derives no
            contradiction.
    """
    problem, proof = (stem + name for name in ONE_PROOF)
    claim = None if claimed is None else [-lit for lit in claimed]
    problem_read = check_problem(certificate.files[problem], statement, problem, claim)
    if not check_steps(problem_read, certificate.files[proof], problem, proof).refuted:
        raise WrongCertificateError(proof, "it does not conclude that there is a contradiction")
