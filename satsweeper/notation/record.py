"""The contents of a board file: the player's view, and the solution if the file has one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

from pbcnf.wording import counted
from satsweeper.board.codes import Cell
from satsweeper.board.geometry import Square
from satsweeper.board.planes import Planes
from satsweeper.notation.error import BoardError, CannotHoldError
from satsweeper.notation.reading import Reading, clue_beyond_reach
from satsweeper.notation.solution import HIDDEN, MINE, covered_grid, disagreement, implied


@dataclass(frozen=True, slots=True)
class Record:
    """The contents of one board file, independent of its format.

    ``padded``: the cells as in ``Reading``; ``mines``: the total, ``None`` if unknown;
    ``solution``: the truth of all cells (see ``solution.py``), ``None`` if the file has only the
    player's view; ``notes``: pairs of name and text about the board; ``marks``: pairs of a mark
    that a position cannot hold, and the number of cells with that mark.

    ``first``, ``masked`` and ``seed`` are about the notation of the file, not about the board: the
    first click and the spelling of a game ID, and the key of an encrypted solution.
    """

    padded: bytes
    columns: int
    mines: int | None = None
    solution: bytes | None = None
    notes: tuple[tuple[str, str], ...] = ()
    marks: tuple[tuple[str, int], ...] = ()
    first: Cell | None = None
    masked: bool = True
    seed: int | None = None

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.padded) // (self.columns + 1)

    @property
    def reading(self) -> Reading:
        """The player's view; if the file has only a layout, every cell is covered."""
        return Reading(self.padded, self.columns, self.mines)

    @property
    def truth(self) -> bytes | None:
        """The solution, stated or implied by the flags; ``None`` if the file implies none."""
        return implied(self.padded, self.mines) if self.solution is None else self.solution

    def with_total(self, mines: int | None) -> Self:
        """Return the record with total ``mines``; ``ValueError`` for an impossible total."""
        cells = self.rows * self.columns
        if mines is not None and mines > cells:
            raise ValueError(
                f"{counted(mines, 'mine')} in {counted(cells, 'cell')}: the total is 0 to {cells}"
            )
        if mines is not None and self.solution is not None:
            laid = self.solution.count(MINE)
            if laid != mines:
                raise ValueError(f"total {mines}: the layout has {counted(laid, 'mine')}")
        return replace(self, mines=mines)

    def solved(self) -> Self:
        """Return the record of the won game: every mine flagged, every other cell open.

        Raises ``CannotHoldError`` if ``truth`` is None.
        """
        truth = self.truth
        if truth is None:
            raise CannotHoldError("no layout is told: there is no solution to show")
        return replace(self, padded=truth, mines=truth.count(MINE), solution=None, marks=())

    def without(self, part: str) -> Self:
        """Return the record without a part: flags, layout, marks, notes, total or view.

        Flags become covered cells, and without the view every cell does.
        """
        if part == "flags":
            padded = self.padded.replace(bytes([MINE]), bytes([HIDDEN]))
            return replace(self, padded=padded, solution=self.truth)
        if part == "view":
            padded = covered_grid(self.rows, self.columns)
            return replace(self, padded=padded, solution=self.truth, marks=(), first=None)
        nothing: dict[str, dict[str, Any]] = {
            "layout": {"solution": None}, "total": {"mines": None}, "notes": {"notes": ()},
            "marks": {"marks": ()},
        }  # fmt: skip
        return replace(self, **nothing[part])


def checked(record: Record, first_line: int | None, source: str) -> Record:
    """Return ``record`` after checking its clues and total against its solution.

    ``first_line``: the line of the first row of cells; None if rows are not lines of the file.

    Raises:
        BoardError: a clue that no game can show, or that the solution contradicts; a total that
            differs from the number of mines in the solution.
    """
    reading = record.reading
    beyond = clue_beyond_reach(reading)
    if beyond is not None:
        raise _wrong_cell(beyond[0], beyond[1], first_line, source)
    if record.solution is None:
        return record
    laid = record.solution.count(MINE)
    if record.mines is not None and record.mines != laid:
        raise BoardError(
            source, message=f"total {record.mines}: the layout has {counted(laid, 'mine')}"
        )
    wrong = disagreement(reading.planes, Planes.of(record.solution))
    if wrong:
        index = (wrong & -wrong).bit_length() - 1
        cell = Square(record.rows, record.columns).cell(index)
        truth = record.solution[index]
        says = "a mine there" if truth == MINE else f"{truth} there"
        message = f"opened cell {record.padded[index]}: the layout has {says}"
        raise _wrong_cell(cell, message, first_line, source)
    return record


def _wrong_cell(cell: Cell, message: str, first_line: int | None, source: str) -> BoardError:
    row, column = cell
    if first_line is None:
        return BoardError(source, message=f"cell {row},{column}: {message}")
    return BoardError(source, first_line + row, column + 1, message)
