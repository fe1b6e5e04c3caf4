"""Claims about cells, or that a board has no layout: proved by sums, by clauses, or by both."""

from collections.abc import Sequence
from typing import NamedTuple

from satsweeper.checker.board import CheckedBoard
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.formula import check_formula, check_problem, check_steps
from satsweeper.checker.jobs import ALONE, Jobs
from satsweeper.checker.manifest import ONE_PROOF, SUMS, LoadedCertificate
from satsweeper.checker.opb_statement import OpbStatement
from satsweeper.checker.refutation import check_refutation
from satsweeper.checker.sums import NOTHING, check_sums


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
