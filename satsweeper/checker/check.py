"""``check``: a certificate from the board up, and the first thing that is wrong with it."""

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

# Check of layouts: two that differ at each unknown cell, and all agree with certain verdicts.


def verdicts_of(certificate: LoadedCertificate, board: CheckedBoard) -> str:
    """Return the verdict of every covered cell, row by row: ``S``, ``M`` or ``?``.

    All other cells of the grid must be as on the board.

    Raises:
        WrongCertificateError: the grid is not one of this board.
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

    Raises:
        WrongCertificateError: a layout breaks the board, or a cell has none of one kind.
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
    # Then each against all clues and the total at once, by sets of places.
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
        named: what the file says of each cell: the numbers of two ``layouts``.
        layouts: each a layout of ``board``.
        board: whose cells these are.
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
    # What is left is about cells that get no verdict.
    for cell in shown:
        raise WrongCertificateError(LAYOUTS, f"cells: {cell} is no covered cell")


def _refuse_row(
    rows: Sequence[str], board: CheckedBoard, marks: str, file: str, where: str
) -> NoReturn:
    """Raise WrongCertificateError for the first cell that is not as on the board, or not of
    ``marks`` if it is covered."""
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
    """The total, flags included; None if it is not known."""
    flags: Flags
    """Whether flags were taken for mines, or for covered cells."""
    status: Literal["consistent", "inconsistent"]
    grid: tuple[str, ...] | None
    """The verdicts, as ``classify`` prints them; None of an inconsistent board."""
    sha256: str
    """Hash of the manifest, which holds the hash of every other file."""
    proved: int
    proof: str
    """``clauses`` and their refutation, ``sums`` of clues, or ``both``."""
    by_sums: int
    """Number of verdicts proved by sums."""
    witnessed: int
    cells: int
    """Certain cells with a proof of their own."""
    clauses: int
    lemmas: int
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

    Properties read from its files raise WrongCertificateError. Pickled for another process, a
    context takes along only the files named in `sent_with`; the rest is derived again there.
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
        folder: where it is.
        board: the board it must be about: a text in the plain notation, or its rows. Without one,
            what is checked is that some board has some verdicts; the result says which.
        mines: the total it must be about, or "unknown". None: the one that ``board`` states, which
            is unknown for rows alone; any total without a board.
        flags: how it must read flags. None: "trust" with a board, else any.
        external: also ask the checkers of others that are on PATH.
        jobs: processes for parts that do not depend on each other; the result is the same.

    Raises:
        ValueError: ``board`` is a text in another notation, or an argument has another value.
        WrongCertificateError: the first thing wrong.
        OSError: a file cannot be read.
    """
    asked = ExpectedBoard.of(board, mines, flags)
    with gc_paused(), Jobs(jobs) as parts:
        return _check(Path(folder), asked, external, parts)


def _check(folder: Path, asked: ExpectedBoard, external: bool, parts: Jobs) -> Checked:
    context = CertificateContext(read_certificate(folder))
    certificate, about = context.certificate, context.board
    # What the certificate is about comes first: a right proof about another board is no proof.
    asked.require(about, certificate.trust_flags)
    if certificate.size != about.size:
        raise WrongCertificateError(MANIFEST, "rows, columns, mines: not those of the board")
    # Derived before the context is copied, so that all copies have them.
    claimed, statement = context.claimed, context.statement
    # Parts that do not depend on each other may run elsewhere. Their results are asked for in a
    # fixed order, so that the first fault is the one that a single process finds.
    in_one = parts.start(_in_one, context.sent_with(BOARD, *ONE_PROOF))
    layouts = parts.start(_layouts, context.sent_with(BOARD, LAYOUTS))
    cells = [
        parts.start(_cells, context.sent_with(BOARD, *[proof.stem for proof in group]), group)
        for group in parts.shares(certificate.proofs)
    ]
    proved = prove_in_parts(certificate, about, statement, claimed, certificate.way, parts=parts)
    one_proof = in_one()
    shown = layouts()
    lemmas = proved.lemmas + sum(count() for count in cells)
    # Checkers of others come last: they can only refuse what is accepted by now.
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


def _in_one(context: CertificateContext) -> bool:
    """Check proof.pbp, the proof of all claims in one piece; return whether it exists."""
    if ONE_PROOF[1] not in context.certificate.files:
        return False
    check_one_proof(context.certificate, context.statement, context.claimed)
    return True


def _layouts(context: CertificateContext) -> int:
    """Check all layouts, and return the number of layouts."""
    if not context.certificate.consistent:
        return 0
    return check_layouts(context.certificate, context.board, context.verdicts)


def _cells(context: CertificateContext, proofs: Sequence[CellProof]) -> int:
    """Check the proofs of single cells in ``proofs``; return the number of their lemmas.

    Each proof may use the clues that it names alone, and the total if it says so.
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
