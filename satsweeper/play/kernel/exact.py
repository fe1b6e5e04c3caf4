"""Exact play where few layouts are left."""

from math import log
from typing import Final, NamedTuple

from satsweeper.play.kernel.arrays import Bytes, Ints, octets
from satsweeper.play.kernel.chances import Work
from satsweeper.play.kernel.compiled import compiled
from satsweeper.play.kernel.grid import UNKNOWN, Grid
from satsweeper.play.kernel.layouts import MINE, Layouts, list_layouts, room_for_layouts
from satsweeper.play.kernel.mix import LAYOUTS
from satsweeper.play.kernel.tree import (
    BOUND,
    GIVEN_UP,
    LIVING,
    MANY,
    Tree,
    begin_tree,
    room_for_tree,
    split,
    survey,
    worth_of,
)

TOO_MANY: Final = -3
"""There are more layouts than are looked at, or the tree is too large."""
DEAD: Final = -1
"""No cell tells anything: any play wins one layout."""
_PLACED: Final = 1 << 27
"""Cells that may be placed while layouts are listed."""


class Exact(NamedTuple):
    """Scratch for so many layouts; ``others`` is one byte a cell."""

    layouts: Layouts
    tree: Tree
    others: Bytes


def room_for_exact(cells: int, layouts: int, nodes: int = 1 << 16, keys: int = 1 << 22) -> Exact:
    """Room for one layout more than so many: numbers of them are doubles."""
    return Exact(
        layouts=room_for_layouts(cells, layouts + 1),
        tree=room_for_tree(cells, layouts + 1, nodes, keys),
        others=octets(cells),
    )


@compiled
def list_few(grid: Grid, cells: Bytes, mines: int, work: Work, exact: Exact) -> int:
    """List the layouts of a position if there are few; how many, or ``TOO_MANY``.

    Args:
        grid: the neighbours.
        cells: what is known of each cell.
        mines: of the whole board.
        work: as ``find_chances`` left it.
        exact: scratch, whose room is what "few" means.
    """
    if work.mixed.sums[LAYOUTS] > log(exact.layouts.shows.shape[1] - 0.5):
        return TOO_MANY
    many = list_layouts(grid, cells, mines, work.boxes, exact.layouts, _PLACED)
    return TOO_MANY if many < 0 else many


@compiled
def best_exact(
    grid: Grid, cells: Bytes, mines: int, work: Work, exact: Exact, effort: int
) -> tuple[int, int, int]:
    """The cell that the best play opens first, the layouts it wins then, and all of them.

    The cell is ``DEAD``, or ``TOO_MANY``. Arguments as ``list_few``, and the ``effort``: cells of
    layouts that may be looked at.
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


def best_place(shows: Bytes, tree: Tree, places: int, layouts: int, effort: int) -> tuple[int, int]:
    """The place that the best play opens first, and in how many layouts it wins then.

    The place is -1 if every one is dead. The worth is ``GIVEN_UP`` if the effort, cells of layouts
    to look at, does not do.
    """
    many = begin_tree(shows, tree, places, layouts, effort)
    living = survey(shows, tree, 0, layouts, many)
    best, chosen = 0, -1
    for i in range(living):
        free = tree.free[0, i]
        if free <= best:
            break
        worth = root_worth(shows, tree, layouts, living, i, best)
        if worth == GIVEN_UP:
            return -1, GIVEN_UP
        if worth > best:
            best, chosen = worth, tree.places[0, i]
        if free == layouts:
            break
    return chosen, best if living else 1


def root_worth(shows: Bytes, tree: Tree, layouts: int, living: int, i: int, bound: int) -> int:
    """In how many layouts the best play wins that opens a place of the root first.

    If it does not exceed the bound, a number that does not either.
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
    shows: Bytes, tree: Tree, places: int, layouts: int, effort: int, worths: Ints
) -> bool:
    """Fill in, for every place, in how many layouts the best play wins that opens it first.

    Whether the effort did; a place that is a mine in every layout wins none.
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
