"""What a reader makes of a board: the cells, the total, and the bit boards it needed anyway."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from satsweeper.board.planes import Planes, unpadded

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A board that was read.

    ``padded``: cell codes row by row, each row followed by a padding byte; ``mines``: ``None`` if
    unknown.
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
    """From cell codes row by row, each row followed by a padding byte."""
    return Reading(padded, columns, mines, Planes.of(padded))
