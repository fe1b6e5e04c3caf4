"""The chance of a mine in every unknown cell of a position, and which cells are certain.

Rounding never makes a cell certain: the numbers of layouts in which a cell is a mine, or free, are
sums of products of natural numbers, and only the number 0 counts as impossible.
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

# Regions and the interior combined, given the total. A region with one possible number of mines is
# independent of everything else; all other regions are *loose*, and their counts are multiplied as
# polynomials in the number of mines.

LEAST: Final = 1e-250
"""The least positive weight: smaller positive weights are raised to ``LEAST``, so that a sum of
products of weights and counts is 0 only for impossible cases."""
LOG_LAYOUTS, INSIDE_MINE, INSIDE_FREE = range(3)
"""Places in ``sums``: the natural logarithm of the number of layouts; the weight of the layouts in
which a given cell of the interior is a mine; the weight of the layouts in which the cell is free.
Both weights have one common factor, so that only their ratio has a meaning."""

ITEM_LEAST, ITEM_LENGTH, ITEM_WAYS, REST_AT, LOOSE, BEFORE_AT = range(6)


class MixedRegions(NamedTuple):
    """Regions to be mixed (*items*), and the result.

    Rows of ``ints`` indexed by item: ``ITEM_LEAST``, the least number of mines of a layout;
    ``ITEM_LENGTH``, the number of possible numbers of mines, from the least on; ``ITEM_WAYS``, the
    place in the pool of the numbers of layouts; ``REST_AT``, the place in ``rest`` of the item's
    weights. Row ``LOOSE`` lists the loose items; ``BEFORE_AT``, indexed by place in this list: the
    place in ``before`` of the item's numbers. ``rest``: the weight of everything outside an item,
    by the number of mines that the item holds above its least. ``before``: numbers of layouts of
    the loose items before an item, by mines above their least. ``behind``: the weight of the
    interior and all later loose items, by mines above the least of all earlier items. ``sums``: see
    ``LOG_LAYOUTS``. ``logs[n]`` is ``ln n!``. Weights are relative to the largest binomial
    coefficient of the interior that occurs.
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
        mixed: the first three rows of ``ints`` are given, everything else is filled in.
        many: the number of items.
        pool: the numbers of layouts to which ``ITEM_WAYS`` points.
        mines: the number of mines in all items and the interior together.
        interior: the number of cells of the interior.
    """
    rest, before, behind = mixed.rest, mixed.before, mixed.behind
    item_least, item_length = mixed.ints[ITEM_LEAST], mixed.ints[ITEM_LENGTH]
    item_ways = mixed.ints[ITEM_WAYS]
    # Take the least number of mines out of every item. An item with one possible number of mines is
    # then a constant factor. ``mines`` becomes the number of mines in the interior plus those that
    # the loose items hold above their least.
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
    # The numbers at BEFORE_AT[i] count the layouts of the loose items 0 to i - 1, by mines above
    # their least: each step multiplies two polynomials in the number of mines.
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
    # The interior can hold ``inside`` mines in C(interior, inside) ways. Divided by the largest of
    # these coefficients that occurs (``anchor`` is its logarithm), no weight overflows.
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
            # A given cell of the interior is a mine in inside / interior of these layouts. Both
            # sums leave out the denominator ``interior``, which cancels in ``share``.
            weight = before[at + m] * behind[m]
            whole += weight
            inside_mine += weight * inside
            inside_free += weight * (interior - inside)
    # From the last loose item to the first. Invariant: ``behind[m]`` is the weight of the interior
    # and all loose items after i, if the items 0 to i hold m mines above their least. Then
    # ``rest[used + n]`` is the weight of everything else if item i holds n mines above its least.
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
"""The entry of a cell that is not unknown in an array of chances: more than any chance."""


class Workspace(NamedTuple):
    """All scratch for the chances of one position."""

    boxes: Boxes
    counts: PoolCounts
    sweep: Sweep
    mixed: MixedRegions
    clues: Ints


def room_for_work(cells: int, sweep: Sweep | None = None) -> Workspace:
    """Scratch for a board with ``cells`` cells; ``sweep`` is shared unless None."""
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
        cells: the code of what is known of each cell.
        mines: the number of mines of the whole board.
        work: scratch, which then holds the boxes, counts and weights of the position.
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
    # First every unknown cell gets the chance of the interior; the cells of boxes are then
    # overwritten with the chances of their boxes.
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
    # The interior is every unknown cell outside the regions; known mines use up a part of the
    # total.
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
    """Make ``region`` the item number ``item`` of the items to be mixed."""
    mixed.ints[ITEM_LEAST, item] = counts.ints[MINES_FROM, region]
    mixed.ints[ITEM_LENGTH, item] = counts.ints[LENGTH, region]
    mixed.ints[ITEM_WAYS, item] = counts.ints[WAYS_AT, region]


def box_chance(boxes: Boxes, counts: PoolCounts, mixed: MixedRegions, box: int) -> float:
    """The chance of a mine in a cell of ``box``, once region r is mixed as item r for every r."""
    region = boxes.ints[REGION_OF, box]
    return weigh_box(counts, box, counts.ints[LENGTH, region], mixed, mixed.ints[REST_AT, region])


def weigh_box(counts: PoolCounts, box: int, length: int, mixed: MixedRegions, rest: int) -> float:
    """The chance of a mine in a cell of ``box``, whose region has ``length`` numbers of mines.

    For each number of mines of the region, the number of layouts in which the cell is a mine, or
    free, is multiplied by the weight of everything else; the weights begin at ``rest`` in
    ``mixed.rest``.
    """
    at = counts.ints[BOX_AT, box]
    mine = free = 0.0
    for m in range(length):
        mine += counts.pool[at + m] * mixed.rest[rest + m]
        free += counts.pool[at + length + m] * mixed.rest[rest + m]
    return share(mine, free)


def share(mine: float, free: float) -> float:
    """``mine`` as a share of ``mine + free``; 0 only if ``mine`` is 0, 1 only if ``free`` is 0."""
    # Exactly 0 and 1 are proofs, so a quotient that rounding takes to 0 or 1 is moved off.
    if mine == 0.0:
        return 0.0
    if free == 0.0:
        return 1.0
    return min(max(mine / (mine + free), 1e-300), 1.0 - 1e-16)
