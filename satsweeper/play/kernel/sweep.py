"""One region's layouts by their number of mines, counted box by box.

A sweep places the boxes one after the other. Its *state* is what each clue that is open, placed in
part, still needs: four bits a clue in one integer. Every state carries the number of ways to reach
it, by mines placed. A second sweep, backwards, counts the ways to go on; both together give for
each box in how many layouts a cell of it is a mine, and in how many it is not. Numbers are doubles:
exact up to 2^53, and a sum of products of natural numbers is 0 only if each of them is.
"""

from math import comb
from typing import Final

from satsweeper.play.kernel.arrays import floats
from satsweeper.play.kernel.boxes import (
    CLUE_NEED,
    DEGREE,
    ORDER,
    REGION_CELLS,
    SIZE,
    START,
    UNDER,
    Boxes,
)
from satsweeper.play.kernel.compiled import compiled
from satsweeper.play.kernel.order import put_in_order
from satsweeper.play.kernel.states import (
    BACK_LEAST,
    BACK_MOST,
    BOX_AT,
    CELLS_LEFT,
    CLOCK,
    LAYER,
    LEAST,
    LEAST_STEP,
    LENGTH,
    MINES_FROM,
    MOST,
    PLACED,
    SLOT,
    STEP,
    STEPS,
    USED,
    WAYS_AT,
    Counts,
    Sweep,
    find_state,
)

OPEN_CLUES: Final = 15
"""Clues that may be open at once: four bits each in a signed integer of 64."""

CHOOSE: Final = floats(9, 9)
"""Binomial coefficients up to eight cells."""
for _n in range(9):
    for _k in range(_n + 1):
        CHOOSE[_n, _k] = comb(_n, _k)


@compiled
def count_region(boxes: Boxes, region: int, sweep: Sweep, counts: Counts) -> int:
    """Count a region: 1 done, 0 it has no layout, -1 it is too wide or has too many states."""
    first, last = boxes.ints[START, region], boxes.ints[START, region + 1]
    many = last - first
    put_in_order(boxes, region, sweep)
    stride = boxes.ints[REGION_CELLS, region] + 1
    states = len(sweep.key)
    if 2 * stride > len(sweep.ways):
        return -1
    for i in range(first, last):
        box = boxes.ints[ORDER, i]
        for j in range(boxes.ints[DEGREE, box]):
            clue = boxes.lists[UNDER, box, j]
            sweep.ints[SLOT, clue] = -1
            sweep.ints[CELLS_LEFT, clue] = 0
    for i in range(first, last):
        box = boxes.ints[ORDER, i]
        for j in range(boxes.ints[DEGREE, box]):
            sweep.ints[CELLS_LEFT, boxes.lists[UNDER, box, j]] += boxes.ints[SIZE, box]
    free_slots = (1 << OPEN_CLUES) - 1
    sweep.ints[LAYER, 0] = 0
    sweep.ints[LAYER, 1] = 1
    sweep.key[0] = 0
    least, most = sweep.states[LEAST], sweep.states[MOST]
    ways = sweep.ways
    least[0] = 0
    most[0] = 0
    ways[0] = 1.0
    steps = 0
    for i in range(many):
        box = sweep.ints[PLACED, i]
        size = boxes.ints[SIZE, box]
        added = 0
        ones = 0
        for j in range(boxes.ints[DEGREE, box]):
            clue = boxes.lists[UNDER, box, j]
            if sweep.ints[SLOT, clue] < 0:
                if not free_slots:
                    return -1
                slot = 0
                while not free_slots >> slot & 1:
                    slot += 1
                free_slots &= ~(1 << slot)
                sweep.ints[SLOT, clue] = slot
                added |= int(boxes.ints[CLUE_NEED, clue]) << (4 * slot)
            sweep.ints[CELLS_LEFT, clue] -= size
            ones |= 1 << (4 * sweep.ints[SLOT, clue])
        sweep.ints[CLOCK, 0] += 1
        clock = sweep.ints[CLOCK, 0]
        begin, end = sweep.ints[LAYER, i], sweep.ints[LAYER, i + 1]
        following = end
        for state in range(begin, end):
            key = sweep.key[state] | added
            low, high = 0, int(size)
            for j in range(boxes.ints[DEGREE, box]):
                clue = boxes.lists[UNDER, box, j]
                need = (key >> (4 * sweep.ints[SLOT, clue])) & 15
                high = min(high, need)
                low = max(low, need - sweep.ints[CELLS_LEFT, clue])
            sweep.states[STEP, state] = steps
            sweep.states[LEAST_STEP, state] = low
            sweep.states[STEPS, state] = max(high - low + 1, 0)
            for k in range(low, high + 1):
                target = find_state(sweep, key - k * ones, end, following, clock)
                if target == following:
                    following += 1
                    if following + 1 >= states or following * stride > len(ways):
                        return -1
                    for m in range(target * stride, following * stride):
                        ways[m] = 0.0
                    least[target] = least[state] + k
                    most[target] = most[state] + k
                else:
                    least[target] = min(least[target], least[state] + k)
                    most[target] = max(most[target], most[state] + k)
                choose = CHOOSE[size, k]
                at, to = state * stride, target * stride + k
                for m in range(least[state], most[state] + 1):
                    ways[to + m] += choose * ways[at + m]
                sweep.goes_to[steps] = target
                steps += 1
        if following == end:
            return 0
        sweep.ints[LAYER, i + 2] = following
        for j in range(boxes.ints[DEGREE, box]):
            clue = boxes.lists[UNDER, box, j]
            if not sweep.ints[CELLS_LEFT, clue]:
                free_slots |= 1 << sweep.ints[SLOT, clue]
    return go_back(boxes, region, sweep, counts)


