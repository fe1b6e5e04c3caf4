"""Regions and the interior combined, given the total.

The interior are the unknown cells that no clue touches. A region that holds the same number of
mines in all its layouts is independent of everything else. All other regions are *loose*, and are
mixed: ``rest`` of a region is the weight of everything else, by the number of mines that the region
holds. Weights are relative to the largest binomial coefficient of the interior; a weight that is
not 0 is kept above 1e-250, so that only impossible cases are 0 in the end.
"""

from math import exp, lgamma, log
from typing import Final, NamedTuple

from satsweeper.play.kernel.arrays import Floats, Ints, floats, ints
from satsweeper.play.kernel.grid import DONE, IMPOSSIBLE, NO_ROOM

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
