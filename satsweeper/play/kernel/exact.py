"""Exact play where few layouts are left, of the whole position or of a region by itself.

A region is *isolated* if it holds the same number of mines in every layout, and every unknown
neighbour of its cells belongs to the region. Then its clues say nothing about other cells, nor the
other clues about its cells, and the chance to win the game is a product with one factor for the
region. So the best cell of the region is a best move now, however many layouts the rest has.
"""

from math import log
from typing import Final, NamedTuple

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
from satsweeper.play.kernel.chances import LOG_LAYOUTS, Workspace
from satsweeper.play.kernel.compiled import compiled
from satsweeper.play.kernel.grid import (
    KNOWN_MINE,
    KNOWN_SAFE,
    UNKNOWN,
    Adjacency,
    Bytes,
    Ints,
    is_inside,
    octets,
)
from satsweeper.play.kernel.sweep import LENGTH, MINES_FROM, WAYS_AT
from satsweeper.play.kernel.tree import (
    BOUND,
    GIVEN_UP,
    LIVING,
    MANY,
    MINE,
    LayoutTable,
    PlayTree,
    begin_tree,
    list_layouts,
    room_for_layouts,
    room_for_tree,
    split,
    survey,
    worth_of,
)

TOO_MANY: Final = -3
"""In place of a cell: there are too many layouts, or the tree is too large."""
DEAD: Final = -1
"""In place of a cell: every cell is dead, and any play wins one layout."""
_PLACED: Final = 1 << 27
"""The most cells that may be placed while layouts are listed."""
NONE: Final = -4
"""In place of a cell: there is no isolated region that is small enough."""
_PLACED_IN_REGION: Final = 1 << 24
"""The most cells that may be placed while the layouts of a region are listed."""


class Exact(NamedTuple):
    """Scratch for the layouts and the tree; ``others``: codes of cells for a part of the board."""

    layouts: LayoutTable
    tree: PlayTree
    others: Bytes


def room_for_exact(cells: int, layouts: int) -> Exact:
    """Room for ``layouts`` layouts of a board with ``cells`` cells, and for one more.

    The number of layouts is first known as a rounded double only.
    """
    return Exact(
        layouts=room_for_layouts(cells, layouts + 1),
        tree=room_for_tree(cells, layouts + 1),
        others=octets(cells),
    )


@compiled
def list_few(grid: Adjacency, cells: Bytes, mines: int, work: Workspace, exact: Exact) -> int:
    """List the layouts of a position if there are few; return their number, or ``TOO_MANY``.

    Args:
        grid: the neighbours.
        cells: what is known of each cell.
        mines: of the whole board.
        work: as ``find_chances`` left it.
        exact: scratch, whose room decides how many are few.
    """
    if work.mixed.sums[LOG_LAYOUTS] > log(exact.layouts.shows.shape[1] - 0.5):
        return TOO_MANY
    many = list_layouts(grid, cells, mines, work.boxes, exact.layouts, _PLACED)
    return TOO_MANY if many < 0 else many


@compiled
def best_exact(
    grid: Adjacency, cells: Bytes, mines: int, work: Workspace, exact: Exact, effort: int
) -> tuple[int, int, int]:
    """The first cell of the best play, the number of layouts that it wins, and of all layouts.

    In place of a cell stands ``DEAD`` or ``TOO_MANY``. Arguments as ``list_few``; ``effort``: the
    most values of cells in layouts that may be looked at.
    """
    many = list_few(grid, cells, mines, work, exact)
    if many == TOO_MANY:
        return TOO_MANY, 0, 0
    places = 0
    for cell in range(len(cells)):
        places += cells[cell] == UNKNOWN
    place, worth = best_place(exact.layouts.shows, exact.tree, places, many, effort)
    if worth == GIVEN_UP:
        return TOO_MANY, 0, many
    if place < 0:
        return DEAD, worth, many
    return int(exact.layouts.place_cell[place]), worth, many


def best_place(
    shows: Bytes, tree: PlayTree, places: int, layouts: int, effort: int
) -> tuple[int, int]:
    """The first place of the best play, and the number of layouts that it wins.

    The place is -1 if all places are dead. The worth is ``GIVEN_UP`` if ``effort`` is used up.
    """
    many = begin_tree(shows, tree, places, layouts, effort)
    living = survey(shows, tree, 0, layouts, many)
    best, chosen = 0, -1
    for i in range(living):
        free = tree.free[0, i]
        if free <= best:
            # No place from here on is free in more layouts, and so none wins more.
            break
        worth = root_worth(shows, tree, layouts, living, i, best)
        if worth == GIVEN_UP:
            return -1, GIVEN_UP
        if worth > best:
            best, chosen = worth, tree.places[0, i]
        if free == layouts:
            break
    return chosen, best if living else 1


def root_worth(shows: Bytes, tree: PlayTree, layouts: int, living: int, i: int, bound: int) -> int:
    """The number of layouts won by the best play that opens place ``i`` of the root first.

    If the number does not exceed ``bound``, any upper bound of it that does not either.
    """
    left = int(tree.free[0, i])
    worth = 0
    below = tree.frames[1]
    for value in range(MINE):
        size = split(shows, tree, 0, layouts, living, i, value)
        if not size:
            continue
        left -= size
        below[MANY] = size
        below[LIVING] = living - 1
        # `worth` layouts are won for certain, `left` may be won by the values to come: this part
        # matters only where it exceeds what the bound leaves.
        below[BOUND] = max(bound - worth - left, 0)
        part = worth_of(shows, tree, 1)
        if part == GIVEN_UP:
            return GIVEN_UP
        worth += part
        if worth + left <= bound:
            return worth + left
    return worth


@compiled
def worths_of_places(
    shows: Bytes, tree: PlayTree, places: int, layouts: int, effort: int, worths: Ints
) -> bool:
    """Fill in for every place the number of layouts won by the best play that opens it first.

    A place that is a mine in every layout wins none. Returns False if ``effort`` is used up.
    """
    begin_tree(shows, tree, places, layouts, effort)
    for place in range(places):
        free = 0
        for layout in range(layouts):
            free += shows[place, layout] != MINE
        for i in range(places):
            tree.places[0, i] = i
        tree.free[0, place] = free
        worths[place] = root_worth(shows, tree, layouts, places, place, 0) if free else 0
        if worths[place] == GIVEN_UP:
            return False
    return True


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
        many = list_layouts(grid, others, mines, boxes, exact.layouts, _PLACED_IN_REGION)
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
