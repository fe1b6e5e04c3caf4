"""Check of the two refutations, DRAT and LRAT, of formula and negated claims."""

from collections.abc import Sequence
from typing import Final

from pbcnf.proof import (
    Cnf,
    LratAddition,
    ProofFormatError,
    check_drat,
    check_lrat,
    parse_drat,
    parse_lrat,
)
from satsweeper.checker.canonical import check_distinct
from satsweeper.checker.errors import WrongCertificateError, counted, wrong_at
from satsweeper.checker.formula import FORMULA, read_clauses
from satsweeper.checker.jobs import ALONE, Jobs
from satsweeper.checker.manifest import SUMS, LoadedCertificate
from satsweeper.checker.sums import NOTHING, Summed

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
