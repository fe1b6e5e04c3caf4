"""Claims about cells, or that a board has no layout: proved by sums, by clauses, or by both."""

from collections.abc import Sequence
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
    check_formula,
    check_problem,
    check_steps,
    read_clauses,
)
from satsweeper.checker.jobs import ALONE, Jobs
from satsweeper.checker.manifest import ONE_PROOF, SUMS, LoadedCertificate
from satsweeper.checker.opb_statement import OpbStatement
from satsweeper.checker.sums import NOTHING, Summed, check_sums

# Check of the two refutations, DRAT and LRAT, of formula and negated claims.

REFUTED: Final = "refutation.cnf"
DRAT: Final = "refutation.drat"
LRAT: Final = "refutation.lrat"


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
        certificate: its files.
        formula: whose clauses are known to follow from the board.
        against: the literals of "something claimed is otherwise"; None adds no clause.
        stem: where the files are.
        summed: proves the clauses between the two.
        parts: where one of the proofs may be checked.

    Returns:
        The number of lemmas of the proof.

    Raises:
        WrongCertificateError: the refuted clauses are others, or a proof is wrong.
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
    _compare(refuted.clauses, expected, stem)
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


def _compare(found: Sequence[Sequence[int]], expected: Sequence[Sequence[int]], stem: str) -> None:
    if len(found) != len(expected):
        raise WrongCertificateError(
            stem + REFUTED,
            f"{counted(len(found), 'clause')}, where there should be {len(expected)}",
        )
    for place, (one, other) in enumerate(zip(found, expected, strict=True)):
        if set(one) != set(other):
            what = f"clause {place + 1} of {FORMULA}"
            if place == len(expected) - 1:
                what = "the last clause: that something claimed is otherwise"
            raise WrongCertificateError(stem + REFUTED, f"clause {place + 1} is not {what}")


class Proved(NamedTuple):
    """Numbers of claims proved by sums, of clauses, and of lemmas that refute them.

    ``in_one``: whether one pseudo-Boolean proof proves all claims as well.
    """

    by_sums: int
    clauses: int
    lemmas: int
    in_one: bool = False


def check_claims(
    certificate: LoadedCertificate,
    board: CheckedBoard,
    statement: OpbStatement,
    claimed: Sequence[int] | None,
    way: str,
    stem: str = "",
) -> Proved:
    """Check that ``claimed`` follows from ``statement``: by sums, clauses, and proof.pbp if any.

    Args:
        certificate: its files.
        board: whose cells are the variables.
        statement: the clues that may be used, and perhaps the total.
        claimed: literals that every layout makes true; None: there is no layout.
        way: how that is proved, a key of ``PROOF_FILES``.
        stem: where the files are.

    Raises:
        WrongCertificateError: the first thing wrong.
    """
    proved = prove_in_parts(certificate, board, statement, claimed, way, stem)
    if stem + ONE_PROOF[1] in certificate.files:
        check_one_proof(certificate, statement, claimed, stem)
        return proved._replace(in_one=True)
    return proved


def prove_in_parts(
    certificate: LoadedCertificate,
    board: CheckedBoard,
    statement: OpbStatement,
    claimed: Sequence[int] | None,
    way: str,
    stem: str = "",
    parts: Jobs = ALONE,
) -> Proved:
    """Check claims as `check_claims`, but without proof.pbp; ``parts`` may run pieces elsewhere."""
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

    Nothing is taken from how proof.pbp was made, nor from any other file: the problem is made here
    anew from the board and the claims, and the checker of cutting planes follows the steps.

    Args:
        certificate: its files.
        statement: the clues that may be used, and perhaps the total.
        claimed: literals that every layout makes true; None: there is no layout.
        stem: where the files are.

    Raises:
        WrongCertificateError: the problem is another one, or the proof proves no contradiction.
    """
    problem, proof = (stem + name for name in ONE_PROOF)
    claim = None if claimed is None else [-lit for lit in claimed]
    problem_read = check_problem(certificate.files[problem], statement, problem, claim)
    if not check_steps(problem_read, certificate.files[proof], problem, proof).refuted:
        raise WrongCertificateError(proof, "it does not conclude that there is a contradiction")
