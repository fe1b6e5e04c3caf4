"""The view that strategies get: a position where no cell is certain to be safe, and its chances."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import exp

import numpy as np
from numpy.typing import NDArray

from satsweeper.board.codes import COVERED, FLAG, Cell
from satsweeper.board.size import BoardSize
from satsweeper.play.choice import Outlook
from satsweeper.play.kernel.chances import LOG_LAYOUTS
from satsweeper.play.kernel.grid import KNOWN_MINE, UNKNOWN, Bytes
from satsweeper.play.kernel.lookahead import CERTAIN, CHANCE, SAFEST, VALUES, try_cell
from satsweeper.play.scratch import Scratch
from satsweeper.position import Position


@dataclass
class GuessView:
    """A position in which a guess is needed. Cells are ``(row, column)``, both from 0.

    ``codes`` are the codes of the cells, row by row: a clue, ``UNKNOWN`` or ``KNOWN_MINE`` of
    ``satsweeper.play.kernel.grid``. ``scratch`` holds the counts of the position for the built-in
    strategies.
    """

    board: BoardSize
    codes: Bytes
    scratch: Scratch

    @cached_property
    def covered(self) -> list[Cell]:
        """The covered cells that are not known to be mines, row by row."""
        return [self.cell(index) for index in np.flatnonzero(self.codes == UNKNOWN).tolist()]

    @property
    def chances(self) -> NDArray[np.float64]:
        """The chance of a mine in every covered cell, shape ``(rows, columns)``; nan elsewhere."""
        known = np.where(self.codes == UNKNOWN, self.scratch.chances, np.nan)
        known[self.codes == KNOWN_MINE] = 1.0
        return known.reshape(self.board.rows, self.board.columns)

    def chance(self, cell: Cell) -> float:
        """The chance of a mine in a covered cell."""
        return float(self.scratch.chances[self.index(cell)])

    @property
    def layouts(self) -> float:
        """The number of layouts, rounded; inf if the number may be too large for a double."""
        logarithm = self.scratch.moves.work.mixed.sums[LOG_LAYOUTS]
        return exp(logarithm) if logarithm < 700 else float("inf")

    def best_by(self, best: Callable[..., int], *more: object) -> Cell:
        """The cell that ``best``, of ``satsweeper.play.kernel``, chooses.

        ``more``: further arguments of ``best``.
        """
        scratch = self.scratch
        return self.cell(
            best(
                scratch.grid,
                self.codes,
                self.board.mines,
                scratch.moves.work,
                scratch.chances,
                scratch.candidates,
                *more,
            )
        )

    @cached_property
    def position(self) -> Position:
        """The position, with a flag on every mine that is known."""
        cells = self.codes.reshape(self.board.rows, self.board.columns).copy()
        cells[cells == UNKNOWN] = COVERED
        cells[cells == KNOWN_MINE] = FLAG
        return Position(cells, self.board.mines)

    def ahead(self, cell: Cell) -> list[Outlook]:
        """An outlook for each clue that ``cell`` may show.

        The chances of these add up to the chance that ``cell`` is free.
        """
        scratch = self.scratch
        lookahead = scratch.candidates.lookahead
        lookahead.dead[:] = 0
        work, index = scratch.moves.work, self.index(cell)
        try_cell(scratch.grid, self.codes, self.board.mines, work, lookahead, index)
        seen = lookahead.seen
        return [
            Outlook(value, float(seen[value, CHANCE]), float(seen[value, SAFEST]), int(certain))
            for value, certain in zip(range(VALUES), seen[:, CERTAIN].tolist(), strict=True)
            if seen[value, CHANCE]
        ]

    def cell(self, index: int) -> Cell:
        """The cell ``(row, column)`` of an index in ``codes``."""
        return divmod(index, self.board.columns)

    def index(self, cell: Cell) -> int:
        """The index of a cell in ``codes``."""
        return cell[0] * self.board.columns + cell[1]


Strategy = Callable[[GuessView], Cell]
"""A function from a view of a position in which a guess is needed to the covered cell to open."""
