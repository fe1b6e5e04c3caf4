"""One move ahead: what each value that a cell may show would leave.

To open a cell changes only the regions around it. They are divided afresh once, and the one with
the new clue is counted for every value; the counts of all others are those of the position.
"""

from math import exp
from typing import Final, NamedTuple

from satsweeper.play.kernel.arrays import Bytes, Floats, Ints, floats, ints, octets
from satsweeper.play.kernel.boxes import (
    BOX_OF,
    CLUE_BOXES,
    CLUE_CELL,
    CLUE_NEED,
    FIRST,
    FOUND,
    NEXT_CELL,
    ORDER,
    REGION_CELLS,
    REGION_OF,
    START,
    Boxes,
    find_boxes,
    room_for_boxes,
)
from satsweeper.play.kernel.chances import Work, share
from satsweeper.play.kernel.compiled import compiled
from satsweeper.play.kernel.grid import KNOWN_MINE, UNKNOWN, Grid
from satsweeper.play.kernel.mix import (
    INSIDE_FREE,
    INSIDE_MINE,
    ITEM_LEAST,
    ITEM_LENGTH,
    ITEM_WAYS,
    LAYOUTS,
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
    room_for_counts,
)
from satsweeper.play.kernel.sweep import count_region

VALUES: Final = 9
CHANCE: Final = 0
"""Of the value, a mine being the other case."""
SAFEST: Final = 1
"""The chance that the safest living cell is free afterwards; 1 if one is certain."""
SECOND: Final = 2
"""That of the second safest one, in another place."""
CERTAIN: Final = 3
"""How many living cells are certain to be free afterwards."""
WHERE: Final = 4
"""The safest living cell."""
FEATURES: Final = 5


class Ahead(NamedTuple):
    """Scratch, and ``seen[value, feature]`` of the last cell that was tried.

    ``dead`` are cells that would show the same wherever they are free; ``touched`` regions.
    """

    boxes: Boxes
    counts: Counts
    mixed: Mixed
    clues: Ints
    touched: Bytes
    dead: Bytes
    seen: Floats


def room_for_ahead(cells: int, work: Work) -> Ahead:
    """Scratch beside that of the position itself, whose pool of numbers it shares."""
    return Ahead(
        boxes=room_for_boxes(cells),
        counts=room_for_counts(cells, work.counts.pool),
        mixed=room_for_mixed(cells),
        clues=ints(cells),
        touched=octets(cells),
        dead=octets(cells),
        seen=floats(VALUES, FEATURES),
    )


@compiled
def try_cell(
    grid: Grid, cells: Bytes, mines: int, work: Work, chances: Floats, ahead: Ahead, cell: int
) -> int:
    """Fill ``ahead.seen`` for an unknown cell; how many values it may show, -1 for no room.

    Args:
        grid: the neighbours.
        cells: what is known; as it was in the end.
        mines: of the whole board.
        work: as ``find_chances`` left it.
        chances: as it filled them.
        ahead: scratch.
        cell: one that may be free.
    """
    # Its counts lie in the same pool, behind those of the position.
    ahead.counts.ints[USED, 0] = work.counts.ints[USED, 0]
    done = try_values(grid, cells, mines, work, chances, ahead, cell)
    cells[cell] = UNKNOWN
    return done


