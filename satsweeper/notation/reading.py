"""The result of reading a board: its cells and its total."""

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
    ``None`` if unknown.
    """

    padded: bytes
    columns: int
    mines: int | None

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.padded) // (self.columns + 1)

    @property
    def cells(self) -> NDArray[np.int8]:
        """The cells as a read-only int8 array of shape ``(rows, columns)``; nothing is copied."""
        return unpadded(self.padded, self.columns)

    @property
    def planes(self) -> Planes:
        """The cells as bit boards."""
        return Planes.of(self.padded)


def clue_beyond_reach(reading: Reading) -> tuple[Cell, str] | None:
    """Return the first clue larger than the number of its covered and flagged neighbours.

    No game can show such a clue. The result is the cell of the clue and a message; ``None`` if
    every clue is possible.
    """
    stride = reading.columns + 1
    beyond = clues_beyond_reach(reading.padded, stride)
    if not beyond:
        return None
    index = (beyond & -beyond).bit_length() - 1 >> 3
    planes = reading.planes
    count = Square(reading.rows, reading.columns).count(planes.covered | planes.flags)
    room = sum((plane >> index & 1) << k for k, plane in enumerate(count))
    cell = divmod(index, stride)
    return cell, (
        f"clue {reading.padded[index]} with {room} covered and flagged "
        f"neighbour{'s' * (room != 1)}: a clue is at most their number"
    )
