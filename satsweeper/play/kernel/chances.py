"""The chance of a mine in every unknown cell of a position, and what is certain.

That a cell is certain never rests on rounding: the numbers of layouts in which it is a mine, and in
which it is not, are sums of products of natural numbers, and only 0 counts as impossible.
"""

from typing import Final, NamedTuple

from satsweeper.play.kernel.arrays import Bytes, Floats, Ints, ints
from satsweeper.play.kernel.boxes import (
    FIRST,
    FOUND,
    NEXT_CELL,
    REGION_CELLS,
    REGION_OF,
    Boxes,
    find_boxes,
    room_for_boxes,
)
from satsweeper.play.kernel.compiled import compiled
from satsweeper.play.kernel.grid import KNOWN_MINE, UNKNOWN, Grid
from satsweeper.play.kernel.mix import (
    INSIDE_FREE,
    INSIDE_MINE,
    ITEM_LEAST,
    ITEM_LENGTH,
    ITEM_WAYS,
    REST_AT,
    Mixed,
    mix,
    room_for_mixed,
)
from satsweeper.play.kernel.states import (
    BOX_AT,
    LENGTH,
    MINES_FROM,
    USED,
    WAYS_AT,
    Counts,
    Sweep,
    room_for_counts,
    room_for_sweep,
)
from satsweeper.play.kernel.sweep import count_region

NOTHING: Final = 2.0
"""The "chance" of a cell that is not unknown."""


class Work(NamedTuple):
    """All scratch for the chances of one position."""

    boxes: Boxes
    counts: Counts
    sweep: Sweep
    mixed: Mixed
    clues: Ints


def room_for_work(cells: int) -> Work:
    """Scratch for a board with so many cells."""
    return Work(
        room_for_boxes(cells),
        room_for_counts(cells),
        room_for_sweep(cells),
        room_for_mixed(cells),
        ints(cells),
    )


@compiled
def find_chances(grid: Grid, cells: Bytes, mines: int, work: Work, chances: Floats) -> int:
    """Fill in the chance of a mine in every unknown cell: exactly 0 and 1 where it is certain.

    Args:
        grid: the neighbours.
        cells: what is known of each cell.
        mines: of the whole board.
        work: scratch.
        chances: filled; ``NOTHING`` where nothing is asked.

    Returns 1; 0 if there is no layout; -1 if a region is too wide to be counted here.
    """
    boxes, counts = work.boxes, work.counts
    clues = unknown = 0
    for cell in range(len(cells)):
        chances[cell] = NOTHING
        if cells[cell] >= 0:
            work.clues[clues] = cell
            clues += 1
        elif cells[cell] == UNKNOWN:
            unknown += 1
        elif cells[cell] == KNOWN_MINE:
            mines -= 1
    if not find_boxes(grid, cells, work.clues, clues, boxes):
        return 0
    counts.ints[USED, 0] = 0
    regions = boxes.ints[FOUND, 2]
    for region in range(regions):
        done = count_region(boxes, region, work.sweep, counts)
        if done < 1:
            return done
        unknown -= boxes.ints[REGION_CELLS, region]
        work.mixed.ints[ITEM_LEAST, region] = counts.ints[MINES_FROM, region]
        work.mixed.ints[ITEM_LENGTH, region] = counts.ints[LENGTH, region]
        work.mixed.ints[ITEM_WAYS, region] = counts.ints[WAYS_AT, region]
    done = mix(work.mixed, regions, counts.pool, mines, unknown)
    if done < 1:
        return done
    if unknown:
        inside = share(work.mixed.sums[INSIDE_MINE], work.mixed.sums[INSIDE_FREE])
        for cell in range(len(cells)):
            if cells[cell] == UNKNOWN:
                chances[cell] = inside
    for box in range(boxes.ints[FOUND, 1]):
        chance = box_chance(boxes, counts, work.mixed, box)
        cell = boxes.ints[FIRST, box]
        while cell >= 0:
            chances[cell] = chance
            cell = boxes.ints[NEXT_CELL, cell]
    return 1


def box_chance(boxes: Boxes, counts: Counts, mixed: Mixed, box: int) -> float:
    """The chance of a mine in a cell of a box, once the regions are mixed in their order."""
    region = boxes.ints[REGION_OF, box]
    at, length, rest = (
        counts.ints[BOX_AT, box],
        counts.ints[LENGTH, region],
        mixed.ints[REST_AT, region],
    )
    mine = free = 0.0
    for m in range(length):
        mine += counts.pool[at + m] * mixed.rest[rest + m]
        free += counts.pool[at + length + m] * mixed.rest[rest + m]
    return share(mine, free)


def share(mine: float, free: float) -> float:
    """``mine`` of both; 0 and 1 only if one of them is 0."""
    if mine == 0.0:
        return 0.0
    if free == 0.0:
        return 1.0
    return min(max(mine / (mine + free), 1e-300), 1.0 - 1e-16)