def try_values(
    grid: Grid, cells: Bytes, mines: int, work: Work, chances: Floats, ahead: Ahead, cell: int
) -> int:
    """As ``try_cell``, which restores what is changed here."""
    near, degree = grid.near, grid.degree
    base, boxes, seen = work.boxes, ahead.boxes, ahead.seen
    mixed = ahead.mixed
    seen[:] = 0.0
    interior = 0
    for other in range(len(cells)):
        if cells[other] == UNKNOWN:
            interior += chances[other] >= 0.0
        elif cells[other] == KNOWN_MINE:
            mines -= 1
    regions = base.ints[FOUND, 2]
    for region in range(regions):
        ahead.touched[region] = 0
        interior -= base.ints[REGION_CELLS, region]
    # The regions with the cell, with one of its neighbours, or with a clue next to it.
    known = unknown = 0
    inside = is_inside(grid, cells, cell)
    if inside:
        interior -= 1
    else:
        ahead.touched[base.ints[REGION_OF, base.ints[BOX_OF, cell]]] = 1
    for i in range(degree[cell]):
        other = near[cell, i]
        if cells[other] == KNOWN_MINE:
            known += 1
        elif cells[other] == UNKNOWN:
            unknown += 1
            if is_inside(grid, cells, other):
                interior -= 1
            else:
                ahead.touched[base.ints[REGION_OF, base.ints[BOX_OF, other]]] = 1
    many = 0
    for clue in range(base.ints[FOUND, 0]):
        if ahead.touched[base.ints[REGION_OF, base.lists[CLUE_BOXES, clue, 0]]]:
            ahead.clues[many] = base.ints[CLUE_CELL, clue]
            many += 1
    if unknown:
        ahead.clues[many] = cell
        many += 1
    cells[cell] = known
    if not find_boxes(grid, cells, ahead.clues, many, boxes):
        return 0
    new_clue = boxes.ints[FOUND, 0] - 1 if unknown else -1
    new_region = boxes.ints[REGION_OF, boxes.lists[CLUE_BOXES, new_clue, 0]] if unknown else -1
    found = 0
    for region in range(boxes.ints[FOUND, 2]):
        if region != new_region:
            done = count_region(boxes, region, work.sweep, ahead.counts)
            if done < 1:
                return done
            add_item(mixed, found, ahead.counts, region)
        found += 1
    for region in range(regions):
        if not ahead.touched[region]:
            for i in range(3):
                mixed.ints[i, found] = work.mixed.ints[i, region]
            found += 1
    mark = ahead.counts.ints[USED, 0]
    possible = 0
    for more in range(unknown + 1):
        if new_clue >= 0:
            boxes.ints[CLUE_NEED, new_clue] = more
            ahead.counts.ints[USED, 0] = mark
            done = count_region(boxes, new_region, work.sweep, ahead.counts)
            if done == 0:
                continue
            if done < 0:
                return done
            add_item(mixed, new_region, ahead.counts, new_region)
        done = mix(mixed, found, ahead.counts.pool, mines, interior)
        if done == 0:
            continue
        if done < 0:
            return done
        possible += 1
        value = seen[known + more]
        value[CHANCE] = exp(mixed.sums[LAYOUTS] - work.mixed.sums[LAYOUTS])
        value[WHERE] = -1.0
        look(work, ahead, regions, interior, cells, value)
    return possible


def is_inside(grid: Grid, cells: Bytes, cell: int) -> bool:
    """Whether an unknown cell is in the interior: no clue touches it."""
    for i in range(grid.degree[cell]):  # noqa: SIM110 - numba has no all()
        if cells[grid.near[cell, i]] >= 0:
            return False
    return True


def add_item(mixed: Mixed, item: int, counts: Counts, region: int) -> None:
    """Put a region among those to be mixed."""
    mixed.ints[ITEM_LEAST, item] = counts.ints[MINES_FROM, region]
    mixed.ints[ITEM_LENGTH, item] = counts.ints[LENGTH, region]
    mixed.ints[ITEM_WAYS, item] = counts.ints[WAYS_AT, region]


def look(
    work: Work, ahead: Ahead, regions: int, interior: int, cells: Bytes, value: Floats
) -> None:
    """The features of the position that a value leaves, once it is mixed."""
    boxes, counts, mixed = ahead.boxes, ahead.counts, ahead.mixed
    base = work.boxes
    for box in range(boxes.ints[FOUND, 1]):
        region = boxes.ints[REGION_OF, box]
        rest = mixed.ints[REST_AT, region]
        see_box(boxes, counts, mixed, box, counts.ints[LENGTH, region], rest, ahead.dead, value)
    item = boxes.ints[FOUND, 2]
    for region in range(regions):
        if ahead.touched[region]:
            continue
        for i in range(base.ints[START, region], base.ints[START, region + 1]):
            box = base.ints[ORDER, i]
            length = work.counts.ints[LENGTH, region]
            rest = mixed.ints[REST_AT, item]
            see_box(base, work.counts, mixed, box, length, rest, ahead.dead, value)
        item += 1
    if interior:
        chance = share(mixed.sums[INSIDE_MINE], mixed.sums[INSIDE_FREE])
        see(1.0 - chance, -1, interior, value)


def see_box(
    boxes: Boxes,
    counts: Counts,
    mixed: Mixed,
    box: int,
    length: int,
    rest: int,
    dead: Bytes,
    value: Floats,
) -> None:
    """Take the living cells of a box into the features."""
    at = counts.ints[BOX_AT, box]
    mine = free = 0.0
    for m in range(length):
        mine += counts.pool[at + m] * mixed.rest[rest + m]
        free += counts.pool[at + length + m] * mixed.rest[rest + m]
    cell = boxes.ints[FIRST, box]
    while cell >= 0:
        if not dead[cell]:
            see(1.0 - share(mine, free), cell, 1, value)
        cell = boxes.ints[NEXT_CELL, cell]


def see(safety: float, cell: int, many: int, value: Floats) -> None:
    """Take one cell, or many alike, into the features."""
    if safety == 1.0:
        value[CERTAIN] += many
    if safety > value[SAFEST]:
        value[SECOND] = value[SAFEST]
        value[SAFEST] = safety
        value[WHERE] = cell
        if many > 1:
            value[SECOND] = safety
    elif safety > value[SECOND]:
        value[SECOND] = safety
