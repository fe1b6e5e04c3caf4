"""Positions of games on small boards, and all their layouts by trying every set of mines."""

from itertools import combinations
from typing import NamedTuple

import numpy as np
import pytest

from satsweeper.play.kernel.chances import Workspace, find_chances, room_for_work
from satsweeper.play.kernel.grid import Adjacency, Bytes, Floats, grid_of
from tests.play.cells import cells_of, clue_of

COVERED = -1


class Counted(NamedTuple):
    """A position in the arrays of the kernel, once ``find_chances`` has returned ``done``."""

    grid: Adjacency
    cells: Bytes
    work: Workspace
    chances: Floats
    done: int


@pytest.fixture(scope="session")
def counted():
    def count(board, mines):
        cells = np.ascontiguousarray(board).reshape(-1).copy()
        grid, work, chances = grid_of(*board.shape), room_for_work(cells.size), np.zeros(cells.size)
        return Counted(grid, cells, work, chances, find_chances(grid, cells, mines, work, chances))

    return count


def shown(cell, mines):
    """What a cell shows in a layout: a number, or ``*``."""
    return "*" if cell in mines else clue_of(cell, mines)


@pytest.fixture(scope="session")
def open_some():
    """A board with some free cells open, not those beside a 0, and its number of mines."""

    def make(rows, columns, random):
        places = cells_of((rows, columns))
        total = random.randint(1, max(len(places) // 3, 1))
        mines = set(random.sample(places, total))
        free = [cell for cell in places if cell not in mines]
        cells = np.full((rows, columns), COVERED, np.int8)
        for cell in random.sample(free, random.randint(1, max(len(free) // 2, 1))):
            cells[cell] = shown(cell, mines)
        return cells, total

    return make


@pytest.fixture(scope="session")
def all_layouts():
    """What every cell shows in every layout with the total that agrees with the open cells."""

    def found(cells, total):
        places = [tuple(map(int, cell)) for cell in np.argwhere(cells == COVERED)]
        opened = [tuple(map(int, cell)) for cell in np.argwhere(cells >= 0)]
        layouts = []
        for mines in map(frozenset, combinations(places, total)):
            if all(shown(cell, mines) == cells[cell] for cell in opened):
                layouts.append({cell: shown(cell, mines) for cell in places})
        return layouts

    return found
