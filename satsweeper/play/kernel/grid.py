"""The board in arrays: neighbours of every cell, and what is known of each.

Cells are numbered row by row, ``row * columns + column``. What is known of a cell is one ``int8``:
its clue, 0 to 8, if it is open, else one of the three codes below.
"""

from functools import lru_cache
from typing import Final, NamedTuple

from satsweeper.play.kernel.arrays import Ints, ints

UNKNOWN: Final = -1
KNOWN_MINE: Final = -2
KNOWN_SAFE: Final = -3
"""Covered, but proved to hold no mine."""


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
    near, degree = ints(rows * columns, 8), ints(rows * columns)
    steps = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
    for cell in range(rows * columns):
        row, column = divmod(cell, columns)
        found = 0
        for down, right in steps:
            r, c = row + down, column + right
            if 0 <= r < rows and 0 <= c < columns:
                near[cell, found] = r * columns + c
                found += 1
        degree[cell] = found
        for rest in range(found, 8):
            near[cell, rest] = -1
    return Grid(near, degree, columns)
