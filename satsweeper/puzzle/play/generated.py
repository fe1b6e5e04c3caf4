"""Generated boards with rules and geometries, and the proofs that they need no guess."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from satsweeper.board.size import size_text
from satsweeper.puzzle.answers import rows_of, symbol
from satsweeper.puzzle.clue import Clue
from satsweeper.puzzle.play.moves import PuzzleMove
from satsweeper.puzzle.play.shown import HiddenChoices, Layout
from satsweeper.puzzle.puzzle import Puzzle

SCHEMA: Final = "satsweeper/generate/1"


@dataclass(frozen=True)
class GeneratedPuzzle:
    """A board to play: what is open at first, the layout, and the proof.

    ``puzzle``: the board as a player first sees it. ``clues``: the clue of every safe cell.
    ``style``: "click" or "puzzle"; ``first_click`` and ``start``: the promise and the cell of the
    first click, None under "puzzle". ``moves``: the proof that no move is a guess; None for a board
    that may need guesses. ``attempts``: the number of layouts drawn; ``changes``: how often the
    last of them was changed. ``uniform``: whether all layouts that rules and the first click allow
    were equally likely. ``number``: which board of ``seed``.
    """

    puzzle: Puzzle
    layout: Layout
    clues: Mapping[int, Clue]
    hidden: HiddenChoices
    style: str
    first_click: str | None
    start: Hashable | None
    seed: int
    number: int
    moves: tuple[PuzzleMove, ...] | None
    attempts: int
    changes: int
    uniform: bool

    @property
    def size(self) -> str:
        """The size as the command line has it, such as ``8x8/16``."""
        return f"{size_text(self.puzzle.rows, self.puzzle.columns)}/{self.puzzle.mines}"

    @property
    def given(self) -> list[Hashable]:
        """The cells that are open at first, by name."""
        return [self.puzzle.geometry.cells[cell] for cell in sorted(self.puzzle.clues)]

    @property
    def rows(self) -> list[str]:
        """The layout as one string a row: ``*`` is a mine, ``.`` a safe cell."""
        return self._rows(["." if cell in self.clues else "*" for cell in self._cells()])

    @property
    def grid(self) -> list[Any]:
        """The rows that a player first sees, ``?`` covered, as `rows_of` has them."""
        return rows_of(self.puzzle, [symbol(self.puzzle, cell) for cell in self._cells()])

    @property
    def solution(self) -> list[Any]:
        """The rows with every safe cell open, ``*`` for mines, as `rows_of` has them."""
        return rows_of(self.puzzle, solution_symbols(self.puzzle, self.clues))

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``generate --json`` prints."""
        puzzle, moves = self.puzzle, self.moves
        return {
            "schema": SCHEMA,
            "board": self.size,
            "rows": puzzle.rows,
            "columns": puzzle.columns,
            "mines": puzzle.mines,
            "rules": list(puzzle.rules),
            "geometry": puzzle.geometry.name,
            "style": self.style,
            "first_click": self.first_click,
            "start": list(self.start) if isinstance(self.start, tuple) else None,
            "seed": self.seed,
            "number": self.number,
            "given": [list(each) if isinstance(each, tuple) else each for each in self.given],
            "grid": self.grid,
            "layout": self.rows,
            "solution": self.solution,
            "moves": None if moves is None else [move.as_json() for move in moves],
            "attempts": self.attempts,
            "changes": self.changes,
            "uniform": self.uniform,
        }

    def _cells(self) -> range:
        return range(len(self.puzzle.geometry))

    def _rows(self, symbols: list[str]) -> list[str]:
        columns = self.puzzle.columns
        starts = range(0, len(symbols), columns)
        return ["".join(symbols[start : start + columns]) for start in starts]


def solution_symbols(puzzle: Puzzle, clues: Mapping[int, Clue]) -> list[str]:
    """Return the text of each cell with every safe cell open, ``*`` for mines."""
    own = puzzle.clue_rules == ("#",)
    return [
        "".join(clues[cell].kind.letters) * own + clues[cell].text() if cell in clues else "*"
        for cell in range(len(puzzle.geometry))
    ]


def joined(puzzle: Puzzle, symbols: Sequence[str], *, spaced: bool = False) -> list[str]:
    """Return rows of cells, with blanks between them if ``spaced``, or if a cell is that long."""
    width, columns = max(map(len, symbols)), puzzle.columns
    between = " " if spaced or width > 1 else ""
    return [
        between.join([each.ljust(width) for each in symbols[start : start + columns]]).rstrip()
        for start in range(0, len(symbols), columns)
    ]
