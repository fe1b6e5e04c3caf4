"""The promise of a game about the cell that is opened first: four conventions.

They change who wins far more than any strategy does, so that no share of games won means anything
without the convention it was found under.
"""

from enum import StrEnum
from typing import Final

from satsweeper.board.codes import Cell
from satsweeper.board.geometry import Geometry
from satsweeper.board.size import BoardSize

_EXPERT: Final = BoardSize(16, 30, 99)


class FirstClick(StrEnum):
    """A convention of the first click; the value is its name on the command line."""

    NONE = "none"
    """No promise: the first cell is a mine as often as any other."""

    SAFE = "safe"
    """The first cell has no mine; nothing is promised about its neighbours."""

    OPENING = "opening"
    """The first cell and its neighbours have no mine, so that the first click opens an area."""

    WINDOWS = "windows"
    """Windows' way: a mine at the first cell is moved to the first free cell, row by row from the
    top left. The layouts are those of ``SAFE``, but they are *not* equally likely: the top left
    corner has too many mines, and odds that take layouts for equally likely are slightly wrong.
    """


def promised(first_click: FirstClick, geometry: Geometry, first: int) -> int:
    """The cells that have no mine if the cell of the index ``first`` is opened first.

    >>> from satsweeper.board.geometry import Square
    >>> bin(promised(FirstClick.OPENING, Square(2, 3), 0))
    '0b110011'
    """
    if first_click is FirstClick.NONE:
        return 0
    free = 1 << first
    if first_click is FirstClick.OPENING:
        for near in geometry.neighbours(first):
            free |= 1 << near
    return free


def usual_start(board: BoardSize, first_click: FirstClick) -> Cell:
    """The first cell of published win rates: the corner, or well inside if an opening is promised.

    Then it is (2, 2), on the expert board (3, 3), or the nearest cell that there is. Most authors
    count rows and columns from 1, which is no guess: their rates are those of these cells.
    """
    if first_click is not FirstClick.OPENING:
        return 0, 0
    inside = 3 if board == _EXPERT else 2
    return min(inside, board.rows - 1), min(inside, board.columns - 1)
