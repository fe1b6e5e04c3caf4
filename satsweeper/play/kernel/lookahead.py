"""Lookahead by a move: for each value that a cell may show, the safety of the position left.

Opening a cell changes only the region of the cell and the regions of its neighbours. Boxes and
regions of this part are found anew once (``find_boxes``). The region with the new clue is counted
for each value, the other new regions once; the counts of the untouched regions are those of the
position.
"""

from math import exp
from typing import Final, NamedTuple

from satsweeper.play.kernel.boxes import (
    BOX_OF,
    BOXES,
    CLUE_BOXES,
    CLUE_CELL,
    CLUE_NEED,
    CLUES,
    FIRST,
    FOUND,
    NEXT_CELL,
    ORDER,
    REGION_CELLS,
    REGION_OF,
    REGIONS,
    SIZE,
    START,
    Boxes,
    find_boxes,
    room_for_boxes,
)
from satsweeper.play.kernel.chances import (
    INSIDE_FREE,
    INSIDE_MINE,
    ITEM_LEAST,
    ITEM_LENGTH,
    ITEM_WAYS,
    LOG_LAYOUTS,
    REST_AT,
    MixedRegions,
    Workspace,
    add_item,
    mix,
    room_for_mixed,
    share,
    weigh_box,
)
from satsweeper.play.kernel.compiled import compiled
from satsweeper.play.kernel.grid import (
    IMPOSSIBLE,
    KNOWN_MINE,
    NO_ROOM,
    UNKNOWN,
    Adjacency,
    Bytes,
    Floats,
    Ints,
    floats,
    ints,
    is_inside,
    octets,
)
from satsweeper.play.kernel.sweep import LENGTH, USED, PoolCounts, count_region, room_for_counts

VALUES: Final = 9
"""The number of values that a free cell may show: 0 to 8."""
CHANCE: Final = 0
"""The chance that the cell is free and shows the value; the sum over the values is the chance that
the cell is free."""
SAFEST: Final = 1
"""The chance that the safest living cell is free, given the value; 1 if the cell is certain."""
SECOND: Final = 2
"""The chance that the second safest living cell is free, given the value."""
CERTAIN: Final = 3
"""The number of living cells that are certain to be free, given the value."""
WHERE: Final = 4
"""The safest living cell, given the value; -1 stands for any cell of the interior."""
LAYOUTS_LEFT: Final = 5
"""The natural logarithm of the number of layouts, given the value."""
INSIDE: Final = 6
"""The number of interior cells, given the value."""
INSIDE_SAFE: Final = 7
"""The chance that a cell of the interior is free, given the value; 0 without an interior."""
PARTS: Final = 8
"""The number of regions, given the value."""
DOUBT: Final = 9
"""The sum of ``chance * (1 - chance)`` over the cells of the frontier, given the value."""
SPECTRUM: Final = 10
"""The first of ``len(EDGES) + 3`` features: numbers of frontier cells by their chance of a mine,
given the value. First the cells that are certain to be free, then those with a chance below each of
the ``EDGES`` and not below the one before, then those of a larger chance, last the certain mines.
"""
EDGES: Final = (0.055, 0.155, 0.23, 0.29, 0.36, 0.44, 0.56, 0.71, 0.91)
FEATURES: Final = SPECTRUM + len(EDGES) + 3


class Lookahead(NamedTuple):
    """Scratch, and ``seen[value, feature]`` of the cell that was tried last.

    ``dead``: 1 for cells that show one and the same clue in every layout in which they are free;
    all other cells are *living*. ``touched``: 1 for regions of the position whose counts change
    when the cell is opened.
    """

    boxes: Boxes
    counts: PoolCounts
    mixed: MixedRegions
    clues: Ints
    touched: Bytes
    dead: Bytes
    seen: Floats


