"""``check``: a certificate from the board up, and the first thing that is wrong with it."""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from satsweeper.checker.asked import Asked, Flags
from satsweeper.checker.board import BOARD, Board, read_board
from satsweeper.checker.claims import check_claims
from satsweeper.checker.external import check_externally
from satsweeper.checker.layouts import check_layouts, verdicts_of
from satsweeper.checker.manifest import MANIFEST, CellProof, Certificate, read_certificate
from satsweeper.checker.stated import Stated
from satsweeper.checker.wrong import WrongCertificateError, counted

SECONDS = 600.0
"""For one run of another checker."""


@dataclass(frozen=True)
class Checked:
    """What was proved: so many verdicts, so many unknown cells witnessed, by so much.

    All of it is from the bytes that were checked.
    """

    rows: tuple[str, ...]
    """The board: ``0``-``8``, ``?`` covered, ``F`` a flag."""
    mines: int | None
    """Its total, flags included; None if it is not known."""
    flags: Flags
    """Whether flags were taken for mines, or for covered cells."""
    status: Literal["consistent", "inconsistent"]
    grid: tuple[str, ...] | None
    """The verdicts, as ``classify`` prints them; None of an inconsistent board."""
    sha256: str
    """Of the manifest, which has that of every other file."""
    proved: int
    proof: str
    """``clauses`` and their refutation, ``sums`` of clues, or ``both``."""
    by_sums: int
    """How many of the verdicts were proved by sums."""
    witnessed: int
    cells: int
    """Certain cells with a proof of their own."""
    clauses: int
    lemmas: int
    layouts: int
    external: tuple[str, ...]
    """Other checkers that accepted every file they understand."""
    one_proof: bool
    """Whether one pseudo-Boolean proof, which is there and holds, proves all verdicts again."""

    def as_json(self) -> dict[str, Any]:
        """The object that ``check --json`` prints."""
        rest = asdict(self)
        size = {"rows": len(rest.pop("rows")), "columns": len(self.rows[0]) if self.rows else 0}
        board = {**size, "mines": rest.pop("mines"), "flags": rest.pop("flags")}
        return {"schema": "satsweeper/check/1", "verified": True, "board": board, **rest}

    def sentence(self) -> str:
        """What was verified, a line for each kind of proof."""
        how = counted(self.lemmas, "lemma")
        if self.proof != "clauses":
            sums = f"{self.by_sums or ''} by sums of clues".lstrip()
            how = sums if self.proof == "sums" else f"{sums}; {how}"
        if self.status == "inconsistent":
            lines = [f"verified: the board is inconsistent ({how})"]
        else:
            lines = [
                f"verified: {counted(self.proved, 'certain verdict')} proved ({how}),"
                f" {counted(self.witnessed, 'unknown cell')} witnessed by"
                f" {counted(self.layouts, 'layout')}"
            ]
        if self.one_proof:
            lines.append("verified: the same in one pseudo-Boolean proof")
        if self.cells:
            proofs = "a proof of its own" if self.cells == 1 else "proofs of their own"
            lines.append(f"verified: {counted(self.cells, 'cell')} by {proofs}")
        if self.external:
            lines.append(f"accepted by {', '.join(self.external)}")
        return "\n".join(lines)

    def answers(self) -> tuple[str, ...]:
        """The verdicts, or an inconsistent board itself, a row a line."""
        return self.rows if self.grid is None else self.grid


def check(
    folder: str | PathLike[str],
    *,
    board: Sequence[str] | None = None,
    mines: int | Literal["unknown"] | None = None,
    flags: Flags | None = None,
    external: bool = True,
) -> Checked:
    """Check a certificate completely.

    Args:
        folder: where it is.
        board: the board it must be about: a text in the plain notation, or its rows. Without one,
            what is checked is that some board has some verdicts; the result says which.
        mines: the total it must be about, or "unknown". None: the one that ``board`` states, which
            is unknown for rows alone; any total without a board.
        flags: how it must read flags. None: "trust" with a board, else any.
        external: also ask the checkers of others that are on PATH.

    Raises:
        ValueError: ``board`` is a text in another notation, or an argument has another value.
        WrongCertificateError: the first thing wrong.
        OSError: a file cannot be read.
    """
    asked = Asked.of(board, mines, flags)
    with _no_search_for_cycles():
        return _check(Path(folder), asked, external)


def _check(folder: Path, asked: Asked, external: bool) -> Checked:
    certificate = read_certificate(folder)
    about = read_board(certificate.text(BOARD), certificate.trust_flags)
    asked.require(about, certificate.trust_flags)
    if certificate.size != about.size:
        raise WrongCertificateError(MANIFEST, "rows, columns, mines: not those of the board")
    witnessed = layouts = 0
    verdicts = ""
    claimed: list[int] | None = None
    if certificate.consistent:
        verdicts = verdicts_of(certificate, about)
        claimed = [
            v if verdict == "M" else -v
            for v, verdict in enumerate(verdicts, start=1)
            if verdict != "?"
        ]
        witnessed = len(verdicts) - len(claimed)
    proved = check_claims(certificate, about, Stated.by(about), claimed, certificate.way)
    if certificate.consistent:
        layouts = check_layouts(certificate, about, verdicts)
    lemmas = proved.lemmas
    for proof in certificate.proofs:
        lemmas += _check_cell(certificate, about, verdicts, proof)
    stems = ["", *(proof.stem for proof in certificate.proofs)] if external else []
    accepted = {
        name for stem in stems for name in check_externally(certificate.files, stem, SECONDS)
    }
    return Checked(
        about.rows,
        about.mines,
        "trust" if certificate.trust_flags else "ignore",
        "consistent" if certificate.consistent else "inconsistent",
        certificate.grid,
        certificate.sha256,
        len(claimed or ()),
        certificate.way,
        proved.by_sums,
        witnessed,
        len(certificate.proofs),
        proved.clauses,
        lemmas,
        layouts,
        tuple(sorted(accepted)),
        proved.in_one,
    )


@contextmanager
def _no_search_for_cycles() -> Iterator[None]:
    """Without the collector of Python: of a large board there are millions of objects, in no cycle,
    and looking through them again and again takes a fifth of the time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _check_cell(certificate: Certificate, board: Board, verdicts: str, proof: CellProof) -> int:
    """The lemmas of a cell's own proof, from the clues that it names alone."""
    v = board.variable.get(proof.cell, 0)
    if not v or verdicts[v - 1 : v] != proof.verdict[0].upper():
        raise WrongCertificateError(MANIFEST, f"cells: {proof.cell} has another verdict")
    unknown = [clue for clue in proof.clues if clue not in board.clues]
    if unknown or (proof.total and board.total is None):
        what = f"clue at {unknown[0]}" if unknown else "total"
        raise WrongCertificateError(MANIFEST, f"cells: the board has no {what}")
    said = [board.clues[clue] for clue in proof.clues]
    if proof.total and board.total is not None:
        said.append(board.total)
    claimed = [v if proof.verdict == "mine" else -v]
    stated = Stated.of(len(board.cells), said)
    return check_claims(certificate, board, stated, claimed, proof.way, proof.stem).lemmas
