"""The board in arrays: neighbours of every cell, and what is known of each.

Cells are numbered row by row, ``row * columns + column``. What is known of a cell is one ``int8``:
its clue, 0 to 8, if it is open, else one of the three codes below.
"""

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

UNKNOWN: Final = -1
KNOWN_MINE: Final = -2
KNOWN_SAFE: Final = -3
"""Covered, but proved to hold no mine."""

Bytes = NDArray[np.int8]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def ints(*shape: int) -> Ints:
    """An array of zeros; all integers have one type, so that every function is compiled once."""
    return np.zeros(shape, np.int64)


class Grid(NamedTuple):
    """``near[cell, :degree[cell]]`` are a cell's neighbours, ascending."""

    near: Ints
    degree: Ints
    columns: int


@lru_cache(maxsize=16)
def grid_of(rows: int, columns: int) -> Grid:
    """The neighbours of every cell of a board.

    >>> grid = grid_of(2, 3)
    >>> grid.near[0, : grid.degree[0]].tolist()
    [1, 3, 4]
    """
    cells = rows * columns
    near = np.full((cells, 8), -1)
    degree = ints(cells)
    row, column = np.divmod(np.arange(cells), columns)
    for down, right in ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)):
        r, c = row + down, column + right
        here = np.flatnonzero((r >= 0) & (r < rows) & (c >= 0) & (c < columns))
        near[here, degree[here]] = (r * columns + c)[here]
        degree[here] += 1
    return Grid(near, degree, columns)
