"""The layouts of one region by their number of mines, counted box by box.

A sweep places the boxes one after the other, in an order that keeps few clues open at once. A
*state* is the need of each open clue, i.e. each clue that is placed in part: four bits a clue in
one integer. Every state carries the number of ways to reach it, by mines placed. A second sweep,
backwards, counts the ways to go on; the product of both gives for each box in how many layouts a
given cell is a mine, and in how many free. Numbers are doubles: exact up to 2^53, and a sum of
products of natural numbers is 0 only if each product is.
"""

from math import comb
from typing import Final, NamedTuple

from satsweeper.play.kernel.boxes import (
    CLUE_DEGREE,
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
from satsweeper.play.kernel.grid import DONE, IMPOSSIBLE, NO_ROOM, Floats, Ints, floats, ints

MINES_FROM, LENGTH, WAYS_AT, BOX_AT, USED = range(5)
PLACED, SLOT, CELLS_LEFT, BOXES_LEFT, LAYER, CLOCK = range(6)
LEAST, MOST, STEP, LEAST_STEP, STEPS, BACK_LEAST, BACK_MOST = range(7)

OPEN_CLUES: Final = 15
"""The most clues that may be open at once: four bits each in a signed integer of 64."""

CHOOSE: Final = floats(9, 9)
"""Binomial coefficients up to eight cells."""
for _n in range(9):
    for _k in range(_n + 1):
        CHOOSE[_n, _k] = comb(_n, _k)

_EASY: Final = 2000
"""The estimated number of states up to which no better order is looked for."""


class PoolCounts(NamedTuple):
    """Numbers of layouts of every region and of every box; all lie in ``pool``.

    Rows of ``ints`` by region: ``MINES_FROM``, the least number of mines of a layout; ``LENGTH``,
    how many numbers of mines there are; ``WAYS_AT``, where the numbers of layouts begin, one for
    each number of mines. By box: ``BOX_AT``, where ``LENGTH`` numbers of layouts begin in which a
    given cell of the box is a mine, and after these ``LENGTH`` in which the cell is free. Row
    ``USED``, place 0: how much of the pool is used.
    """

    ints: Ints
    pool: Floats


class Sweep(NamedTuple):
    """Scratch of a sweep; states lie layer by layer, one layer more than there are boxes.

    Rows of ``ints``: the boxes in the order in which they are ``PLACED``; by clue its ``SLOT`` of
    four bits, and its unknown cells and boxes that are not placed yet; where each ``LAYER`` begins;
    a ``CLOCK`` that tells old entries of the table from new ones. Rows of ``states``: the ``LEAST``
    and ``MOST`` mines placed; the first ``STEP`` that leads on, the mines that this step places,
    the number of ``STEPS``, each with one mine more; the least and most mines still to be placed.
    By state: ``key``, its needs; ``ways`` to reach the state and ``back`` to go on, a row of
    numbers by mines each. ``goes_to``: the state where a step leads. ``table``: states by the hash
    of their key, each valid if its ``stamp`` is the clock.
    """

    ints: Ints
    states: Ints
    key: Ints
    goes_to: Ints
    ways: Floats
    back: Floats
    table: Ints
    stamp: Ints


def room_for_counts(cells: int, pool: Floats | None = None) -> PoolCounts:
    """Room for the counts of a board with ``cells`` cells; in ``pool`` if there is one already."""
    return PoolCounts(ints(5, cells), floats(64 * cells + (1 << 14)) if pool is None else pool)


def room_for_sweep(cells: int, states: int = 1 << 16, numbers: int = 1 << 21) -> Sweep:
    """Scratch for a board with ``cells`` cells, and regions of up to ``states`` states."""
    return Sweep(
        ints=ints(6, cells + 2),
        states=ints(7, states),
        key=ints(states),
        goes_to=ints(9 * states),
        ways=floats(numbers),
        back=floats(numbers),
        table=ints(2 * states),
        stamp=ints(2 * states),
    )


@compiled
def count_region(boxes: Boxes, region: int, sweep: Sweep, counts: PoolCounts) -> int:
    """Count a region: DONE, IMPOSSIBLE, or NO_ROOM if too many clues are open or states needed."""
    first, last = boxes.ints[START, region], boxes.ints[START, region + 1]
    many = last - first
    put_in_order(boxes, region, sweep)
    stride = boxes.ints[REGION_CELLS, region] + 1
    states = len(sweep.key)
    if 2 * stride > len(sweep.ways):
        return NO_ROOM
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
    # Invariant: layer i has a state for each way in which the boxes PLACED so far, 0 to i - 1, can
    # leave the open clues. Its key is what each of these still needs; ``ways`` counts, by number of
    # mines, the placements of cells that lead there. Two placements with one key can be completed
    # alike, so they need not be told apart.
    # Layer 0 is one state: nothing is open, nothing placed, one way.
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
        # Clues that this box opens get a slot with their whole need (``added``); each mine of the
        # box takes one from the need of each of its clues (``ones``).
        added = 0
        ones = 0
        for j in range(boxes.ints[DEGREE, box]):
            clue = boxes.lists[UNDER, box, j]
            if sweep.ints[SLOT, clue] < 0:
                if not free_slots:
                    return NO_ROOM
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
            # The box may have k mines if each of its clues still needs k, and the cells of the clue
            # that are left can hold the rest.
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
                # All slots at once, without a borrow: no need is below k.
                target = find_state(sweep, key - k * ones, following, clock)
                if target == following:
                    following += 1
                    if following + 1 >= states or following * stride > len(ways):
                        return NO_ROOM
                    for m in range(target * stride, following * stride):
                        ways[m] = 0.0
                    least[target] = least[state] + k
                    most[target] = most[state] + k
                else:
                    least[target] = min(least[target], least[state] + k)
                    most[target] = max(most[target], most[state] + k)
                # Each way so far goes on in C(size, k) ways: k mines among the cells of the box.
                choose = CHOOSE[size, k]
                at, to = state * stride, target * stride + k
                for m in range(least[state], most[state] + 1):
                    ways[to + m] += choose * ways[at + m]
                sweep.goes_to[steps] = target
                steps += 1
        if following == end:
            return IMPOSSIBLE
        sweep.ints[LAYER, i + 2] = following
        for j in range(boxes.ints[DEGREE, box]):
            clue = boxes.lists[UNDER, box, j]
            if not sweep.ints[CELLS_LEFT, clue]:
                # Closed: its need is 0 in every state of this layer, so the slot is free again.
                free_slots |= 1 << sweep.ints[SLOT, clue]
    return go_back(boxes, region, sweep, counts)


def go_back(boxes: Boxes, region: int, sweep: Sweep, counts: PoolCounts) -> int:
    """Count the ways to go on from every state, and the layouts by box: DONE or NO_ROOM."""
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
        return NO_ROOM
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
    # ``back`` of a state counts, by mines still to be placed, the ways from there to the end.
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
                # Of C(size, k) ways a given cell is a mine in C(size - 1, k - 1), and free in
                # C(size - 1, k).
                choose = CHOOSE[size, k]
                mined = CHOOSE[size - 1, k - 1] if k else 0.0
                free = CHOOSE[size - 1, k] if k < size else 0.0
                for m in range(low, high + 1):
                    ways = sweep.back[target * stride + m]
                    sweep.back[state * stride + m + k] += choose * ways
                    if ways != 0.0:
                        # Layouts through this step: ways to the state times ways on from target.
                        for before in range(
                            sweep.states[LEAST, state], sweep.states[MOST, state] + 1
                        ):
                            both = ways * sweep.ways[state * stride + before]
                            to = at + before + m + k - lowest
                            pool[to] += mined * both
                            pool[to + length] += free * both
        at += 2 * length
    return DONE


def find_state(sweep: Sweep, key: int, end: int, clock: int) -> int:
    """Return the state of ``key`` in the layer that is made now; ``end``, the next one, if new."""
    mask = len(sweep.table) - 1
    at = (key ^ key >> 13 ^ key >> 29 ^ key >> 41) & mask
    while sweep.stamp[at] == clock:
        state = sweep.table[at]
        if sweep.key[state] == key:
            return int(state)
        at = (at + 1) & mask
    sweep.stamp[at] = clock
    sweep.table[at] = end
    sweep.key[end] = key
    return end


def put_in_order(boxes: Boxes, region: int, sweep: Sweep) -> None:
    """Order the boxes of a region from one end, or from the best start if that is expensive."""
    first, last = boxes.ints[START, region], boxes.ints[START, region + 1]
    # The box that a breadth-first search finds last lies at an end of the region.
    best, chosen = order_from(boxes, region, sweep, last - 1), last - 1
    if best <= _EASY:
        return
    for start in range(first, last - 1):
        cost = order_from(boxes, region, sweep, start)
        if cost < best:
            best, chosen = cost, start
    order_from(boxes, region, sweep, chosen)


def order_from(boxes: Boxes, region: int, sweep: Sweep, start: int) -> int:
    """Order boxes, always next the box that leaves the fewest clues open; return a cost.

    The cost estimates the number of states: 2 to the number of open clues, summed over the layers.
    """
    first, last = boxes.ints[START, region], boxes.ints[START, region + 1]
    boxes_left, opened = sweep.ints[BOXES_LEFT], sweep.ints[SLOT]
    order = sweep.ints[PLACED]
    for i in range(first, last):
        box = boxes.ints[ORDER, i]
        for j in range(boxes.ints[DEGREE, box]):
            clue = boxes.lists[UNDER, box, j]
            boxes_left[clue] = boxes.ints[CLUE_DEGREE, clue]
            opened[clue] = 0
    width = 0
    cost = 0
    for i in range(last - first):
        least, chosen = 1 << 20, start
        if i:
            for at in range(first, last):
                box = boxes.ints[ORDER, at]
                if box < 0:
                    continue
                more = 0
                touches = False
                for j in range(boxes.ints[DEGREE, box]):
                    clue = boxes.lists[UNDER, box, j]
                    if opened[clue]:
                        touches = True
                    else:
                        more += 1
                    if boxes_left[clue] == 1:
                        more -= 1
                if touches and more < least:
                    least, chosen = more, at
        box = boxes.ints[ORDER, chosen]
        order[i] = box
        # Negative while it is placed; restored below.
        boxes.ints[ORDER, chosen] = -1 - box
        for j in range(boxes.ints[DEGREE, box]):
            clue = boxes.lists[UNDER, box, j]
            width += 1 - opened[clue]
            opened[clue] = 1
            boxes_left[clue] -= 1
            width -= boxes_left[clue] == 0
        cost += 1 << min(width, 40)
    for at in range(first, last):
        boxes.ints[ORDER, at] = -1 - boxes.ints[ORDER, at]
    return cost
