"""``check_puzzle``: a certificate of a board under rules checked, from its text to the verdicts."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, Final, Literal

from pbcnf.proof.cutting_planes import Inequality, ProofError, check_proof
from pbcnf.proof.cutting_planes.formula import read_formula
from pbcnf.proof.gc_pause import gc_paused
from satsweeper.checker.contents import is_integer, json_object, read_files, read_regular
from satsweeper.checker.errors import WrongCertificateError, counted, printable, wrong_at
from satsweeper.checker.expected_board import Flags
from satsweeper.checker.external import check_externally
from satsweeper.checker.manifest import LAYOUTS, MANIFEST, ONE_PROOF, read_manifest
from satsweeper.checker.puzzle.board import PuzzleBoard, grid_rows
from satsweeper.checker.puzzle.clue_rows import statement_of
from satsweeper.checker.puzzle.connections import is_cut
from satsweeper.checker.puzzle.grid import Grid
from satsweeper.checker.puzzle.predicates import broken_by
from satsweeper.checker.puzzle.reading import read_puzzle_board
from satsweeper.checker.puzzle.rows import BoardStatement, key_of

SCHEMA: Final = "satsweeper/puzzle-certificate/1"
BOARDS: Final = ("board.json", "board.txt")
"""A certificate has one of these: text where text can hold the board."""
SECONDS: Final = 600.0
"""Time limit of one run of another checker."""
_KEYS: Final = frozenset({"schema", "satsweeper", "flags", "status", "verdicts", "solver", "files"})
_MOST_DIGITS: Final = 40


@dataclass(frozen=True)
class CheckedPuzzle:
    """The proved verdicts of a board; everything is computed from the bytes that were checked.

    ``grid``: rows of texts of cells, the verdicts in covered cells; None of an inconsistent board.
    ``proved``: the number of certain verdicts; ``witnessed``: of unknown cells; ``constraints``: of
    proof.opb, of which ``cuts`` are separations of connected cells; ``layouts``: how many.
    """

    board: PuzzleBoard
    flags: Flags
    status: Literal["consistent", "inconsistent"]
    grid: tuple[tuple[str, ...], ...] | None
    sha256: str
    proved: int
    witnessed: int
    constraints: int
    cuts: int
    layouts: int
    external: tuple[str, ...] = field(default=())

    def as_json(self) -> dict[str, Any]:
        """The object that ``check --json`` prints."""
        grid = self.board.grid
        return {
            "schema": "satsweeper/check/1",
            "verified": True,
            "board": {
                "rows": grid.rows,
                "columns": grid.columns,
                "mines": self.board.mines,
                "flags": self.flags,
            },
            **({} if grid.has_rows else {"names": list(grid.names)}),
            "rules": list(self.board.rules),
            "geometry": grid.name,
            "status": self.status,
            "grid": None if self.grid is None else _rows(self.grid),
            "sha256": self.sha256,
            "proved": self.proved,
            "witnessed": self.witnessed,
            "constraints": self.constraints,
            "cuts": self.cuts,
            "layouts": self.layouts,
            "external": list(self.external),
        }

    def sentence(self) -> str:
        """Return the verified claims in words."""
        how = f"{counted(self.constraints, 'constraint')}, {counted(self.cuts, 'cut')}"
        if self.status == "inconsistent":
            return f"verified: the board is inconsistent ({how})"
        more = f"\naccepted by {', '.join(self.external)}" if self.external else ""
        return (
            f"verified: {counted(self.proved, 'certain verdict')} proved ({how}),"
            f" {counted(self.witnessed, 'unknown cell')} witnessed by"
            f" {counted(self.layouts, 'layout')}{more}"
        )

    def answers(self) -> tuple[str, ...]:
        """Return the rows of verdicts, or of an inconsistent board, as text.

        Without rows each cell has a line with its name.
        """
        unknown = dict.fromkeys(self.board.covered(self.flags == "trust"), "?")
        rows = self.grid or [*grid_rows(self.board, unknown, self.flags == "trust")]
        grid = self.board.grid
        also = self._also()
        if not grid.has_rows:
            named = zip(grid.names, rows[0], strict=True)
            return (*also, *[printable(f"{name}: {text}") for name, text in named])
        return (*also, *[row if isinstance(row, str) else " ".join(row) for row in _rows(rows)])

    def _also(self) -> list[str]:
        """Return a line that says which parts of the board its rows do not show; none without."""
        grid = self.board.grid
        parts = {
            "regions": self.board.regions,
            "weights": grid.weights,
            "capacity": grid.capacity,
            "dyed": [cell for cell in range(grid.size) if grid.mask and grid.dyed(cell)],
        }
        found = [f"{name} ({len(cells)})" for name, cells in parts.items() if cells]
        found += ["neighbours"] * (grid.name == "graph")
        return [f"{BOARDS[0]} in the certificate also has {', '.join(found)}"] * bool(found)


def _rows(rows: Sequence[Sequence[str]]) -> list[Any]:
    """Return rows of text if each cell has one character, otherwise lists of texts."""
    if all(len(cell) == 1 for row in rows for cell in row):
        return ["".join(row) for row in rows]
    return [list(row) for row in rows]


def is_about_puzzle(folder: Path) -> bool:
    """Whether the manifest in ``folder`` has the schema of certificates of boards under rules.

    Raises:
        WrongCertificateError: the manifest is missing, or is no JSON object.
        OSError: the manifest cannot be read.
    """
    return json_object(MANIFEST, read_regular(folder, MANIFEST)).get("schema") == SCHEMA


@gc_paused()
def check_puzzle(
    folder: str | PathLike[str],
    *,
    board: str | None = None,
    mines: int | Literal["unknown"] | None = None,
    flags: Flags | None = None,
    external: bool = True,
) -> CheckedPuzzle:
    """Check a certificate of a board of any grid under any rules of the table.

    Args:
        folder: the folder of the certificate.
        board: the text of the board that the certificate must be about; None: any board.
        mines: the total that it must be about, or "unknown"; None: that of ``board``.
        flags: the reading of flags that it must state; None: "trust" with a board, else any.
        external: whether checkers of other projects on PATH are run as well.

    Raises:
        WrongCertificateError: the first defect.
        OSError: a file cannot be read.
    """
    found, sha256 = read_manifest(Path(folder), SCHEMA, _KEYS)
    status, how, verdicts = found["status"], found["flags"], found["verdicts"]
    if status not in ("consistent", "inconsistent") or how not in ("trust", "ignore"):
        raise WrongCertificateError(MANIFEST, "no status, or no mode of flags")
    if not isinstance(found["satsweeper"], str) or not isinstance(found["solver"], str):
        raise WrongCertificateError(MANIFEST, "satsweeper, solver: no text")
    consistent = status == "consistent"
    if not isinstance(verdicts, str) if consistent else verdicts is not None:
        raise WrongCertificateError(MANIFEST, "verdicts: a text, or null if there is no layout")
    certain = not consistent or not {*verdicts}.isdisjoint("SM")
    named = found["files"] if isinstance(found["files"], dict) else {}
    source = BOARDS[0] if BOARDS[0] in named else BOARDS[1]
    needed = {source, *([LAYOUTS] if consistent else []), *(ONE_PROOF if certain else ())}
    files = read_files(Path(folder), MANIFEST, found["files"], needed)
    about = read_puzzle_board(_text(files[source], source), source)
    _require_board(about, source, how, board, mines, flags)
    trusted = how == "trust"
    covered = about.covered(trusted)
    if consistent and (len(verdicts) != len(covered) or {*verdicts} - {*"SM?"}):
        what = (
            f"verdicts: not one of S, M and ? for each of {counted(len(covered), 'covered cell')}"
        )
        raise WrongCertificateError(MANIFEST, what)
    # A board that lacks what a rule needs is refused here, whatever the certificate claims.
    statement = statement_of(about, trusted)
    verdict_of = dict(zip(covered, verdicts or "", strict=True)) if consistent else {}
    layouts = constraints = cuts = 0
    if consistent:
        layouts = _check_layouts(files[LAYOUTS], about, trusted, verdict_of)
    if certain:
        known = [
            -(cell + 1) if v == "M" else cell + 1 for cell, v in verdict_of.items() if v != "?"
        ]
        constraints, cuts = _check_proof(files, statement, known if consistent else None)
    accepted = check_externally(files, "", SECONDS) if external else []
    unknown = [*verdict_of.values()].count("?")
    return CheckedPuzzle(
        about,
        how,
        status,
        tuple(map(tuple, grid_rows(about, verdict_of, trusted))) if consistent else None,
        sha256,
        len(verdict_of) - unknown,
        unknown,
        constraints,
        cuts,
        layouts,
        tuple(accepted),
    )


def _text(content: bytes, name: str) -> str:
    try:
        return content.decode("ascii")
    except UnicodeDecodeError as error:
        raise WrongCertificateError(name, f"byte {error.start}: not ASCII") from None


def _require_board(
    about: PuzzleBoard,
    source: str,
    how: Flags,
    board: str | None,
    mines: int | Literal["unknown"] | None,
    flags: Flags | None,
) -> None:
    """Refuse a certificate about another board, total or reading of flags than expected."""
    total = mines
    if board is not None:
        given = read_puzzle_board(board, "BOARD")
        fault = _difference(given, about)
        if fault is not None:
            raise WrongCertificateError(source, fault)
        if mines is None:
            total = "unknown" if given.mines is None else given.mines
    found = "unknown" if about.mines is None else about.mines
    if total is not None and found != total:
        fault = f"the certificate is about total {found}, asked for is {total}"
        raise WrongCertificateError(source, fault)
    asked = flags or ("trust" if board is not None else how)
    if how != asked:
        fault = f"the certificate is about flags read as {how!r}, asked for is {asked!r}"
        raise WrongCertificateError(MANIFEST, fault)


def _difference(given: PuzzleBoard, about: PuzzleBoard) -> str | None:
    """Return a message about a field, but for the total, that two boards differ in; None: no field.

    Every field of a board is compared: what does not stand here would not bind the verdicts.
    """
    grid, other = given.grid, about.grid
    if not grid.same_cells(other):
        return "another geometry or size than the board given"
    if {*given.rules} != {*about.rules}:
        return "other rules than those of the board given"
    if (grid.weights, grid.capacity) != (other.weights, other.capacity):
        return "other weights of mines, or room for mines, than the board given"
    if any(grid.dyed(cell) != other.dyed(cell) for cell in range(grid.size)):
        return "other dyed cells than the board given"
    if given.regions != about.regions:
        return "other regions than the board given"
    fields = ("clues", "flags", "opened", "shown")
    if any(getattr(given, name) != getattr(about, name) for name in fields):
        return "this is another board than the one given"
    return None


def _check_layouts(
    content: bytes, board: PuzzleBoard, trusted: bool, verdicts: dict[int, str]
) -> int:
    """Check all layouts, and that they show each unknown cell both ways; return their number."""
    found = json_object(LAYOUTS, content)
    layouts = found.get("layouts")
    if found.keys() != {"layouts"} or not isinstance(layouts, list) or not layouts:
        raise WrongCertificateError(LAYOUTS, "no list of layouts, or an empty one")
    unknown = {cell for cell, verdict in verdicts.items() if verdict == "?"}
    mined, safe = set[int](), set[int]()
    for at, rows in enumerate(layouts):
        mines = _layout(rows, board.grid)
        if mines is None:
            what = "with * a mine and . none" if not board.grid.capacity else "numbers of mines"
            raise WrongCertificateError(LAYOUTS, f"layout {at}: not the rows of the board, {what}")
        broken = broken_by(board, mines, trusted)
        if broken is not None:
            raise WrongCertificateError(LAYOUTS, f"layout {at}: {broken}")
        for cell, verdict in verdicts.items():
            # A certain verdict is proved elsewhere; a layout against it would refute that proof.
            if verdict != "?" and (cell in mines) != (verdict == "M"):
                where = board.grid.names[cell]
                fault = f"layout {at} contradicts the certain verdict at {where}"
                raise WrongCertificateError(LAYOUTS, fault)
        mined |= mines.keys() & unknown
        safe |= unknown - mines.keys()
    for cell in sorted(unknown):
        if cell not in mined or cell not in safe:
            fault = f"no two layouts differ at the unknown cell {board.grid.names[cell]}"
            raise WrongCertificateError(LAYOUTS, fault)
    return len(layouts)


def _layout(rows: Any, grid: Grid) -> dict[int, int] | None:
    """Return the numbers of mines, where there are any, in a layout of JSON; None if it is none.

    A row is a text with ``*`` for each mine; if cells of the board can hold several mines, a list
    of numbers.
    """
    if not isinstance(rows, list) or len(rows) != grid.rows:
        return None
    kind: type[Any] = list if grid.capacity else str
    if not all(isinstance(row, kind) and len(row) == grid.columns for row in rows):
        return None
    marks = [mark for row in rows for mark in row]
    if grid.capacity:
        good = all(is_integer(mark) and mark >= 0 for mark in marks)
        return {cell: mark for cell, mark in enumerate(marks) if mark} if good else None
    if {*marks} - {*"*."}:
        return None
    return {cell: 1 for cell, mark in enumerate(marks) if mark == "*"}


def _check_proof(
    files: dict[str, bytes], statement: BoardStatement, claim: Sequence[int] | None
) -> tuple[int, int]:
    """Check proof.opb against the board, and that proof.pbp refutes it.

    ``claim``: the clause "some certain verdict is wrong", the last constraint; None: there is none,
    the board has no layout. Returns the number of constraints, and of cuts among them.
    """
    problem, proof = ONE_PROOF
    try:
        formula = read_formula(files[problem], problem)
    except ProofError as error:
        raise wrong_at(problem, error.line, error.message) from None
    if formula.variables != statement.variables:
        # A variable that is not declared could be defined at will, like one of the proof alone.
        what = f"{counted(formula.variables, 'variable')}, where {statement.variables} are needed"
        raise WrongCertificateError(problem, what)
    constraints = [*formula.constraints]
    if claim is not None:
        said = constraints.pop() if constraints else Inequality({}, 0)
        if said != Inequality(dict.fromkeys(claim, 1), 1):
            fault = "the last constraint is not that some certain verdict is wrong"
            raise WrongCertificateError(problem, fault)
    # Each constraint is a row of the board or a cut, and no row is missing.
    missing = {*statement.rows}
    cuts = 0
    for number, each in enumerate(constraints, start=1):
        key = key_of(each)
        if key in statement.rows:
            missing.discard(key)
        elif any(is_cut(each, connection) for connection in statement.connections):
            cuts += 1
        elif not each.trivial:
            fault = f"constraint {number}: the board does not say so"
            raise WrongCertificateError(problem, fault)
    if missing:
        terms, degree = min(missing, key=lambda key: (sorted(key[0]), key[1]))
        text = " ".join(f"{w} {'x' if lit > 0 else '~x'}{abs(lit)}" for lit, w in sorted(terms)[:9])
        raise WrongCertificateError(problem, f"it lacks a constraint: {text} ... >= {degree}")
    try:
        derived = check_proof(formula, files[proof], problem, proof, most_digits=_MOST_DIGITS)
    except ProofError as error:
        raise wrong_at(error.source, error.line, error.message) from None
    if not derived.refuted:
        raise WrongCertificateError(proof, "it does not conclude that there is a contradiction")
    return len(formula.constraints), cuts
