"""``check``: a certificate from the board up, and the first thing that is wrong with it."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from satsweeper.checker.board import BOARD, Board, Cell, Count, read_board
from satsweeper.checker.external import check_externally
from satsweeper.checker.formula import check_formula
from satsweeper.checker.layouts import check_layouts, verdicts_of
from satsweeper.checker.manifest import MANIFEST, CellProof, Certificate, read_certificate
from satsweeper.checker.refutation import check_refutation
from satsweeper.checker.wrong import WrongCertificateError

SECONDS = 600.0
"""For one run of another checker."""


@dataclass(frozen=True)
class Checked:
    """What was proved: so many verdicts, so many unknown cells witnessed, by so much."""

    status: str
    proved: int
    witnessed: int
    cells: int
    """Certain cells with a proof of their own."""
    clauses: int
    lemmas: int
    layouts: int
    external: tuple[str, ...]
    """Other checkers that accepted every file they understand."""

    def as_json(self) -> dict[str, Any]:
        """The object that ``check --json`` prints."""
        return {"schema": "satsweeper/check/1", "verified": True, **asdict(self)}


def check(
    folder: str | PathLike[str], *, board: Sequence[str] | None = None, external: bool = True
) -> Checked:
    """Check a certificate completely.

    Args:
        folder: where it is.
        board: the rows that the board should have, in the plain notation of certificates. (Its
            total is part of what is certified: the certificate says which.)
        external: also ask the checkers of others that are on PATH.

    Raises:
        WrongCertificateError: the first thing wrong.
        OSError: a file cannot be read.
    """
    folder = Path(folder)
    certificate = read_certificate(folder)
    about = read_board(certificate.text(BOARD), certificate.trust_flags)
    if board is not None and tuple(board) != about.rows:
        raise WrongCertificateError(BOARD, "this is another board than the one given")
    if certificate.size != about.size:
        raise WrongCertificateError(MANIFEST, "rows, columns, mines: not those of the board")
    formula = check_formula(certificate, about, _all_counts(about))
    proved = witnessed = layouts = 0
    if certificate.consistent:
        verdicts = verdicts_of(certificate, about)
        layouts = check_layouts(certificate, about, verdicts)
        against = [
            -about.variable[cell] if verdict == "M" else about.variable[cell]
            for cell, verdict in verdicts.items()
            if verdict != "?"
        ]
        proved, witnessed = len(against), len(verdicts) - len(against)
        lemmas = check_refutation(certificate, formula, against) if against else 0
    else:
        verdicts = {}
        lemmas = check_refutation(certificate, formula, None)
    for proof in certificate.proofs:
        lemmas += _check_cell(certificate, about, verdicts, proof)
    stems = ["", *(proof.stem for proof in certificate.proofs)] if external else []
    accepted = {
        name
        for stem in stems
        for name in check_externally(folder, set(certificate.files), stem, SECONDS)
    }
    return Checked(
        "consistent" if certificate.consistent else "inconsistent",
        proved,
        witnessed,
        len(certificate.proofs),
        len(formula.clauses),
        lemmas,
        layouts,
        tuple(sorted(accepted)),
    )


def _all_counts(board: Board) -> Iterator[Count]:
    """What the board says, less the clues that say nothing."""
    for count in board.clues.values():
        if count.variables or count.mines:
            yield count
    if board.total is not None:
        yield board.total


def _check_cell(
    certificate: Certificate, board: Board, verdicts: dict[Cell, str], proof: CellProof
) -> int:
    """The lemmas of a cell's own proof, from the clues that it names alone."""
    if verdicts.get(proof.cell) != proof.verdict[0].upper():
        raise WrongCertificateError(MANIFEST, f"cells: {proof.cell} has another verdict")
    unknown = [clue for clue in proof.clues if clue not in board.clues]
    if unknown or (proof.total and board.total is None):
        what = f"clue at {unknown[0]}" if unknown else "total"
        raise WrongCertificateError(MANIFEST, f"cells: the board has no {what}")
    said = [board.clues[clue] for clue in proof.clues]
    if proof.total and board.total is not None:
        said.append(board.total)
    formula = check_formula(certificate, board, said, proof.stem)
    v = board.variable[proof.cell]
    against = -v if proof.verdict == "mine" else v
    return check_refutation(certificate, formula, [against], proof.stem)