def go_back(boxes: Boxes, region: int, sweep: Sweep, counts: Counts) -> int:
    """Count ways to go on from every state, and what follows for each box; 1, or -1 for no room."""
    first = boxes.ints[START, region]
    many = boxes.ints[START, region + 1] - first
    stride = boxes.ints[REGION_CELLS, region] + 1
    # All clues are closed: one state is left, which needs nothing.
    final = sweep.ints[LAYER, many]
    least, most = sweep.states[LEAST], sweep.states[MOST]
    lowest = least[final]
    length = most[final] - lowest + 1
    need = (2 * many + 1) * length
    if counts.ints[USED, 0] + need > len(counts.pool):
        return -1
    pool = counts.pool
    at = counts.ints[USED, 0]
    counts.ints[USED, 0] += need
    counts.ints[MINES_FROM, region] = lowest
    counts.ints[LENGTH, region] = length
    counts.ints[WAYS_AT, region] = at
    for m in range(length):
        pool[at + m] = sweep.ways[final * stride + lowest + m]
    at += length
    for m in range(2 * many * length):
        pool[at + m] = 0.0
    sweep.back[final * stride] = 1.0
    sweep.states[BACK_LEAST, final] = 0
    sweep.states[BACK_MOST, final] = 0
    for i in range(many - 1, -1, -1):
        box = sweep.ints[PLACED, i]
        size = boxes.ints[SIZE, box]
        counts.ints[BOX_AT, box] = at
        for state in range(sweep.ints[LAYER, i], sweep.ints[LAYER, i + 1]):
            # An empty range, until there is a way to go on.
            sweep.states[BACK_LEAST, state] = stride
            sweep.states[BACK_MOST, state] = -1
            for m in range(stride):
                sweep.back[state * stride + m] = 0.0
            for n in range(sweep.states[STEPS, state]):
                k = sweep.states[LEAST_STEP, state] + n
                target = sweep.goes_to[sweep.states[STEP, state] + n]
                low, high = sweep.states[BACK_LEAST, target], sweep.states[BACK_MOST, target]
                if high < low:
                    continue
                sweep.states[BACK_LEAST, state] = min(sweep.states[BACK_LEAST, state], low + k)
                sweep.states[BACK_MOST, state] = max(sweep.states[BACK_MOST, state], high + k)
                choose = CHOOSE[size, k]
                mined = CHOOSE[size - 1, k - 1] if k else 0.0
                free = CHOOSE[size - 1, k] if k < size else 0.0
                for m in range(low, high + 1):
                    ways = sweep.back[target * stride + m]
                    sweep.back[state * stride + m + k] += choose * ways
                    if ways != 0.0:
                        for before in range(
                            sweep.states[LEAST, state], sweep.states[MOST, state] + 1
                        ):
                            both = ways * sweep.ways[state * stride + before]
                            to = at + before + m + k - lowest
                            pool[to] += mined * both
                            pool[to + length] += free * both
        at += 2 * length
    return 1
