"""Exact play where few layouts are left, of the whole position or of a region by itself.

A region is *isolated* if it holds the same number of mines in every layout, and every unknown
neighbour of its cells belongs to the region. Then the clues of the region and the cells that open
inside say nothing about the rest of the board, nor the rest about the region, and the chance to win
the game is a product with one factor for the region. So the best cell of the region is a best move
now, however many layouts the rest of the board has.
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
"""Result in place of a cell: there are too many layouts, or the tree is too large."""
DEAD: Final = -1
"""Result in place of a cell: every cell is dead, and any play wins one layout."""
_PLACED: Final = 1 << 27
"""The most cells that may be placed while layouts are listed."""
NONE: Final = -4
"""Result in place of a cell: there is no isolated region that is small enough."""
_PLACED_IN_REGION: Final = 1 << 24
"""The most cells that may be placed while the layouts of a region are listed."""


class Exact(NamedTuple):
    """Scratch for exact play.

    ``others``: codes of cells in which the unknown cells outside one region count as safe.
    """

    layouts: LayoutTable
    tree: PlayTree
    others: Bytes


def room_for_exact(cells: int, layouts: int) -> Exact:
    """Room for ``layouts`` layouts of a board with ``cells`` cells, and for one more.

    The number of layouts is a rounded double before they are listed, so the test of this number
    allows for an error of a half.
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
        cells: the code of what is known of each cell.
        mines: the number of mines of the whole board.
        work: as ``find_chances`` left it for this position.
        exact: scratch, with room for the most layouts that are listed.
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

    The first result may be ``DEAD`` or ``TOO_MANY`` in place of a cell. Arguments as ``list_few``;
    ``effort``: the most entries of the table of layouts that the search may read.
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
    # ``survey`` sorts the living places by falling number of free layouts.
    many = begin_tree(shows, tree, places, layouts, effort)
    living = survey(shows, tree, 0, layouts, many)
    best, chosen = 0, -1
    for i in range(living):
        free = tree.free[0, i]
        if free <= best:
            # A play wins only layouts in which its first place is free, so neither this place nor a
            # later one, which is free in no more layouts, wins more than ``best``.
            break
        worth = root_worth(shows, tree, layouts, living, i, best)
        if worth == GIVEN_UP:
            return -1, GIVEN_UP
        if worth > best:
            best, chosen = worth, tree.places[0, i]
        if free == layouts:
            # A place that is free in every layout is a best move: no other place can win more.
            break
    return chosen, best if living else 1


def root_worth(shows: Bytes, tree: PlayTree, layouts: int, living: int, i: int, bound: int) -> int:
    """The number of layouts won by the best play that opens place ``i`` of the root first.

    If this number is at most ``bound``, the result may be any upper bound of the number that is at
    most ``bound`` as well. ``GIVEN_UP`` if the effort is used up.
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
        # Invariant: ``worth`` is exactly the number of layouts won that show an earlier value, and
        # ``left`` layouts show a later value. A part whose worth does not exceed BOUND may come
        # back as an upper bound: then the test below ends the loop.
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
        cells: the code of what is known of each cell.
        work: as ``find_chances`` left it for this position.
        exact: scratch, with room for the most layouts that a region may have.
        effort: the most entries of the table of layouts that the search may read.

    The first result is ``NONE`` in place of a cell if every isolated region is too large, has one
    layout, or has only dead cells.
    """
    boxes, others = work.boxes, exact.others
    for region in range(boxes.ints[FOUND, REGIONS]):
        layouts = work.counts.pool[work.counts.ints[WAYS_AT, region]]
        if work.counts.ints[LENGTH, region] > 1 or layouts >= exact.layouts.shows.shape[1]:
            continue
        # In a region with one layout every cell is certain, so there is nothing to choose.
        if layouts == 1.0 or not is_closed(grid, cells, boxes, region):
            continue
        # ``others`` describes the region alone: the unknown cells outside count as safe, so that
        # they take no part, and the total is the known mines and the mines of the region.
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
        # No clue touches the cell, so ``BOX_OF`` holds no box of this position.
        return False
    return bool(boxes.ints[REGION_OF, boxes.ints[BOX_OF, cell]] == region)
