"""Classifications: a verdict for every covered cell, or the clues that clash."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, Self

from pbcnf.shown import Drawn
from satsweeper.board.codes import COVERED, FLAG, MAX_CLUE, PADDING, Cell
from satsweeper.board.facts import Flags, View
from satsweeper.board.geometry import Geometry
from satsweeper.board.planes import indices, spaced


class Verdict(StrEnum):
    """Whether a covered cell is a mine in no layout, in every layout, or in some of them."""

    SAFE = "safe"
    MINE = "mine"
    UNKNOWN = "unknown"


class Status(StrEnum):
    """Whether the position has a layout; undecided: a limit came first."""

    CONSISTENT = "consistent"
    INCONSISTENT = "inconsistent"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Conflict:
    """A set of clues, flags and perhaps the total that no layout meets.

    Irreducible: without any one of them there is a layout. Only on boards made to be hard may the
    effort to reach that be spent first; then ``irreducible`` is False.

    ``by``: what shows that they clash: ``search``, or a sum of them that no mines can make up:
    ``modulo 2``, ``modulo 3``, ``weighted sum``. Both, if search left out some that the sum has.
    None: that all of the position clashes is known otherwise.
    """

    clues: tuple[Cell, ...]
    flags: tuple[Cell, ...]
    total: bool
    irreducible: bool = True
    by: tuple[str, ...] = field(default=("search",), compare=False, repr=False)

    def as_json(self) -> dict[str, Any]:
        """Return the conflict as an object, without ``by`` where search alone found it."""
        return {
            "clues": [list(cell) for cell in self.clues],
            "flags": [list(cell) for cell in self.flags],
            "total": self.total,
            "irreducible": self.irreducible,
            **({} if self.by == ("search",) else {"by": list(self.by)}),
        }


@dataclass(frozen=True)
class HardRegion:
    """A region that used up its first budget of conflicts.

    ``by``: what then proved something of it: ``modulo 2``, ``modulo 3``, ``linear program``;
    ``decided``: of how many cells; all of them if ``refuted``.
    """

    cells: int
    decided: int
    refuted: bool
    by: tuple[str, ...]

    def __str__(self) -> str:
        """Return the cells, what was decided, and how."""
        from pbcnf.wording import counted

        ways = ", ".join(self.by) or "nothing but search"
        done = "refuted" if self.refuted else f"{self.decided} decided"
        return f"{counted(self.cells, 'cell')}: {done}, by {ways}"


@dataclass
class Stats:
    """The cost of a classification.

    Cells, calls and models are counted since the session began; the others are what is held now.
    """

    by_rules: int = 0
    """Cells that the rules decided, without search."""
    by_tables: int = 0
    """Cells that the truth tables of small regions decided."""
    by_sums: int = 0
    """Cells that sums of clues decided: modulo a prime, or by a linear program."""
    hard_regions: tuple[HardRegion, ...] = ()
    """Regions that search did not settle at once, and what then proved something."""
    sat_calls: int = 0
    models: int = 0
    """Models found, each checked against the clues on the board."""
    variables: int = 0
    clauses: int = 0
    constraints: int = 0
    """Distinct constraints that the rules left, in solvers and in tables."""
    solvers: int = 0
    """Live solvers; 1 unless the frontier is large."""
    total_asked: bool = False
    """Whether the total could matter, so that it had to be encoded or combined."""
    seconds: float = 0.0


class Verdicts(Mapping[Cell, Verdict]):
    """The verdict of each covered cell, by ``(row, column)``; clues and trusted flags have none."""

    def __init__(self, geometry: Geometry, covered: int, safe: int, mines: int) -> None:
        self._geometry = geometry
        self._covered = covered
        self._safe = safe
        self._mines = mines

    def __getitem__(self, cell: Cell) -> Verdict:
        row, column = cell
        if 0 <= row < self._geometry.rows and 0 <= column < self._geometry.columns:
            bit = 1 << self._geometry.index((int(row), int(column)))
            if self._covered & bit:
                if self._safe & bit:
                    return Verdict.SAFE
                return Verdict.MINE if self._mines & bit else Verdict.UNKNOWN
        raise KeyError(cell)

    def __iter__(self) -> Iterator[Cell]:
        for index in indices(self._covered, self._geometry.size):
            yield self._geometry.cell(index)

    def __len__(self) -> int:
        return self._covered.bit_count()


def _table(flag: str) -> bytes:
    table = bytearray(256)
    table[: MAX_CLUE + 1] = b"012345678"
    table[COVERED & 255] = ord("?")
    table[FLAG & 255] = ord(flag)
    table[PADDING] = ord("\n")
    return bytes(table)


_TRUSTED = _table("F")
_IGNORED = _table("?")
_SAFE = ord("S") - ord("?")
_MINE = ord("M") - ord("?")


@dataclass(frozen=True, repr=False)
class Classification(Drawn):
    """The verdicts of one position.

    ``covered``, ``safe_board`` and ``mine_board`` are bit boards (``board/geometry.py``): the cells
    that get a verdict, and those among them proved safe or a mine. With status ``inconsistent``
    no verdict is given and ``conflict`` says why; with ``undecided`` every verdict but UNKNOWN is
    still certain, provided that a layout exists.
    """

    status: Status
    geometry: Geometry
    codes: bytes
    """The cells as ``Position.padded`` gives them."""
    mines_total: int | None
    covered: int
    safe_board: int
    mine_board: int
    stats: Stats
    engine: str = "portfolio"
    solver: str = ""
    encoding: str = ""
    flags: Flags = "trust"
    conflict: Conflict | None = None
    notes: tuple[str, ...] = ()
    """Remarks for a person beside the verdicts: parts left out, and reasons."""
    has_layout: bool = field(default=False, compare=False, repr=False)
    """Whether an engine has checked a layout on the board, even if cells are left open."""

    @classmethod
    def of(
        cls,
        view: View,
        status: Status,
        safe: int = 0,
        mines: int = 0,
        *,
        stats: Stats | None = None,
        engine: str = "portfolio",
        solver: str = "",
        encoding: str = "",
        notes: tuple[str, ...] = (),
        has_layout: bool = False,
    ) -> Self:
        """Return the verdicts of ``view``: bit boards of cells proved safe and mines.

        An inconsistent position has no verdicts, whatever was proved before that was seen.
        """
        consistent = status is not Status.INCONSISTENT
        return cls(
            status=status,
            geometry=view.geometry,
            codes=view.codes,
            mines_total=view.total,
            covered=view.covered,
            safe_board=safe if consistent else 0,
            mine_board=mines if consistent else 0,
            stats=Stats() if stats is None else stats,
            engine=engine,
            solver=solver,
            encoding=encoding,
            flags=view.flags,
            notes=notes,
            has_layout=has_layout,
        )

    def __repr__(self) -> str:
        """Return one line: status, size, total, and the number of cells of each verdict."""
        shape = f"{self.geometry.columns}x{self.geometry.rows}"
        total = "total unknown" if self.mines_total is None else f"total {self.mines_total}"
        found = ", ".join(f"{count} {verdict}" for verdict, count in self.counts.items())
        if self.status is Status.INCONSISTENT:
            found = "no layout"
        return f"Classification({self.status}, {shape}, {total}: {found})"

    @property
    def verdict(self) -> Verdicts:
        """``verdict[row, column]`` of a covered cell."""
        return Verdicts(self.geometry, self.covered, self.safe_board, self.mine_board)

    @property
    def safe(self) -> list[Cell]:
        """The cells that are a mine in no layout, row by row."""
        return self._cells(self.safe_board)

    @property
    def mines(self) -> list[Cell]:
        """The covered cells that are a mine in every layout, row by row; no trusted flags."""
        return self._cells(self.mine_board)

    @property
    def unknown(self) -> list[Cell]:
        """The covered cells without a certain verdict, row by row."""
        return self._cells(self.covered & ~(self.safe_board | self.mine_board))

    @property
    def counts(self) -> dict[str, int]:
        """The number of covered cells of each verdict."""
        safe = self.safe_board.bit_count()
        mine = self.mine_board.bit_count()
        return {"safe": safe, "mine": mine, "unknown": self.covered.bit_count() - safe - mine}

    def grid(self) -> list[str]:
        """Return rows of text: clues and ``F`` as given, ``S`` safe, ``M`` mine, ``?`` unknown."""
        rows, columns = self.geometry.rows, self.geometry.columns
        table = _TRUSTED if self.flags == "trust" else _IGNORED
        # The text as one number, a byte a character, so that a verdict is added to its cell.
        text = int.from_bytes(self.codes.translate(table), "little")
        size = rows * (columns + 1)
        text += _SAFE * spaced(self.safe_board, size) + _MINE * spaced(self.mine_board, size)
        return text.to_bytes(size, "little").decode("ascii").split("\n")[:-1]

    def _cells(self, board: int) -> list[Cell]:
        return [self.geometry.cell(i) for i in indices(board, self.geometry.size)]

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``classify --json`` prints."""
        answer: dict[str, Any] = {
            "schema": "satsweeper/classify/1",
            "rows": self.geometry.rows,
            "columns": self.geometry.columns,
            "mines": self.mines_total,
            "status": str(self.status),
        }
        if self.conflict is not None:
            answer["conflict"] = self.conflict.as_json()
        else:
            if self.notes:
                answer["notes"] = list(self.notes)
            answer["counts"] = self.counts
            answer["grid"] = self.grid()
        return answer | {
            "engine": self.engine,
            "solver": self.solver,
            "encoding": self.encoding,
            "stats": asdict(self.stats),
        }


