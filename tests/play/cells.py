"""Cells, mines and numbers as plain sets, for oracles that share no code with the product."""

from collections.abc import Set
from itertools import combinations
from random import Random

import numpy as np

from satsweeper.board.layout import Layout
from tests.boards import COVERED, Board, Cells

Cell = tuple[int, int]
Shape = tuple[int, int]


def cells_of(shape: Shape) -> list[Cell]:
    """Every cell of a board of so many rows and columns, row by row."""
    return [(r, c) for r in range(shape[0]) for c in range(shape[1])]


def touch(one: Cell, other: Cell) -> bool:
    """Whether two cells are neighbours."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) == 1


def around(cell: Cell) -> set[Cell]:
    """The eight places around a cell, on a board or off it."""
    r, c = cell
    return {(r + i, c + j) for i in (-1, 0, 1) for j in (-1, 0, 1)} - {cell}


def neighbours(cell: Cell, shape: Shape) -> set[Cell]:
    """The neighbours of a cell."""
    return {(r, c) for r, c in around(cell) if 0 <= r < shape[0] and 0 <= c < shape[1]}


def clue_of(cell: Cell, mines: Set[Cell]) -> int:
    """The number of mines around a free cell."""
    return len(around(cell) & mines)


def opens(cell: Cell, mines: Set[Cell], shape: Shape, flags: Set[Cell] = frozenset()) -> set[Cell]:
    """What is open after a cell is: a 0 opens its neighbours, but for flags."""
    waiting, opened = [cell], set[Cell]()
    while waiting:
        each = waiting.pop()
        if each not in opened:
            opened.add(each)
            if each not in mines and clue_of(each, mines) == 0:
                waiting += neighbours(each, shape) - flags
    return opened


def mines_of(layout: Layout) -> frozenset[Cell]:
    """The mines of a layout of the product."""
    geometry = layout.geometry
    cells = cells_of((geometry.rows, geometry.columns))
    return frozenset(cell for cell in cells if layout.mines >> geometry.index(cell) & 1)


def shown(cell: Cell, mines: Set[Cell]) -> int | str:
    """The content of an opened cell where ``mines`` are the mines: a number, or ``*``."""
    return "*" if cell in mines else clue_of(cell, mines)


def open_some(rows: int, columns: int, random: Random) -> tuple[Cells, int]:
    """A board with some free cells open, not those beside a 0, and its number of mines."""
    places = cells_of((rows, columns))
    total = random.randint(1, max(len(places) // 3, 1))
    mines = set(random.sample(places, total))
    free = [cell for cell in places if cell not in mines]
    cells = np.full((rows, columns), COVERED, np.int8)
    for cell in random.sample(free, random.randint(1, max(len(free) // 2, 1))):
        cells[cell] = clue_of(cell, mines)
    return cells, total


def all_layouts(cells: Cells, total: int) -> list[dict[Cell, int | str]]:
    """For every layout that agrees with total and open cells: covered cell -> its content."""
    board = Board(cells, total)
    places, opened = board.at(COVERED), board.clues()
    return [
        {cell: shown(cell, mines) for cell in places}
        for mines in map(frozenset, combinations(places, total))
        if all(shown(cell, mines) == cells[cell] for cell in opened)
    ]