def room_for_lookahead(cells: int, work: Workspace) -> Lookahead:
    """Scratch that shares the pool of numbers of ``work``, the scratch of the position itself."""
    return Lookahead(
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
    grid: Adjacency, cells: Bytes, mines: int, work: Workspace, lookahead: Lookahead, cell: int
) -> int:
    """Fill ``lookahead.seen`` for a cell; return how many values it may show, or NO_ROOM.

    Args:
        grid: the neighbours.
        cells: the code of what is known of each cell; restored on return.
        mines: the number of mines of the whole board.
        work: as ``find_chances`` left it for this position.
        lookahead: scratch; ``dead`` is given.
        cell: an unknown cell that may be free.
    """
    # The new counts lie in the same pool, behind those of the position.
    lookahead.counts.ints[USED, 0] = work.counts.ints[USED, 0]
    possible = try_values(grid, cells, mines, work, lookahead, cell)
    cells[cell] = UNKNOWN
    return possible


def try_values(
    grid: Adjacency, cells: Bytes, mines: int, work: Workspace, lookahead: Lookahead, cell: int
) -> int:
    """Do the work of ``try_cell``, but leave ``cells[cell]`` open and the pool longer.

    For each number that the cell may show: count the new region with that number as its clue, mix
    all regions, and fill a row of ``seen``.
    """
    near, degree = grid.near, grid.degree
    base, boxes, seen = work.boxes, lookahead.boxes, lookahead.seen
    mixed = lookahead.mixed
    seen.fill(0.0)
    # The interior before the move: all unknown cells that are in no region.
    interior = 0
    for other in range(len(cells)):
        if cells[other] == UNKNOWN:
            interior += 1
        elif cells[other] == KNOWN_MINE:
            mines -= 1
    regions = base.ints[FOUND, REGIONS]
    for region in range(regions):
        lookahead.touched[region] = 0
        interior -= base.ints[REGION_CELLS, region]
    # The move touches the region of ``cell``, which becomes known, and the regions of its unknown
    # neighbours, which get one clue more. Interior cells among the neighbours leave the interior,
    # because the new clue touches them.
    known = unknown = 0
    if is_inside(grid, cells, cell):
        interior -= 1
    else:
        lookahead.touched[base.ints[REGION_OF, base.ints[BOX_OF, cell]]] = 1
    for i in range(degree[cell]):
        other = near[cell, i]
        if cells[other] == KNOWN_MINE:
            known += 1
        elif cells[other] == UNKNOWN:
            unknown += 1
            if is_inside(grid, cells, other):
                interior -= 1
            else:
                lookahead.touched[base.ints[REGION_OF, base.ints[BOX_OF, other]]] = 1
    # The clues of the touched regions, and last the new one, are divided into boxes and regions.
    many = 0
    for clue in range(base.ints[FOUND, CLUES]):
        if lookahead.touched[base.ints[REGION_OF, base.lists[CLUE_BOXES, clue, 0]]]:
            lookahead.clues[many] = base.ints[CLUE_CELL, clue]
            many += 1
    if unknown:
        lookahead.clues[many] = cell
        many += 1
    cells[cell] = known
    if not find_boxes(grid, cells, lookahead.clues, many, boxes):
        return IMPOSSIBLE
    new_clue = boxes.ints[FOUND, CLUES] - 1 if unknown else -1
    new_region = boxes.ints[REGION_OF, boxes.lists[CLUE_BOXES, new_clue, 0]] if unknown else -1
    # The items to be mixed are first the new regions. The counts of all new regions but the one
    # with the new clue do not depend on the value, so they are made here, once for all values.
    found = 0
    for region in range(boxes.ints[FOUND, REGIONS]):
        if region != new_region:
            done = count_region(boxes, region, work.sweep, lookahead.counts)
            if done <= IMPOSSIBLE:
                return done
            add_item(mixed, found, lookahead.counts, region)
        found += 1
    # Then the regions that are not touched, with the counts of the position.
    for region in range(regions):
        if not lookahead.touched[region]:
            for row in (ITEM_LEAST, ITEM_LENGTH, ITEM_WAYS):
                mixed.ints[row, found] = work.mixed.ints[row, region]
            found += 1
    mark = lookahead.counts.ints[USED, 0]
    possible = 0
    for more in range(unknown + 1):
        if new_clue >= 0:
            # The value is ``known + more``. Each recount overwrites the numbers of the recount
            # before in the pool.
            boxes.ints[CLUE_NEED, new_clue] = more
            lookahead.counts.ints[USED, 0] = mark
            done = count_region(boxes, new_region, work.sweep, lookahead.counts)
            if done == NO_ROOM:
                return done
            if done == IMPOSSIBLE:
                continue
            add_item(mixed, new_region, lookahead.counts, new_region)
        done = mix(mixed, found, lookahead.counts.pool, mines, interior)
        if done == NO_ROOM:
            return done
        if done == IMPOSSIBLE:
            continue
        possible += 1
        value = seen[known + more]
        # All layouts are equally likely, so the chance of the value is the number of layouts after
        # the move with this value, divided by the number of layouts before the move.
        value[CHANCE] = exp(mixed.sums[LOG_LAYOUTS] - work.mixed.sums[LOG_LAYOUTS])
        value[WHERE] = -1.0
        value[LAYOUTS_LEFT] = mixed.sums[LOG_LAYOUTS]
        see_cells(work, lookahead, regions, interior, value)
    return possible


