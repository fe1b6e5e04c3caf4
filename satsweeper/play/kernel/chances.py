"""The chance of a mine in every unknown cell of a position, and which cells are certain.

That a cell is certain never rests on rounding: the numbers of layouts in which a cell is a mine, or
free, are sums of products of natural numbers, and only 0 counts as impossible.
"""

from math import exp, lgamma, log
from typing import Final, NamedTuple

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
from satsweeper.play.kernel.grid import (
    DONE,
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

# Regions and the interior combined, given the total.
#
# The interior are the unknown cells that no clue touches. A region that holds the same number of
# mines in all its layouts is independent of everything else. All other regions are *loose*, and are
# mixed: ``rest`` of a region is the weight of everything else, by the number of mines that the
# region holds. Weights are relative to the largest binomial coefficient of the interior; a weight
# that is not 0 is kept above 1e-250, so that only impossible cases are 0 in the end.

LEAST: Final = 1e-250
"""The least weight that is not 0: smaller weights are raised to it."""
LOG_LAYOUTS, INSIDE_MINE, INSIDE_FREE = range(3)
"""Places in ``sums``: the natural logarithm of the number of layouts; the weight of the layouts in
which any one cell of the interior is a mine, and of those in which the cell is free."""

ITEM_LEAST, ITEM_LENGTH, ITEM_WAYS, REST_AT, LOOSE, BEFORE_AT = range(6)


class MixedRegions(NamedTuple):
    """Regions to be mixed (*items*), and the result.

    Rows of ``ints`` by item: ``ITEM_LEAST``, the least number of mines of its layouts;
    ``ITEM_LENGTH``, how many numbers of layouts there are, by mines from the least on;
    ``ITEM_WAYS``, where they begin in the pool; ``REST_AT``, where its ``rest`` begins. Row
    ``LOOSE``: the loose items. ``before`` and ``behind``: numbers of layouts of the loose items so
    far, and weights of those still to come with the interior, by mines; row ``BEFORE_AT``: where
    those of each loose item begin. ``sums``: see ``LOG_LAYOUTS``. ``logs[n]`` is ``ln n!``.
    """

    ints: Ints
    rest: Floats
    before: Floats
    behind: Floats
    sums: Floats
    logs: Floats


def room_for_mixed(cells: int) -> MixedRegions:
    """Room for a board with ``cells`` cells."""
    wide = 2 * cells + 64
    logs = floats(cells + 1)
    for n in range(cells + 1):
        logs[n] = lgamma(n + 1)
    return MixedRegions(
        ints=ints(6, cells + 2),
        rest=floats(wide),
        before=floats(16 * wide),
        behind=floats(wide),
        sums=floats(3),
        logs=logs,
    )


def mix(mixed: MixedRegions, many: int, pool: Floats, mines: int, interior: int) -> int:
    """Mix items and the interior: DONE, IMPOSSIBLE if no layout has this total, or NO_ROOM.

    Args:
        mixed: its items are given, everything else is filled in.
        many: the number of items.
        pool: numbers of layouts.
        mines: the number of mines in all items and the interior.
        interior: the number of cells of the interior.
    """
    rest, before, behind = mixed.rest, mixed.before, mixed.behind
    item_least, item_length = mixed.ints[ITEM_LEAST], mixed.ints[ITEM_LENGTH]
    item_ways = mixed.ints[ITEM_WAYS]
    # Take the least number of mines out of every item. An item with one number of mines is then a
    # constant factor; ``mines`` are what the loose items may have above their least, and the
    # interior in all.
    loose = 0
    layouts = 0.0
    used = 0
    for item in range(many):
        if item_length[item] == 1:
            mines -= item_least[item]
            layouts += log(pool[item_ways[item]])
            mixed.ints[REST_AT, item] = used
            rest[used] = 1.0
            used += 1
        else:
            mixed.ints[LOOSE, loose] = item
            loose += 1
            mines -= item_least[item]
    # before[i]: layouts of the loose items 0 to i - 1, by their mines above the least (a product of
    # polynomials).
    before[0] = 1.0
    mixed.ints[BEFORE_AT, 0] = 0
    at, length = 0, 1
    for i in range(loose):
        item = mixed.ints[LOOSE, i]
        more, ways = item_length[item], item_ways[item]
        following = at + length
        if following + length + more > len(before):
            return NO_ROOM
        mixed.ints[BEFORE_AT, i + 1] = following
        for m in range(length + more - 1):
            before[following + m] = 0.0
        for m in range(length):
            for n in range(more):
                before[following + m + n] += before[at + m] * pool[ways + n]
        at, length = following, length + more - 1
    # The interior has C(interior, inside) ways for ``inside`` mines: relative to the largest of
    # these that occurs, no weight overflows.
    anchor = -1e300
    for m in range(length):
        inside = mines - m
        if 0 <= inside <= interior and before[at + m] > 0.0:
            anchor = max(anchor, log_choose(mixed.logs, interior, inside))
    if anchor == -1e300:
        return IMPOSSIBLE
    whole = inside_mine = inside_free = 0.0
    for m in range(length):
        inside = mines - m
        behind[m] = 0.0
        if 0 <= inside <= interior:
            behind[m] = max(exp(log_choose(mixed.logs, interior, inside) - anchor), LEAST)
            # A given cell is a mine in inside / interior of these layouts: both sums below have
            # this common denominator.
            weight = before[at + m] * behind[m]
            whole += weight
            inside_mine += weight * inside
            inside_free += weight * (interior - inside)
    # From the last loose item to the first. behind: weights of the interior and all later items, by
    # the mines above the least of the items 0 to i. rest[n]: of all else, if item i has n above.
    for i in range(loose - 1, -1, -1):
        item = mixed.ints[LOOSE, i]
        more, ways = item_length[item], item_ways[item]
        at = mixed.ints[BEFORE_AT, i]
        length = mixed.ints[BEFORE_AT, i + 1] - at
        mixed.ints[REST_AT, item] = used
        for n in range(more):
            total = 0.0
            for m in range(length):
                total += before[at + m] * behind[m + n]
            rest[used + n] = total
        used += more
        for m in range(length):
            total = 0.0
            for n in range(more):
                total += pool[ways + n] * behind[m + n]
            behind[m] = total
    mixed.sums[LOG_LAYOUTS] = layouts + anchor + log(whole)
    mixed.sums[INSIDE_MINE] = inside_mine
    mixed.sums[INSIDE_FREE] = inside_free
    return DONE


def log_choose(logs: Floats, n: int, k: int) -> float:
    """The natural logarithm of the binomial coefficient C(``n``, ``k``)."""
    return float(logs[n] - logs[k] - logs[n - k])


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
