"""The result of reading a board: cells, total, and bit boards that the reader computed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from satsweeper.board.codes import Cell
from satsweeper.board.geometry import Square
from satsweeper.board.planes import Planes, clues_beyond_reach, unpadded

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Reading(NamedTuple):
    """A board that was read.

    ``padded``: cell codes row by row, each row followed by a padding byte; ``mines``: the total,
    ``None`` if unknown; ``planes``: bit boards of the cells.
    """

    padded: bytes
    columns: int
    mines: int | None
    planes: Planes

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.padded) // (self.columns + 1)

    @property
    def cells(self) -> NDArray[np.int8]:
        """The cells as a read-only int8 array of shape ``(rows, columns)``; nothing is copied."""
        return unpadded(self.padded, self.columns)


def reading_of(padded: bytes, columns: int, mines: int | None) -> Reading:
    """Return the reading of cell codes row by row, each row followed by a padding byte."""
    return Reading(padded, columns, mines, Planes.of(padded))


def clue_beyond_reach(reading: Reading) -> tuple[Cell, str] | None:
    """Return the first clue larger than the number of its covered and flagged neighbours.

    No game can show such a clue. The result is the cell of the clue and a message; ``None`` if
    every clue is possible.
    """
    square = Square(reading.rows, reading.columns)
    beyond = clues_beyond_reach(square, reading.planes)
    if not beyond:
        return None
    index = (beyond & -beyond).bit_length() - 1
    count = square.count(reading.planes.covered | reading.planes.flags)
    room = sum((plane >> index & 1) << k for k, plane in enumerate(count))
    cell = square.cell(index)
    return cell, (
        f"clue {reading.padded[index]} with {room} covered and flagged "
        f"neighbour{'s' * (room != 1)}: a clue is at most their number"
    )
