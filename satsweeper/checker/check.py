"""``check``: a certificate of verdicts checked completely, from the board to the claims."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import compress
from os import PathLike
from pathlib import Path
from typing import Any, Literal, NoReturn, Self

from pbcnf.proof.gc_pause import gc_paused
from satsweeper.checker.board import BOARD, Cell, CheckedBoard, places, read_board
from satsweeper.checker.claims import check_one_proof, prove_in_parts
from satsweeper.checker.contents import is_integer
from satsweeper.checker.errors import WrongCertificateError, counted
from satsweeper.checker.expected_board import ExpectedBoard, Flags, board_json
from satsweeper.checker.external import check_externally
from satsweeper.checker.formula import OpbStatement
from satsweeper.checker.jobs import Jobs
from satsweeper.checker.manifest import (
    LAYOUTS,
    MANIFEST,
    ONE_PROOF,
    CellProof,
    LoadedCertificate,
    read_certificate,
)

# Check of layouts.json: for each unknown cell a layout with a mine there and a layout without. All
# layouts must agree with the certain verdicts.


def verdicts_of(certificate: LoadedCertificate, board: CheckedBoard) -> str:
    """Return the verdict of every covered cell, row by row: ``S``, ``M`` or ``?``.

    Cells of ``certificate.grid`` that are not covered must equal those of ``board``.

    Raises:
        WrongCertificateError: the grid has another size than ``board``, or another cell.
    """
    grid = certificate.grid
    assert grid is not None
    if [len(row) for row in grid] != [len(row) for row in board.rows]:
        raise WrongCertificateError(MANIFEST, "grid: not the size of the board")
    rest = str.maketrans("SM", "??")
    if any(row.translate(rest) != on for row, on in zip(grid, board.plain_rows, strict=True)):
        _refuse_row(grid, board, "SM?", MANIFEST, "grid")
    return "".join(compress("".join(grid), board.covered))


def check_layouts(certificate: LoadedCertificate, board: CheckedBoard, verdicts: str) -> int:
    """Check every layout against the board, and return the number of layouts.

    Args:
        certificate: holds layouts.json and the grid of verdicts.
        board: whose clues and total every layout must meet.
        verdicts: of the covered cells, row by row, as `verdicts_of` returns them.

    Raises:
        WrongCertificateError: a layout breaks a clue, the total or a certain verdict; or an unknown
            cell lacks a layout with a mine there, or a layout without.
    """
    found = certificate.json(LAYOUTS)
    if found.keys() != {"layouts", "cells"}:
        raise WrongCertificateError(LAYOUTS, "not an object of layouts and cells")
    layouts = found["layouts"]
    if not isinstance(layouts, list) or not layouts:
        raise WrongCertificateError(LAYOUTS, "no layout at all, so that the board may have none")
    # First all layouts as grids: the rows of the board, with S or M for each covered cell.
    rest = str.maketrans("SM?", "??-")
    for at, rows in enumerate(layouts):
        where, wrong = f"layout {at}", False
        if not isinstance(rows, list) or len(rows) != len(board.rows):
            raise WrongCertificateError(LAYOUTS, f"{where}: not the rows of the board")
        for r, (row, on_board) in enumerate(zip(rows, board.plain_rows, strict=True)):
            if not isinstance(row, str) or len(row) != len(on_board):
                raise WrongCertificateError(LAYOUTS, f"{where}: row {r} is not one of the board")
            wrong = wrong or row.translate(rest) != on_board
        if wrong:
            _refuse_row(rows, board, "SM", LAYOUTS, where)
    # Then each layout is checked against all clues and the total at once, as a set of places.
    assert certificate.grid is not None
    decided = board.grid.text(certificate.grid)
    certain, mined = places(decided, "SM"), places(decided, "M")
    for at, rows in enumerate(layouts):
        mines = places(board.grid.text(rows), "M")
        broken = board.broken_by_places(mines)
        if broken:
            raise WrongCertificateError(LAYOUTS, f"layout {at}: {broken}")
        # A certain verdict is proved elsewhere; a layout against it would refute that proof.
        other = (mines ^ mined) & certain
        if other:
            cell = board.grid.cell(board.grid.first(other))
            fault = f"layout {at} contradicts the certain verdict at {cell}"
            raise WrongCertificateError(LAYOUTS, fault)
    _require_both_ways(found["cells"], layouts, board, verdicts)
    return len(layouts)


def _require_both_ways(
    named: object, layouts: Sequence[Sequence[str]], board: CheckedBoard, verdicts: str
) -> None:
    """Require a layout with a mine and a layout without for each unknown cell, and no other.

    Args:
        named: the entry ``cells`` of layouts.json: for each cell two indices into ``layouts``.
        layouts: rows of each layout, all of them checked against ``board``.
        board: names the covered cells.
        verdicts: of the covered cells, row by row.
    """
    if not isinstance(named, list):
        raise WrongCertificateError(LAYOUTS, "cells: no list")
    shown: dict[Cell, tuple[int, int]] = {}
    for each in named:
        match each:
            case {"cell": [row, column], "mine": mine, "safe": safe, **rest} if (
                not rest
                and all(map(is_integer, (row, column, mine, safe)))
                and 0 <= mine < len(layouts)
                and 0 <= safe < len(layouts)
                and (row, column) not in shown
            ):
                shown[row, column] = (mine, safe)
            case _:
                raise WrongCertificateError(LAYOUTS, f"cells: {each!r}")
    for cell, verdict in zip(board.cells, verdicts, strict=True):
        if verdict != "?" and cell in shown:
            raise WrongCertificateError(LAYOUTS, f"cells: {cell} is certain")
        if verdict == "?" and cell not in shown:
            raise WrongCertificateError(LAYOUTS, f"the unknown cell {cell} has no layouts")
        if verdict == "?":
            (row, column), (mine, safe) = cell, shown.pop(cell)
            if layouts[mine][row][column] != "M" or layouts[safe][row][column] != "S":
                fault = f"layouts {mine} and {safe} do not show {cell} as a mine and as safe"
                raise WrongCertificateError(LAYOUTS, fault)
    # Entries that are left in ``shown`` are about cells without a verdict.
    for cell in shown:
        raise WrongCertificateError(LAYOUTS, f"cells: {cell} is no covered cell")


def _refuse_row(
    rows: Sequence[str], board: CheckedBoard, marks: str, file: str, where: str
) -> NoReturn:
    """Raise WrongCertificateError for the first wrong cell of ``rows``.

    A covered cell of ``board`` must be one of ``marks``, any other cell as on ``board``.
    ``where``: the subject of the message.
    """
    for r, (row, plain) in enumerate(zip(rows, board.plain_rows, strict=True)):
        for c, (found, on_board) in enumerate(zip(row, plain, strict=True)):
            if on_board == "?" and found not in marks:
                raise WrongCertificateError(file, f"{where}: {found!r} at {(r, c)}")
            if on_board != "?" and found != on_board:
                fault = f"{where}: {found!r} at {(r, c)}, on the board {on_board!r}"
                raise WrongCertificateError(file, fault)
    raise AssertionError("rows that are as on the board")


SECONDS = 600.0
"""Time limit of one run of another checker."""


@dataclass(frozen=True)
class Checked:
    """The proved claims of a certificate, and numbers of its proofs.

    Everything is computed from the bytes that were checked.
    """

    rows: tuple[str, ...]
    """The board: ``0``-``8``, ``?`` covered, ``F`` a flag."""
    mines: int | None
    """The total, flags included; None if the total is unknown."""
    flags: Flags
    """Whether flags were taken for mines, or for covered cells."""
    status: Literal["consistent", "inconsistent"]
    grid: tuple[str, ...] | None
    """The verdicts, as ``classify`` prints them; None of an inconsistent board."""
    sha256: str
    """Hash of the manifest, which holds the hash of every other file."""
    proved: int
    """Number of certain verdicts, each of them proved."""
    proof: str
    """Kind of the proof: ``clauses`` and their refutation, ``sums`` of clues, or ``both``."""
    by_sums: int
    """Number of verdicts proved by sums."""
    witnessed: int
    """Number of unknown cells, each shown by two layouts."""
    cells: int
    """Number of certain cells with a proof of their own."""
    clauses: int
    """Number of clauses of the formula for all verdicts; 0 if ``proof`` is ``sums``."""
    lemmas: int
    """Number of lemmas in all refutations, including the proofs of single cells."""
    layouts: int
    external: tuple[str, ...]
    """Names of foreign checkers that accepted every file they understand."""
    one_proof: bool
    """Whether there is a valid pseudo-Boolean proof of all verdicts in one piece."""

    def as_json(self) -> dict[str, Any]:
        """The object that ``check --json`` prints."""
        board = board_json(self.rows, self.mines, self.flags)
        rest = {key: found for key, found in asdict(self).items() if key not in board}
        return {"schema": "satsweeper/check/1", "verified": True, "board": board, **rest}

    def sentence(self) -> str:
        """Return the verified claims in words, a line for each kind of proof."""
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
        """Return the verdicts, or the rows of an inconsistent board, a row a line."""
        return self.rows if self.grid is None else self.grid


class CertificateContext:
    """A certificate under check, with everything derived from its board cached.

    Properties that read files of the certificate raise WrongCertificateError. A context pickled for
    another process holds only the files named in `sent_with`; that process derives its own
    properties from them.
    """

    def __init__(self, certificate: LoadedCertificate) -> None:
        self.certificate = certificate
        self._sent: tuple[str, ...] = ("",)

    def sent_with(self, *names: str) -> Self:
        """Return a context that sends another process only files that begin with ``names``."""
        other = type(self)(self.certificate)
        other.__dict__.update(self.__dict__, _sent=names)
        return other

    def __reduce__(self) -> tuple[Callable[[LoadedCertificate], Self], tuple[LoadedCertificate]]:
        held = self.certificate.files.items()
        files = {name: data for name, data in held if name.startswith(self._sent)}
        return type(self), (replace(self.certificate, files=files),)

    @cached_property
    def board(self) -> CheckedBoard:
        """The board, as the checker reads it."""
        return read_board(self.certificate.text(BOARD), self.certificate.trust_flags)

    @cached_property
    def statement(self) -> OpbStatement:
        """All clues of the board and its total, as OPB."""
        return OpbStatement.by(self.board)

    @cached_property
    def verdicts(self) -> str:
        """The verdict of every covered cell; empty for an inconsistent board."""
        return verdicts_of(self.certificate, self.board) if self.certificate.consistent else ""

    @cached_property
    def claimed(self) -> list[int] | None:
        """The literals that the certain verdicts claim; None claims that no layout exists."""
        if not self.certificate.consistent:
            return None
        verdicts = enumerate(self.verdicts, start=1)
        return [v if mark == "M" else -v for v, mark in verdicts if mark != "?"]


def check(
    folder: str | PathLike[str],
    *,
    board: Sequence[str] | None = None,
    mines: int | Literal["unknown"] | None = None,
    flags: Flags | None = None,
    external: bool = True,
    jobs: int = 1,
) -> Checked:
    """Check a certificate completely.

    Args:
        folder: the folder of the certificate.
        board: the board that the certificate must be about: a text in the plain notation, or its
            rows. None accepts any board; the result names the board and its verdicts.
        mines: the total that the certificate must be about, or "unknown". None: the total that
            ``board`` states, which is unknown for rows alone; any total without a board.
        flags: the reading of flags that the certificate must state. None: "trust" with a board,
            else any.
        external: whether checkers of other projects are run as well, if they are on PATH.
        jobs: number of processes for independent parts, at least 1; does not change the result.

    Raises:
        ValueError: ``board`` is a text in another notation, or an argument has another value.
        WrongCertificateError: the first defect.
        OSError: a file cannot be read.
    """
    expected = ExpectedBoard.of(board, mines, flags)
    with gc_paused(), Jobs(jobs) as parts:
        return _check(Path(folder), expected, external, parts)


def _check(folder: Path, expected: ExpectedBoard, external: bool, parts: Jobs) -> Checked:
    context = CertificateContext(read_certificate(folder))
    certificate, about = context.certificate, context.board
    # What the certificate is about comes first: a right proof about another board is no proof.
    expected.require(about, certificate.trust_flags)
    if certificate.size != about.size:
        raise WrongCertificateError(MANIFEST, "rows, columns, mines: not those of the board")
    # Derived before the context is copied, so that copies used in this process share them.
    claimed, statement = context.claimed, context.statement
    # Independent parts may run in other processes. Their results are collected in a fixed order, so
    # that the first fault is the fault that a single process finds.
    single_proof = parts.start(_check_single_proof, context.sent_with(BOARD, *ONE_PROOF))
    layouts = parts.start(_check_layout_file, context.sent_with(BOARD, LAYOUTS))
    cells = [
        parts.start(
            _check_cell_proofs, context.sent_with(BOARD, *[proof.stem for proof in group]), group
        )
        for group in parts.shares(certificate.proofs)
    ]
    proved = prove_in_parts(certificate, about, statement, claimed, certificate.way, parts=parts)
    one_proof = single_proof()
    shown = layouts()
    lemmas = proved.lemmas + sum(count() for count in cells)
    # Checkers of other projects come last: they can only refuse what is accepted by now.
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
        len(context.verdicts) - len(claimed or ()),
        len(certificate.proofs),
        proved.clauses,
        lemmas,
        shown,
        tuple(sorted(accepted)),
        one_proof,
    )


def _check_single_proof(context: CertificateContext) -> bool:
    """Check proof.pbp, the proof of all claims in one piece; return whether the file exists."""
    if ONE_PROOF[1] not in context.certificate.files:
        return False
    check_one_proof(context.certificate, context.statement, context.claimed)
    return True


def _check_layout_file(context: CertificateContext) -> int:
    """Check all layouts, and return the number of layouts, 0 for an inconsistent board."""
    if not context.certificate.consistent:
        return 0
    return check_layouts(context.certificate, context.board, context.verdicts)


def _check_cell_proofs(context: CertificateContext, proofs: Sequence[CellProof]) -> int:
    """Check the proofs of single cells in ``proofs``; return the number of their lemmas.

    Each proof may use only the clues that it names, and the total only if ``total`` is set.
    """
    certificate, board, verdicts = context.certificate, context.board, context.verdicts
    lemmas = 0
    for proof in proofs:
        v = board.variable.get(proof.cell, 0)
        if not v or verdicts[v - 1 : v] != proof.verdict[0].upper():
            raise WrongCertificateError(MANIFEST, f"cells: {proof.cell} has another verdict")
        named = [(f"clue at {cell}", board.clue_at(cell)) for cell in proof.clues]
        if proof.total:
            named.append(("total", board.total))
        stated = []
        for what, count in named:
            if count is None:
                raise WrongCertificateError(MANIFEST, f"cells: the board has no {what}")
            stated.append(count)
        statement = OpbStatement.of(len(board.cells), stated)
        claimed = [v if proof.verdict == "mine" else -v]
        stem = proof.stem
        lemmas += prove_in_parts(certificate, board, statement, claimed, proof.way, stem).lemmas
        if stem + ONE_PROOF[1] in certificate.files:
            check_one_proof(certificate, statement, claimed, stem)
    return lemmas
