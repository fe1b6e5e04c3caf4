"""Check of proof.pbp: all claims in one pseudo-Boolean proof, its problem compared with the board.

Nothing is taken from how the proof was made, nor from any other file: what has to be right is the
problem, made here anew from the board and the claims, and the checker of cutting planes.
"""

from collections.abc import Sequence

from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.formula import check_problem, check_steps
from satsweeper.checker.manifest import ONE_PROOF, LoadedCertificate
from satsweeper.checker.opb_statement import OpbStatement


def check_one_proof(
    certificate: LoadedCertificate,
    statement: OpbStatement,
    claimed: Sequence[int] | None,
    stem: str = "",
) -> None:
    """Check that ``statement`` contradicts the clause "some literal of ``claimed`` is false".

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
