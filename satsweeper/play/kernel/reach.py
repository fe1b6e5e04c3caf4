"""How far a logic gets: everything that it proves is opened, until it is stuck.

Cells that are certain without the total are always found before it is asked, so that a position
where it is asked needs it.
"""

from typing import Final, NamedTuple

from satsweeper.play.kernel.arrays import Bytes, Ints, ints, octets
from satsweeper.play.kernel.boxes import (
    FIRST,
    FOUND,
    NEXT_CELL,
    REGION_CELLS,
    REGION_OF,
    find_boxes,
)
from satsweeper.play.kernel.certain import Moves
from satsweeper.play.kernel.chances import Work, box_chance, share
from satsweeper.play.kernel.compiled import compiled
from satsweeper.play.kernel.deduce import note, settle, two_clues
from satsweeper.play.kernel.grid import KNOWN_MINE, UNKNOWN, Grid
from satsweeper.play.kernel.mix import (
    INSIDE_FREE,
    INSIDE_MINE,
    ITEM_LEAST,
    ITEM_LENGTH,
    ITEM_WAYS,
    mix,
)
from satsweeper.play.kernel.states import BOX_AT, LENGTH, MINES_FROM, USED, WAYS_AT
from satsweeper.play.kernel.sweep import count_region

SINGLE_CLUE: Final = 1
SUBSET: Final = 2
COMPLETE: Final = 3
"""What a logic can do: one clue at a time, also two, or all that follows."""

STUCK: Final = 0
SOLVED: Final = 1
UNSAFE: Final = -2
"""What came of it; the last one if a cell that was called safe is a mine: a defect."""


class Reach(NamedTuple):
    """What was found certain: ``found[:many]`` cells, of which ``is_mine`` tells."""

    found: Ints
    is_mine: Bytes


def room_for_reach(cells: int) -> Reach:
    """Room for a board with so many cells."""
    return Reach(ints(cells), octets(cells))


@compiled
def open_provable(
    grid: Grid,
    numbers: Bytes,
    cells: Bytes,
    mines: int,
    strength: int,
    total: bool,
    moves: Moves,
    reach: Reach,
    top: int,
) -> int:
    """Open what is on the stack of ``moves`` and all that is proved: STUCK, SOLVED, UNSAFE.

    Args:
        grid: the neighbours.
        numbers: what each cell shows once it is open, ``EXPLODED`` for a mine.
        cells: what is known, changed in place.
        mines: of the whole board.
        strength: SINGLE_CLUE, SUBSET or COMPLETE.
        total: whether the total may be asked.
        moves: scratch.
        reach: scratch.
        top: entries of the stack.
    """
    stack = moves.stack
    while True:
        if settle(grid, numbers, cells, stack, top) < 0:
            return UNSAFE
        if is_solved(cells, mines):
            return SOLVED
        top = 0
        if strength >= SUBSET:
            top = two_clues(grid, cells, moves.seen, moves.needs, stack)
        if not top and strength == COMPLETE:
            many = certain_cells(grid, cells, mines, total, moves.work, reach)
            for i in range(many):
                top = note(grid, cells, reach.found[i], reach.is_mine[i] != 0, stack, top)
        elif not top and total:
            many = safe_by_total(grid, cells, mines, strength, reach)
            for i in range(many):
                top = note(grid, cells, reach.found[i], False, stack, top)
        if not top:
            return STUCK


def is_solved(cells: Bytes, mines: int) -> bool:
    """Whether every cell without a mine is open."""
    closed = 0
    for cell in range(len(cells)):
        closed += cells[cell] < 0
    return closed == mines


@compiled
def certain_cells(
    grid: Grid, cells: Bytes, mines: int, total: bool, work: Work, reach: Reach
) -> int:
    """Find all that is certain without the total; if that is nothing, what is safe by it.

    Returns how many cells are in ``reach.found``; 0 also where a region is too wide to be counted.
    """
    boxes, counts = work.boxes, work.counts
    clues = 0
    for cell in range(len(cells)):
        if cells[cell] > 0:
            work.clues[clues] = cell
            clues += 1
    if not find_boxes(grid, cells, work.clues, clues, boxes):
        return 0
    if not count_regions(work):
        return 0
    many = 0
    for box in range(boxes.ints[FOUND, 1]):
        certain = certain_box(work, box)
        if certain >= 0:
            many = add_box(work, box, certain, reach, many)
    if many or not total:
        return many
    interior = mix_in_total(cells, mines, work)
    if interior < 0:
        return 0
    for box in range(boxes.ints[FOUND, 1]):
        if box_chance(boxes, counts, work.mixed, box) == 0.0:
            many = add_box(work, box, 0, reach, many)
    if interior and share(work.mixed.sums[INSIDE_MINE], work.mixed.sums[INSIDE_FREE]) == 0.0:
        many = add_interior(grid, cells, reach, many)
    return many