# Explanations: the clues that force a verdict, or two layouts that differ.


@dataclass(frozen=True, repr=False)
class Explanation(Drawn):
    """The reason for one cell's verdict.

    For a certain verdict ``reason`` is an irreducible set of clues, flags and perhaps the total
    that forces it (or says that it may not be irreducible); for UNKNOWN ``mine_layout`` and
    ``safe_layout`` are two whole layouts as rows of text (``M`` mine, ``S`` safe, clues and ``F``
    as given), both checked.
    """

    cell: Cell
    verdict: Verdict
    reason: Conflict | None
    mine_layout: tuple[str, ...] | None
    safe_layout: tuple[str, ...] | None
    sentence: str
    classification: Classification | None = field(default=None, compare=False)
    """The verdicts that were known; the board that a drawing shows."""

    def __repr__(self) -> str:
        """Return one line: the cell, its verdict, and the size of the reason."""
        found = "two layouts that differ there"
        if self.reason is not None:
            counted = [(len(self.reason.clues), "clue"), (len(self.reason.flags), "flag")]
            parts = [f"{count} {noun}{'s' * (count != 1)}" for count, noun in counted if count]
            found = ", ".join(parts + ["the total"] * self.reason.total)
        return f"Explanation({self.cell} is {self.verdict}: {found})"

    def as_json(self) -> dict[str, Any]:
        """The object that ``explain --json`` prints."""
        answer: dict[str, Any] = {
            "schema": "satsweeper/explain/1",
            "cell": list(self.cell),
            "verdict": str(self.verdict),
        }
        if self.reason is not None:
            answer |= self.reason.as_json()
        else:
            answer["witnesses"] = {
                "mine": list(self.mine_layout or ()),
                "safe": list(self.safe_layout or ()),
            }
        return answer | {"sentence": self.sentence}
