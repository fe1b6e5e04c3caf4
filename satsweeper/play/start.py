"""The two ways a game may start, and layouts drawn uniformly under each.

``Start.SAFE``: the first cell has no mine, and nothing is said of its neighbours.
``Start.OPENING``: neither has any of its neighbours, so that it opens an area. Every layout that
the convention allows is equally likely; programs that instead move a mine away from the first click
draw from other layouts.
"""

from enum import StrEnum
from random import Random

from pbcnf.wording import counted
from satsweeper.board.codes import Cell
from satsweeper.board.geometry import Geometry
from satsweeper.board.layout import Layout, every_cell
from satsweeper.board.planes import board_of, indices
from satsweeper.board.size import size_text
from satsweeper.play.game import Game


class Start(StrEnum):
    """What is promised of the first cell."""

    SAFE = "safe"
    OPENING = "opening"


def draw_layout(
    geometry: Geometry, mines: int, first: Cell, start: Start, random: Random
) -> Layout:
    """A layout with so many mines, uniform among those that the start allows.

    Raises:
        ValueError: the first cell is not on the grid, or the mines do not fit beside it.
    """
    row, column = first
    if not (0 <= row < geometry.rows and 0 <= column < geometry.columns):
        size = size_text(geometry.rows, geometry.columns)
        raise ValueError(f"first cell {first}: the grid is {size}")
    index = geometry.index(first)
    free = 1 << index
    if start is Start.OPENING:
        free |= board_of(geometry.neighbours(index), geometry.size)
    room = indices(every_cell(geometry) & ~free, geometry.size)
    if not 0 <= mines <= len(room):
        raise ValueError(f"{counted(mines, 'mine')}: with this start there is room for {len(room)}")
    return Layout(geometry, board_of(random.sample(room, mines), geometry.size))


def draw_game(geometry: Geometry, mines: int, first: Cell, start: Start, random: Random) -> Game:
    """A game on such a layout, its first cell opened; errors as ``draw_layout``."""
    game = Game(draw_layout(geometry, mines, first, start, random))
    game.open(1 << geometry.index(first))
    return game