def count_regions(work: Work) -> bool:
    """Count every region; False if one has no layout or is too wide."""
    work.counts.ints[USED, 0] = 0
    for region in range(work.boxes.ints[FOUND, 2]):
        if count_region(work.boxes, region, work.sweep, work.counts) < 1:
            return False
    return True


def certain_box(work: Work, box: int) -> int:
    """What the counts of its region say of a box: 1 mines, 0 safe, -1 neither."""
    counts = work.counts
    at, length = counts.ints[BOX_AT, box], counts.ints[LENGTH, work.boxes.ints[REGION_OF, box]]
    mine = free = 0.0
    for m in range(length):
        mine += counts.pool[at + m]
        free += counts.pool[at + length + m]
    if mine == 0.0:
        return 0
    return 1 if free == 0.0 else -1


def mix_in_total(cells: Bytes, mines: int, work: Work) -> int:
    """Mix the counted regions, given the total; cells of the interior, -1 if that cannot be."""
    boxes, counts, mixed = work.boxes, work.counts, work.mixed
    interior = 0
    for cell in range(len(cells)):
        interior += cells[cell] == UNKNOWN
        mines -= cells[cell] == KNOWN_MINE
    regions = boxes.ints[FOUND, 2]
    for region in range(regions):
        interior -= boxes.ints[REGION_CELLS, region]
        mixed.ints[ITEM_LEAST, region] = counts.ints[MINES_FROM, region]
        mixed.ints[ITEM_LENGTH, region] = counts.ints[LENGTH, region]
        mixed.ints[ITEM_WAYS, region] = counts.ints[WAYS_AT, region]
    if mix(mixed, regions, counts.pool, mines, interior) < 1:
        return -1
    return interior


def add_box(work: Work, box: int, mine: int, reach: Reach, many: int) -> int:
    """Put the cells of a box among those that were found; how many these are then."""
    cell = work.boxes.ints[FIRST, box]
    while cell >= 0:
        reach.found[many] = cell
        reach.is_mine[many] = mine
        many += 1
        cell = work.boxes.ints[NEXT_CELL, cell]
    return many


def add_interior(grid: Grid, cells: Bytes, reach: Reach, many: int) -> int:
    """Put the unknown cells that no clue touches among those that were found to be safe."""
    for cell in range(len(cells)):
        if cells[cell] == UNKNOWN:
            alone = True
            for i in range(grid.degree[cell]):
                if cells[grid.near[cell, i]] >= 0:
                    alone = False
                    break
            if alone:
                reach.found[many] = cell
                reach.is_mine[many] = 0
                many += 1
    return many


def safe_by_total(grid: Grid, cells: Bytes, mines: int, strength: int, reach: Reach) -> int:
    """What the total makes safe as one clue more: all cells, or for SUBSET all but those of a clue.

    Returns how many cells are in ``reach.found``.
    """
    left = mines
    for cell in range(len(cells)):
        left -= cells[cell] == KNOWN_MINE
    if left == 0:
        return add_others(grid, cells, -1, reach)
    if strength >= SUBSET:
        for clue in range(len(cells)):
            if cells[clue] > 0 and unknown_mines(grid, cells, clue) == left:
                many = add_others(grid, cells, clue, reach)
                if many:
                    return many
    return 0


def add_others(grid: Grid, cells: Bytes, clue: int, reach: Reach) -> int:
    """Put all unknown cells but those around a clue, if one is named, among the safe ones."""
    many = 0
    for cell in range(len(cells)):
        if cells[cell] == UNKNOWN and not (clue >= 0 and touches(grid, clue, cell)):
            reach.found[many] = cell
            reach.is_mine[many] = 0
            many += 1
    return many


def unknown_mines(grid: Grid, cells: Bytes, clue: int) -> int:
    """How many mines a clue has among its unknown cells."""
    need = int(cells[clue])
    for i in range(grid.degree[clue]):
        need -= cells[grid.near[clue, i]] == KNOWN_MINE
    return need


def touches(grid: Grid, cell: int, other: int) -> bool:
    """Whether two cells are neighbours."""
    down = abs(cell // grid.columns - other // grid.columns)
    right = abs(cell % grid.columns - other % grid.columns)
    return bool(down <= 1 and right <= 1 and cell != other)
