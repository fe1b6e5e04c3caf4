"""Regions and the interior together, given the total.

The interior are the unknown cells that no clue touches. A region that always holds as many mines is
independent of everything else; the others are mixed: ``rest`` of a region are the weights of all
else, by the mines that the region holds. Weights are relative to the largest; one that is not 0 is
kept above 1e-250, so that it cannot vanish: what is 0 in the end is impossible.
"""

from math import exp, lgamma, log
from typing import Final, NamedTuple

from satsweeper.play.kernel.arrays import Floats, Ints, floats, ints

LEAST: Final = 1e-250
"""What a weight that is not 0 is raised to."""
LAYOUTS: Final = 0
"""Index of the natural logarithm of the number of layouts."""
INSIDE_MINE: Final = 1
"""Index of the part of the weights in which a given cell of the interior is a mine."""
INSIDE_FREE: Final = 2
"""Index of the part in which it is not."""


ITEM_LEAST, ITEM_LENGTH, ITEM_WAYS, REST_AT, LOOSE, BEFORE_AT = range(6)


class Mixed(NamedTuple):
    """Regions to be mixed, and what came of it.

    Rows of ``ints``, by item: the least number of mines of a region, how many numbers of layouts
    by mines there are, and where they begin; where its ``rest`` begins. ``sums``: see above.
    """

    ints: Ints
    rest: Floats
    before: Floats
    behind: Floats
    sums: Floats
    logs: Floats


def room_for_mixed(cells: int) -> Mixed:
    """Room for a board with so many cells."""
    wide = 2 * cells + 64
    logs = floats(cells + 1)
    for n in range(cells + 1):
        logs[n] = lgamma(n + 1)
    return Mixed(
        ints=ints(6, cells + 2),
        rest=floats(wide),
        before=floats(16 * wide),
        behind=floats(wide),
        sums=floats(3),
        logs=logs,
    )


def mix(mixed: Mixed, many: int, pool: Floats, mines: int, interior: int) -> int:
    """Mix so many items: 1 done, 0 there is no layout with this total, -1 there is no room.

    Args:
        mixed: its items are given, the rest is filled in.
        many: how many items.
        pool: their numbers of layouts.
        mines: in all regions and the interior.
        interior: cells.
    """
    rest, before, behind = mixed.rest, mixed.before, mixed.behind
    item_least, item_length = mixed.ints[ITEM_LEAST], mixed.ints[ITEM_LENGTH]
    item_ways = mixed.ints[ITEM_WAYS]
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
    # before: layouts of the loose regions so far, by the mines above the least.
    before[0] = 1.0
    mixed.ints[BEFORE_AT, 0] = 0
    at, length = 0, 1
    for i in range(loose):
        item = mixed.ints[LOOSE, i]
        more, ways = item_length[item], item_ways[item]
        following = at + length
        if following + length + more > len(before):
            return -1
        mixed.ints[BEFORE_AT, i + 1] = following
        for m in range(length + more - 1):
            before[following + m] = 0.0
        for m in range(length):
            for n in range(more):
                before[following + m + n] += before[at + m] * pool[ways + n]
        at, length = following, length + more - 1
    anchor = -1e300
    for m in range(length):
        inside = mines - m
        if 0 <= inside <= interior and before[at + m] > 0.0:
            anchor = max(anchor, log_choose(mixed.logs, interior, inside))
    if anchor == -1e300:
        return 0
    whole = inside_mine = inside_free = 0.0
    for m in range(length):
        inside = mines - m
        behind[m] = 0.0
        if 0 <= inside <= interior:
            behind[m] = max(exp(log_choose(mixed.logs, interior, inside) - anchor), LEAST)
            weight = before[at + m] * behind[m]
            whole += weight
            inside_mine += weight * inside
            inside_free += weight * (interior - inside)
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
    mixed.sums[LAYOUTS] = layouts + anchor + log(whole)
    mixed.sums[INSIDE_MINE] = inside_mine
    mixed.sums[INSIDE_FREE] = inside_free
    return 1


def log_choose(logs: Floats, n: int, k: int) -> float:
    """The natural logarithm of a binomial coefficient."""
    return float(logs[n] - logs[k] - logs[n - k])
