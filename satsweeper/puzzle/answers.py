"""Verdicts, reasons and conflicts on a board of any shape."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from pbcnf.shown import Drawn
from satsweeper.answers.classification import (
    BoardExplanation,
    Conflict,
    Stats,
    Status,
    Verdict,
    named_in_json,
)
from satsweeper.answers.options import Options
from satsweeper.board.value import Value
from satsweeper.puzzle.puzzle import Puzzle


class PuzzleConflict(Conflict):
    """Clues, flags, rules, regions and perhaps the total that no layout meets together."""

    rules: tuple[str, ...] = ()
    regions: tuple[str, ...] = ()

    @property
    def parts(self) -> tuple[tuple[int, str], ...]:
        """The numbers of rules, clues, flags and regions, each with a noun."""
        return (len(self.rules), "rule"), *super().parts, (len(self.regions), "region")

    def as_json(self) -> dict[str, Any]:
        """Return the conflict as an object; without regions it has no entry for them."""
        regions = {"regions": list(self.regions)} if self.regions else {}
        return super().as_json() | {"rules": list(self.rules)} | regions


class PuzzleClassification(Drawn, Value, eq=False):
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
    notes: tuple[str, ...] = ()

    @property
    def verdict(self) -> dict[Hashable, Verdict]:
        """The verdict of each covered cell, by its name."""
        cells = self.puzzle.geometry.cells
        return {cells[cell]: verdict for cell, verdict in self.by_cell.items()}

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
                answer["cells"] = [named_in_json(cell) for cell in self.puzzle.geometry.cells]
        return answer | {
            "engine": self.engine,
            "solver": self.solver,
            "encoding": self.encoding,
            "stats": self.stats.as_json(),
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


class PuzzleExplanation(BoardExplanation, Value, eq=False):
    """The reason for a cell's verdict; for UNKNOWN two layouts, rows as `rows_of` has them."""

    puzzle: Puzzle
    cell: Hashable
    verdict: Verdict
    reason: PuzzleConflict | None
    mine_layout: tuple[Any, ...] | None
    safe_layout: tuple[Any, ...] | None
    sentence: str


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
