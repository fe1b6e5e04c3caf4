"""The chance of a mine in every unknown cell of a position, and which cells are certain.

That a cell is certain never rests on rounding: the numbers of layouts in which a cell is a mine, or
free, are sums of products of natural numbers, and only 0 counts as impossible.
"""

from typing import Final, NamedTuple

from satsweeper.play.kernel.arrays import Bytes, Floats, Ints, ints
from satsweeper.play.kernel.boxes import (
    BOXES,
    FIRST,
    FOUND,
    NEXT_CELL,
    REGION_CELLS,
    REGION_OF,
    REGIONS,
    Boxes,
    find_boxes,
    room_for_boxes,
)
from satsweeper.play.kernel.compiled import compiled
from satsweeper.play.kernel.grid import DONE, IMPOSSIBLE, KNOWN_MINE, UNKNOWN, Adjacency
from satsweeper.play.kernel.mix import (
    INSIDE_FREE,
    INSIDE_MINE,
    ITEM_LEAST,
    ITEM_LENGTH,
    ITEM_WAYS,
    REST_AT,
    MixedRegions,
    mix,
    room_for_mixed,
)
from satsweeper.play.kernel.sweep import (
    BOX_AT,
    LENGTH,
    MINES_FROM,
    USED,
    WAYS_AT,
    PoolCounts,
    Sweep,
    count_region,
    room_for_counts,
    room_for_sweep,
)

NOTHING: Final = 2.0
"""The "chance" of a cell that is not unknown."""


class Workspace(NamedTuple):
    """All scratch for the chances of one position."""

    boxes: Boxes
    counts: PoolCounts
    sweep: Sweep
    mixed: MixedRegions
    clues: Ints


def room_for_work(cells: int, sweep: Sweep | None = None) -> Workspace:
    """Scratch for a board with ``cells`` cells; its sweep is ``sweep`` if there is one already."""
    return Workspace(
        room_for_boxes(cells),
        room_for_counts(cells),
        sweep or room_for_sweep(cells),
        room_for_mixed(cells),
        ints(cells),
    )


@compiled
def find_chances(
    grid: Adjacency, cells: Bytes, mines: int, work: Workspace, chances: Floats
) -> int:
    """Fill in the chance of a mine in every unknown cell: exactly 0 and 1 where it is certain.

    Args:
        grid: the neighbours.
        cells: what is known of each cell.
        mines: of the whole board.
        work: scratch.
        chances: filled; ``NOTHING`` for cells that are not unknown.

    Returns DONE, IMPOSSIBLE if there is no layout, NO_ROOM if a region is too wide.
    """
    boxes = work.boxes
    chances.fill(NOTHING)
    done = count_position(grid, cells, work)
    if done == DONE:
        done = mix_position(cells, mines, work)
    if done != DONE:
        return done
    # All cells as if they were interior, then those in boxes by their own region.
    inside = share(work.mixed.sums[INSIDE_MINE], work.mixed.sums[INSIDE_FREE])
    for cell in range(len(cells)):
        if cells[cell] == UNKNOWN:
            chances[cell] = inside
    for box in range(boxes.ints[FOUND, BOXES]):
        chance = box_chance(boxes, work.counts, work.mixed, box)
        cell = boxes.ints[FIRST, box]
        while cell >= 0:
            chances[cell] = chance
            cell = boxes.ints[NEXT_CELL, cell]
    return DONE


def count_position(grid: Adjacency, cells: Bytes, work: Workspace) -> int:
    """Find the boxes and regions of all clues, and count them: DONE, IMPOSSIBLE or NO_ROOM."""
    clues = 0
    for cell in range(len(cells)):
        if cells[cell] >= 0:
            work.clues[clues] = cell
            clues += 1
    if not find_boxes(grid, cells, work.clues, clues, work.boxes):
        return IMPOSSIBLE
    return count_regions(work)


def count_regions(work: Workspace) -> int:
    """Count every region that was found, in an empty pool: DONE, IMPOSSIBLE or NO_ROOM."""
    work.counts.ints[USED, 0] = 0
    for region in range(work.boxes.ints[FOUND, REGIONS]):
        done = count_region(work.boxes, region, work.sweep, work.counts)
        if done != DONE:
            return done
    return DONE


def mix_position(cells: Bytes, mines: int, work: Workspace) -> int:
    """Mix all regions, which are counted, and the interior, for a board of ``mines`` mines.

    Returns DONE, IMPOSSIBLE if no layout has this total, or NO_ROOM.
    """
    interior = 0
    for cell in range(len(cells)):
        interior += cells[cell] == UNKNOWN
        mines -= cells[cell] == KNOWN_MINE
    regions = work.boxes.ints[FOUND, REGIONS]
    for region in range(regions):
        interior -= work.boxes.ints[REGION_CELLS, region]
        add_item(work.mixed, region, work.counts, region)
    return mix(work.mixed, regions, work.counts.pool, mines, interior)


def add_item(mixed: MixedRegions, item: int, counts: PoolCounts, region: int) -> None:
    """Put a region among those to be mixed, as number ``item``."""
    mixed.ints[ITEM_LEAST, item] = counts.ints[MINES_FROM, region]
    mixed.ints[ITEM_LENGTH, item] = counts.ints[LENGTH, region]
    mixed.ints[ITEM_WAYS, item] = counts.ints[WAYS_AT, region]


def box_chance(boxes: Boxes, counts: PoolCounts, mixed: MixedRegions, box: int) -> float:
    """The chance of a mine in a cell of ``box``, once the regions are mixed in their order."""
    region = boxes.ints[REGION_OF, box]
    return weigh_box(counts, box, counts.ints[LENGTH, region], mixed, mixed.ints[REST_AT, region])


def weigh_box(counts: PoolCounts, box: int, length: int, mixed: MixedRegions, rest: int) -> float:
    """The chance of a mine in a cell of ``box``, whose region has ``length`` numbers of mines.

    By each of these numbers, the layouts of the region in which the cell is a mine, or free, are
    multiplied by the weight of everything else, which begins at ``rest``.
    """
    at = counts.ints[BOX_AT, box]
    mine = free = 0.0
    for m in range(length):
        mine += counts.pool[at + m] * mixed.rest[rest + m]
        free += counts.pool[at + length + m] * mixed.rest[rest + m]
    return share(mine, free)


def share(mine: float, free: float) -> float:
    """``mine`` as a share of ``mine + free``; 0 only if ``mine`` is 0, 1 only if ``free`` is 0."""
    if mine == 0.0:
        return 0.0
    if free == 0.0:
        return 1.0
    return min(max(mine / (mine + free), 1e-300), 1.0 - 1e-16)
