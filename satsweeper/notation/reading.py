"""What a reader makes of a board: the cells, the total, and the bit boards it needed anyway."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from satsweeper.board.planes import Planes


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """``cells``: read-only int8 of shape ``(rows, columns)``; ``mines``: ``None`` if unknown."""

    cells: NDArray[np.int8]
    mines: int | None
    planes: Planes


def reading_of(padded: bytes, columns: int, mines: int | None) -> Reading:
    """From cell codes row by row, each row followed by a padding byte; nothing is copied."""
    grid = np.frombuffer(padded, np.int8).reshape(-1, columns + 1)
    return Reading(grid[:, :columns], mines, Planes.of(padded))
