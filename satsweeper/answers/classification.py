"""Classifications: a verdict for every covered cell, or the clues that clash; and explanations."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from pbcnf.shown import Drawn
from satsweeper.board.codes import COVERED, FLAG, MAX_CLUE, PADDING, Cell
from satsweeper.board.facts import Flags, View
from satsweeper.board.geometry import Square
from satsweeper.board.planes import byte_bits, covered_bits, indices, spaced
from satsweeper.board.value import Value

if TYPE_CHECKING:
    from satsweeper.answers.options import Options


class Verdict(StrEnum):
    """Whether a covered cell is a mine in no layout, in every layout, or in some of them."""

    SAFE = "safe"
    MINE = "mine"
    UNKNOWN = "unknown"


class Status(StrEnum):
    """Whether the position has a layout; UNDECIDED: a limit was reached before all was proved."""

    CONSISTENT = "consistent"
    INCONSISTENT = "inconsistent"
    UNDECIDED = "undecided"


def named_in_json(cell: Hashable) -> Any:
    """Return the name of a cell as JSON: a list for a tuple of coordinates."""
    return list(cell) if isinstance(cell, tuple) else cell


class Conflict(Value, apart=("by",)):
    """A set of clues, flags and perhaps the total that no layout meets.

    ``irreducible``: whether leaving out any one of the clues, the flags or the total gives a set
    that some layout meets. False if the limit on effort or time was reached before this was
    established, which happens on boards made to be hard.

    ``by``: the methods that show the clash: ``search``, or a sum of equations without a solution:
    ``modulo 2``, ``modulo 3``, ``weighted sum``. Both a sum and ``search``, if search left out
    parts that the sum uses. Empty if the conflict is the whole position, known inconsistent
    otherwise.
    """

    clues: tuple[Cell, ...]
    flags: tuple[Cell, ...]
    total: bool
    irreducible: bool = True
    by: tuple[str, ...] = ("search",)

    @property
    def parts(self) -> tuple[tuple[int, str], ...]:
        """The numbers of clues, flags and other parts but the total, each with a noun."""
        return (len(self.clues), "clue"), (len(self.flags), "flag")

    def as_json(self) -> dict[str, Any]:
        """Return the conflict as an object, without ``by`` where search alone found it."""
        return {
            "clues": [named_in_json(cell) for cell in self.clues],
            "flags": [named_in_json(cell) for cell in self.flags],
            "total": self.total,
            "irreducible": self.irreducible,
            **({} if self.by == ("search",) else {"by": list(self.by)}),
        }


class HardRegion(NamedTuple):
    """A region that used up its first budget of conflicts.

    ``cells``: the number of undecided cells of the region. ``decided``: how many of these cells
    sums of clues then decided. ``refuted``: whether sums of clues proved that the region has no
    layout. ``by``: the methods that proved something: ``modulo 2``, ``modulo 3``,
    ``linear program``.
    """

    cells: int
    decided: int
    refuted: bool
    by: tuple[str, ...]

    def __str__(self) -> str:
        """Return a line with the number of cells, the number decided, and the methods."""
        from pbcnf.wording import counted

        ways = ", ".join(self.by) or "nothing but search"
        done = "refuted" if self.refuted else f"{self.decided} decided"
        return f"{counted(self.cells, 'cell')}: {done}, by {ways}"


class Stats(Value, frozen=False):
    """The cost of a classification.

    Cells, calls, models and hard regions are counted since the session began; variables, clauses,
    constraints and solvers are those held at the time of the answer.
    """

    by_rules: int = 0
    """Cells that the rules decided, without search."""
    by_tables: int = 0
    """Cells that the counts of the layouts of small regions decided."""
    by_sums: int = 0
    """Cells that sums of clues decided: modulo a prime, or by a linear program."""
    hard_regions: tuple[HardRegion, ...] = ()
    """Regions that the first search did not settle, and what sums of their clues proved."""
    sat_calls: int = 0
    """Calls of SAT solvers."""
    models: int = 0
    """Models found, each checked against the clues on the board."""
    variables: int = 0
    clauses: int = 0
    constraints: int = 0
    """Distinct residual constraints in solvers and in tables, after the rules."""
    solvers: int = 0
    """Live solvers; 1 unless the frontier is large."""
    total_asked: bool = False
    """Whether bounds did not rule out that the total decides cells, so that layouts were combined
    or counters encoded."""
    seconds: float = 0.0
    """Wall-clock time of the last call, in seconds."""

    def as_json(self) -> dict[str, Any]:
        """Return the costs as an object."""
        hard = [region._asdict() for region in self.hard_regions]
        return self.as_dict() | {"hard_regions": hard}


class Verdicts(Mapping[Cell, Verdict]):
    """The verdict of each covered cell, by ``(row, column)``; clues and trusted flags have none."""

    def __init__(self, geometry: Square, covered: int, safe: int, mines: int) -> None:
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
_BIT_BOARDS = ("covered", "safe_board", "mine_board")


class Classification(Drawn, Value, apart=("has_layout",)):
    """The verdicts of one position.

    ``covered``, ``safe_board`` and ``mine_board`` are bit boards (``board/geometry.py``): the
    cells that get a verdict, and the cells among them that are proved safe or proved mines. With
    status ``inconsistent`` both boards are empty and ``conflict`` names clues that clash; with
    ``undecided`` the verdicts SAFE and MINE are certain, provided that a layout exists.
    """

    status: Status
    geometry: Square
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
    """Remarks for a reader of the verdicts: parts left out, and verdicts that are not proved."""
    has_layout: bool = False
    """Whether a layout was checked against the board; it may be True with status ``undecided``."""

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
        """Return the classification of ``view`` with ``safe`` and ``mines`` proved (bit boards).

        With status INCONSISTENT both bit boards are ignored: verdicts proved before the
        contradiction was found mean nothing.
        """
        if status is Status.INCONSISTENT:
            safe = mines = 0
        geometry, codes, _, _, covered, _, total, flags = view
        return cls(
            status,
            geometry,
            codes,
            total,
            covered,
            safe,
            mines,
            stats or Stats(),
            engine,
            solver,
            encoding,
            flags,
            None,
            notes,
            has_layout,
        )

    @classmethod
    def of_small(
        cls,
        geometry: Square,
        codes: bytes,
        mines_total: int | None,
        options: Options,
        stats: Stats,
        decided: tuple[int, int, int, int],
    ) -> Self:
        """Return the classification of a consistent board.

        Args:
            geometry, codes, mines_total: fields of the classification.
            options: the options of the classification.
            stats: its cost.
            decided: cells proved safe and mines, as byte boards; others, as bit boards.
        """
        found = object.__new__(cls)
        # Much faster than __init__, which sets every field of a frozen value by itself. The bit
        # boards are made when they are asked for (`__getattr__`).
        found.__dict__.update(
            status=Status.CONSISTENT,
            geometry=geometry,
            codes=codes,
            mines_total=mines_total,
            stats=stats,
            engine=options.engine,
            solver=options.solver,
            encoding=options.encoding,
            flags=options.flags,
            _decided=decided,
        )
        return found

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> int:
            """Make the bit boards of a small board, each when it is asked for first."""
            fields = self.__dict__
            if name not in _BIT_BOARDS or "_decided" not in fields:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            safe, mines, more_safe, more_mines = fields["_decided"]
            size = len(self.codes)
            if name == "covered":
                found = covered_bits(self.codes, self.flags)
            elif name == "safe_board":
                found = (byte_bits(safe, size) if safe else 0) | more_safe
            else:
                found = (byte_bits(mines, size) if mines else 0) | more_mines
            fields[name] = found
            return found

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
        """The verdicts as a mapping: ``verdict[row, column]`` of a covered cell."""
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
        table = _TRUSTED if self.flags == "trust" else _IGNORED
        # The whole text as one integer with a byte for each character: a verdict is written by
        # adding the difference of the characters at the place of its cell.
        codes = self.codes
        text, size = int.from_bytes(codes.translate(table), "little"), len(codes)
        decided = self.__dict__.get("_decided") or (0, 0, self.safe_board, self.mine_board)
        safe, mines, more_safe, more_mines = decided
        if more_safe:
            safe |= spaced(more_safe, size)
        if more_mines:
            mines |= spaced(more_mines, size)
        text += _SAFE * safe + _MINE * mines
        return text.to_bytes(size, "little").decode().split()

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
            "stats": self.stats.as_json(),
        }


# Explanations: the clues that force a certain verdict, or two layouts as witnesses of UNKNOWN.


class BoardExplanation(Drawn):
    """Shared base of explanations, on squares and on all other boards."""

    cell: Any
    verdict: Verdict
    reason: Conflict | None
    mine_layout: tuple[Any, ...] | None
    safe_layout: tuple[Any, ...] | None
    sentence: str

    def __repr__(self) -> str:
        """Return one line: the cell, its verdict, and the size of the reason."""
        found = "two layouts that differ there"
        if self.reason is not None:
            needed = [
                f"{count} {noun}{'s' * (count != 1)}" for count, noun in self.reason.parts if count
            ]
            found = ", ".join(needed + ["the total"] * self.reason.total) or "opened cells alone"
        return f"{type(self).__name__}({self.cell} is {self.verdict}: {found})"

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``explain --json`` prints."""
        answer: dict[str, Any] = {
            "schema": "satsweeper/explain/1",
            "cell": named_in_json(self.cell),
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


class Explanation(BoardExplanation, Value, apart=("classification",)):
    """The reason for one cell's verdict.

    For a certain verdict, ``reason`` is a set of clues, flags and perhaps the total that forces the
    verdict; ``reason.irreducible`` says whether the set is irreducible. For UNKNOWN,
    ``mine_layout`` and ``safe_layout`` are two whole layouts as rows of text (``M`` mine, ``S``
    safe, clues and ``F`` as given), both checked against the board. Otherwise these fields are
    None.
    """

    cell: Cell
    verdict: Verdict
    reason: Conflict | None
    mine_layout: tuple[str, ...] | None
    safe_layout: tuple[str, ...] | None
    sentence: str
    classification: Classification | None = None
    """The verdicts at the time of the explanation; a drawing shows their board."""
