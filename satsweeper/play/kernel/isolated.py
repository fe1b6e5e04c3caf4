"""Isolated regions: independent of all other cells, and played to the end separately.

A region is isolated if it holds the same number of mines in every layout, and every unknown
neighbour of its cells belongs to the region. Then its clues say nothing about other cells, nor the
other clues about its cells, and the chance to win the game is a product with one factor for the
region. So the best cell of the region is a best move now, however many layouts the rest has.
"""

from typing import Final

from satsweeper.play.kernel.arrays import Bytes
from satsweeper.play.kernel.boxes import (
    BOX_OF,
    FIRST,
    FOUND,
    NEXT_CELL,
    ORDER,
    REGION_OF,
    REGIONS,
    START,
    Boxes,
)
from satsweeper.play.kernel.chances import Workspace
from satsweeper.play.kernel.compiled import compiled
from satsweeper.play.kernel.exact import Exact, best_place
from satsweeper.play.kernel.grid import KNOWN_MINE, KNOWN_SAFE, UNKNOWN, Adjacency, is_inside
from satsweeper.play.kernel.layouts import list_layouts
from satsweeper.play.kernel.sweep import LENGTH, MINES_FROM, WAYS_AT
from satsweeper.play.kernel.tree import GIVEN_UP

NONE: Final = -4
"""In place of a cell: there is no isolated region that is small enough."""
_PLACED: Final = 1 << 24
"""The most cells that may be placed while the layouts of a region are listed."""


@compiled
def best_isolated(
    grid: Adjacency, cells: Bytes, work: Workspace, exact: Exact, effort: int
) -> tuple[int, int, int]:
    """The best cell of an isolated region, the number of its layouts won, and of all its layouts.

    Args:
        grid: the neighbours.
        cells: what is known of each cell.
        work: as ``find_chances`` left it.
        exact: scratch, whose room is the most layouts that a region may have.
        effort: the most values of cells in layouts that may be looked at.

    The cell is ``NONE`` if there is no such region, or only regions with dead cells alone.
    """
    boxes, others = work.boxes, exact.others
    for region in range(boxes.ints[FOUND, REGIONS]):
        layouts = work.counts.pool[work.counts.ints[WAYS_AT, region]]
        if work.counts.ints[LENGTH, region] > 1 or layouts >= exact.layouts.shows.shape[1]:
            continue
        # A region with one layout is known already.
        if layouts == 1.0 or not is_closed(grid, cells, boxes, region):
            continue
        # The region alone: all its cells unknown, all other unknown cells as if they were safe.
        mines = work.counts.ints[MINES_FROM, region]
        places = 0
        for cell in range(len(cells)):
            others[cell] = cells[cell]
            if cells[cell] == KNOWN_MINE:
                mines += 1
            elif cells[cell] == UNKNOWN:
                if is_in(grid, cells, boxes, cell, region):
                    places += 1
                else:
                    others[cell] = KNOWN_SAFE
        many = list_layouts(grid, others, mines, boxes, exact.layouts, _PLACED)
        if many < 1:
            continue
        place, worth = best_place(exact.layouts.shows, exact.tree, places, many, effort)
        if worth != GIVEN_UP and place >= 0:
            return int(exact.layouts.place_cell[place]), worth, many
    return NONE, 0, 0


def is_closed(grid: Adjacency, cells: Bytes, boxes: Boxes, region: int) -> bool:
    """Whether every unknown neighbour of the cells of ``region`` belongs to the region."""
    for i in range(boxes.ints[START, region], boxes.ints[START, region + 1]):
        cell = boxes.ints[FIRST, boxes.ints[ORDER, i]]
        while cell >= 0:
            for j in range(grid.degree[cell]):
                other = grid.near[cell, j]
                if cells[other] == UNKNOWN and not is_in(grid, cells, boxes, other, region):
                    return False
            cell = boxes.ints[NEXT_CELL, cell]
    return True


def is_in(grid: Adjacency, cells: Bytes, boxes: Boxes, cell: int, region: int) -> bool:
    """Whether ``cell``, which is unknown, belongs to ``region``."""
    if is_inside(grid, cells, cell):
        # Its box is that of an earlier position, or none.
        return False
    return bool(boxes.ints[REGION_OF, boxes.ints[BOX_OF, cell]] == region)
