"""Verdicts, reasons and conflicts on a board of any shape."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from pbcnf.shown import Drawn
from pbcnf.wording import counted
from satsweeper.answers.classification import Conflict, Stats, Status, Verdict
from satsweeper.answers.options import Options
from satsweeper.puzzle.puzzle import Puzzle


@dataclass(frozen=True)
class PuzzleConflict(Conflict):
    """Clues, flags, rules, regions and perhaps the total that no layout meets together."""

    rules: tuple[str, ...] = ()
    regions: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the conflict as an object; without regions it has no entry for them."""
        return {
            "clues": [_named(cell) for cell in self.clues],
            "flags": [_named(cell) for cell in self.flags],
            "total": self.total,
            "irreducible": self.irreducible,
            "rules": list(self.rules),
            **({"regions": list(self.regions)} if self.regions else {}),
        }


def _named(cell: Hashable) -> Any:
    """Return a cell as JSON: a list for a tuple of coordinates."""
    return list(cell) if isinstance(cell, tuple) else cell


class PuzzleVerdicts(Mapping[Hashable, Verdict]):
    """The verdict of each covered cell, by its name."""

    def __init__(self, puzzle: Puzzle, found: Mapping[int, Verdict]) -> None:
        self._puzzle = puzzle
        self._found = found

    def __getitem__(self, cell: Hashable) -> Verdict:
        return self._found[self._puzzle.geometry.numbers[cell]]

    def __iter__(self) -> Iterator[Hashable]:
        return iter([self._puzzle.geometry.cells[number] for number in self._found])

    def __len__(self) -> int:
        return len(self._found)


@dataclass(frozen=True, eq=False, repr=False)
class PuzzleClassification(Drawn):
    """The verdicts of one board; with status INCONSISTENT there are none, and ``conflict`` is why.

    ``by_cell``: the verdict of each covered cell, by number.
    """

    puzzle: Puzzle
    status: Status
    by_cell: Mapping[int, Verdict]
    stats: Stats
    flags: str = "trust"
    solver: str = ""
    encoding: str = ""
    engine: str = "sat"
    conflict: PuzzleConflict | None = None
    notes: tuple[str, ...] = field(default=())

    @property
    def verdict(self) -> PuzzleVerdicts:
        """The verdicts as a mapping, by name of the cell."""
        return PuzzleVerdicts(self.puzzle, self.by_cell)

    @property
    def safe(self) -> list[Hashable]:
        """The cells that are a mine in no layout."""
        return self._cells(Verdict.SAFE)

    @property
    def mines(self) -> list[Hashable]:
        """The covered cells that are a mine in every layout."""
        return self._cells(Verdict.MINE)

    @property
    def unknown(self) -> list[Hashable]:
        """The covered cells without a certain verdict."""
        return self._cells(Verdict.UNKNOWN)

    @property
    def counts(self) -> dict[str, int]:
        """The number of covered cells of each verdict."""
        found = [*self.by_cell.values()]
        return {str(verdict): found.count(verdict) for verdict in Verdict}

    def _cells(self, wanted: Verdict) -> list[Hashable]:
        cells = self.puzzle.geometry.cells
        return [cells[cell] for cell, verdict in self.by_cell.items() if verdict is wanted]

    def symbols(self) -> list[str]:
        """Return the text of each cell, by number: ``S``, ``M``, ``?`` for verdicts."""
        letters = {Verdict.SAFE: "S", Verdict.MINE: "M", Verdict.UNKNOWN: "?"}
        return [
            letters[self.by_cell[cell]] if cell in self.by_cell else symbol(self.puzzle, cell)
            for cell in range(len(self.puzzle.geometry))
        ]

    def grid(self) -> list[Any]:
        """Return the rows: of text where each cell has one character, else lists of strings.

        A board that is no grid of rows and columns has one row.
        """
        return rows_of(self.puzzle, self.symbols())

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``classify --json`` prints."""
        answer: dict[str, Any] = {
            "schema": "satsweeper/classify/1",
            "rows": self.puzzle.rows,
            "columns": self.puzzle.columns,
            "mines": self.puzzle.mines,
            "rules": list(self.puzzle.rules),
            "geometry": self.puzzle.geometry.name,
            "status": str(self.status),
        }
        if self.conflict is not None:
            answer["conflict"] = self.conflict.as_json()
        else:
            if self.notes:
                answer["notes"] = list(self.notes)
            answer |= {"counts": self.counts, "grid": self.grid()}
            if len(self.puzzle.geometry.shape) != 2:
                answer["cells"] = [_named(cell) for cell in self.puzzle.geometry.cells]
        return answer | {
            "engine": self.engine,
            "solver": self.solver,
            "encoding": self.encoding,
            "stats": asdict(self.stats),
        }

    def __repr__(self) -> str:
        """Return one line: status, board, and the number of cells of each verdict."""
        found = ", ".join(f"{count} {verdict}" for verdict, count in self.counts.items())
        if self.status is Status.INCONSISTENT:
            found = "no layout"
        return f"PuzzleClassification({self.status}, {self.puzzle!r}: {found})"


def nothing_proved(puzzle: Puzzle, options: Options, stats: Stats) -> PuzzleClassification:
    """Return the answer at a limit that came before any verdict."""
    return PuzzleClassification(
        puzzle,
        Status.UNDECIDED,
        dict.fromkeys(puzzle.hidden(options.flags), Verdict.UNKNOWN),
        stats,
        options.flags,
        options.solver,
        options.encoding,
        options.engine,
    )


@dataclass(frozen=True, eq=False, repr=False)
class PuzzleExplanation(Drawn):
    """The reason for a cell's verdict; for UNKNOWN two layouts, rows as `rows_of` has them."""

    puzzle: Puzzle
    cell: Hashable
    verdict: Verdict
    reason: PuzzleConflict | None
    mine_layout: tuple[Any, ...] | None
    safe_layout: tuple[Any, ...] | None
    sentence: str

    def __repr__(self) -> str:
        """Return one line: the cell, its verdict, and the size of the reason."""
        found = "two layouts that differ there"
        if self.reason is not None:
            reason = self.reason
            parts = ((reason.rules, "rule"), (reason.clues, "clue"), (reason.flags, "flag"),
                     (reason.regions, "region"))  # fmt: skip
            needed = [counted(len(each), noun) for each, noun in parts if each]
            found = ", ".join([*needed, *["the total"] * reason.total]) or "opened cells alone"
        return f"PuzzleExplanation({self.cell} is {self.verdict}: {found})"

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``explain --json`` prints."""
        answer: dict[str, Any] = {
            "schema": "satsweeper/explain/1",
            "cell": _named(self.cell),
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


def symbol(puzzle: Puzzle, cell: int) -> str:
    """Return the text of a cell: a clue, ``F``, ``M`` a known mine, ``_`` opened, ``?``."""
    clue = puzzle.clues.get(cell)
    if clue is not None:
        own = puzzle.clue_rules == ("#",)
        return "".join(clue.kind.letters) * own + clue.text()
    if cell in puzzle.flags:
        return "F"
    return "M" if cell in puzzle.shown else "_" if cell in puzzle.opened else "?"


def rows_of(puzzle: Puzzle, symbols: list[str]) -> list[Any]:
    """Return rows of text if each cell has one character, otherwise lists of strings."""
    columns = puzzle.columns
    rows = [symbols[start : start + columns] for start in range(0, len(symbols), columns)]
    if all(len(each) == 1 for each in symbols):
        return ["".join(row) for row in rows]
    return rows