def see_cells(
    work: Workspace, lookahead: Lookahead, regions: int, interior: int, value: Floats
) -> None:
    """Fill ``value``, the features of the position after a value, whose regions are mixed.

    ``regions``: the number of regions before the move; ``interior``: the number of interior cells
    after the move.
    """
    boxes, counts, mixed = lookahead.boxes, lookahead.counts, lookahead.mixed
    base = work.boxes
    for box in range(boxes.ints[FOUND, BOXES]):
        region = boxes.ints[REGION_OF, box]
        see_box(boxes, counts, mixed, box, region, lookahead.dead, value)
    # Items were mixed in this order: the new regions, then the untouched ones of the position.
    item = boxes.ints[FOUND, REGIONS]
    for region in range(regions):
        if lookahead.touched[region]:
            continue
        for i in range(base.ints[START, region], base.ints[START, region + 1]):
            see_box(base, work.counts, mixed, base.ints[ORDER, i], item, lookahead.dead, value)
        item += 1
    if interior:
        chance = share(mixed.sums[INSIDE_MINE], mixed.sums[INSIDE_FREE])
        see(1.0 - chance, -1, interior, value)
        value[INSIDE] = interior
        value[INSIDE_SAFE] = 1.0 - chance
    value[PARTS] = item


def see_box(
    boxes: Boxes,
    counts: PoolCounts,
    mixed: MixedRegions,
    box: int,
    item: int,
    dead: Bytes,
    value: Floats,
) -> None:
    """Add the living cells of ``box`` to the features; ``item``: the item of the box's region."""
    length = counts.ints[LENGTH, boxes.ints[REGION_OF, box]]
    chance = weigh_box(counts, box, length, mixed, mixed.ints[REST_AT, item])
    many = boxes.ints[SIZE, box]
    value[DOUBT] += many * chance * (1.0 - chance)
    value[SPECTRUM + place_in_spectrum(chance)] += many
    cell = boxes.ints[FIRST, box]
    while cell >= 0:
        if not dead[cell]:
            see(1.0 - chance, cell, 1, value)
        cell = boxes.ints[NEXT_CELL, cell]


def place_in_spectrum(chance: float) -> int:
    """The place of a chance of a mine among the features from ``SPECTRUM`` on."""
    if chance == 0.0:
        return 0
    if chance == 1.0:
        return len(EDGES) + 2
    place = 1
    while place <= len(EDGES) and chance >= EDGES[place - 1]:
        place += 1
    return place


def see(safety: float, cell: int, many: int, value: Floats) -> None:
    """Add ``many`` cells that are free with the chance ``safety`` to the features.

    ``cell`` is the number of the cell if ``many`` is 1, else -1. SAFEST and SECOND are the two
    largest safeties so far; two of ``many`` equally safe cells may be both of them.
    """
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
