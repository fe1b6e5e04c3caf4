"""The layouts of one region by their number of mines, counted box by box.

A sweep places the boxes one after the other, in an order that keeps few clues open at once. A clue
is *open* while some of its boxes are placed and some are not. A *state* is the need of each open
clue, four bits a clue in one integer. For every state the sweep counts the ways to reach the state,
by the number of mines placed. A second sweep, backwards, counts the ways to complete each state;
the products of both numbers tell for each box in how many layouts a given cell is a mine, and in
how many the cell is free. Numbers are doubles: exact up to 2^53, and a sum of products of natural
numbers is 0 only if each product is 0.
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
"""The most clues that may be open at once: each takes four bits of a signed 64-bit integer."""

CHOOSE: Final = floats(9, 9)
"""``CHOOSE[n, k]`` is the binomial coefficient C(n, k), for n up to 8, the largest box."""
for _n in range(9):
    for _k in range(_n + 1):
        CHOOSE[_n, _k] = comb(_n, _k)

_EASY: Final = 2000
"""The estimated number of states up to which the first order of the boxes is kept."""


class PoolCounts(NamedTuple):
    """Numbers of layouts of every region and of every box; all lie in ``pool``.

    Rows of ``ints`` indexed by region: ``MINES_FROM``, the least number of mines of a layout;
    ``LENGTH``, the number of possible numbers of mines, from the least on; ``WAYS_AT``, the place
    in ``pool`` of the numbers of layouts, one for each number of mines. Indexed by box: ``BOX_AT``,
    the place in ``pool`` of ``LENGTH`` numbers of layouts in which a given cell of the box is a
    mine, followed by ``LENGTH`` numbers of layouts in which the cell is free. Row ``USED``, place
    0: the used length of ``pool``.
    """

    ints: Ints
    pool: Floats


class Sweep(NamedTuple):
    """Scratch of a sweep; states lie layer by layer, one layer more than there are boxes.

    Rows of ``ints``: ``PLACED``, the boxes in the order of the sweep; indexed by clue: ``SLOT``,
    the number of its four bits in a key, and ``CELLS_LEFT`` and ``BOXES_LEFT``, its unknown cells
    and boxes that are not placed yet; ``LAYER``, where each layer begins; ``CLOCK``, place 0, which
    grows by 1 with each layer. Rows of ``states`` indexed by state: ``LEAST`` and ``MOST``, the
    mines placed so far; ``STEP``, the number of the first step from the state; ``LEAST_STEP``, the
    mines that this first step places; ``STEPS``, the number of steps, each with one mine more than
    the step before; ``BACK_LEAST`` and ``BACK_MOST``, the mines still to be placed. Indexed by
    state: ``key``, the needs of the open clues; ``ways`` and ``back``, rows with the numbers of
    ways to reach and to complete the state, by mines. ``goes_to``: the state after each step.
    ``table``: a hash table from keys to states; an entry counts only if its ``stamp`` equals the
    clock.
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
    """Room for the counts of a board with ``cells`` cells; ``pool`` is shared unless None."""
    return PoolCounts(ints(5, cells), floats(64 * cells + (1 << 14)) if pool is None else pool)


def room_for_sweep(cells: int, states: int = 1 << 16, numbers: int = 1 << 21) -> Sweep:
    """Scratch for a board with ``cells`` cells, and regions of up to ``states`` states.

    ``states`` is a power of two; ``numbers``: the length of ``ways`` and of ``back``.
    """
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
    # Invariant: layer i has one state for each combination of needs that the boxes PLACED[0] to
    # PLACED[i - 1] can leave to the open clues. The key holds these needs; ``ways`` counts, by
    # number of mines, the placements of the cells so far that leave them. Placements with equal
    # keys have the same completions, so one state stands for all of them.
    # Layer 0 is one state: no clue is open, no box is placed, in one way.
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
        # A clue that this box opens gets a slot with the whole need of the clue (``added``). Each
        # mine of the box takes 1 from the need of each clue of the box (``ones``).
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
            # The box may have k mines if each of its clues still needs at least k, and the rest of
            # the need fits into the cells of the clue that are not placed yet.
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
                # The subtraction takes k from the slots of all clues of the box at once. No slot
                # borrows from the next, because each of these needs is at least k.
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
                # Each way to the state continues in C(size, k) ways, the choices of k of the cells.
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
                # The clue is closed: with no cell left, ``low`` forced its need to 0 in every state
                # of this layer, so the slot can be used again.
                free_slots |= 1 << sweep.ints[SLOT, clue]
    return go_back(boxes, region, sweep, counts)


def go_back(boxes: Boxes, region: int, sweep: Sweep, counts: PoolCounts) -> int:
    """Count the completions of every state, and the layouts by box: DONE or NO_ROOM."""
    first = boxes.ints[START, region]
    many = boxes.ints[START, region + 1] - first
    stride = boxes.ints[REGION_CELLS, region] + 1
    # In the last layer all clues are closed, so its only state has the key 0. The pool gets the
    # numbers of layouts of the region, then two rows of numbers for each box.
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
    # Invariant: once a layer is done, ``back`` of each of its states counts, by mines still to be
    # placed, the ways from the state to the end of the sweep.
    sweep.back[final * stride] = 1.0
    sweep.states[BACK_LEAST, final] = 0
    sweep.states[BACK_MOST, final] = 0
    for i in range(many - 1, -1, -1):
        box = sweep.ints[PLACED, i]
        size = boxes.ints[SIZE, box]
        counts.ints[BOX_AT, box] = at
        for state in range(sweep.ints[LAYER, i], sweep.ints[LAYER, i + 1]):
            # An empty range of mines, until a step with a completion is found.
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
                # Of the C(size, k) choices of k cells of the box, a given cell is a mine in
                # C(size - 1, k - 1), and free in C(size - 1, k).
                choose = CHOOSE[size, k]
                mined = CHOOSE[size - 1, k - 1] if k else 0.0
                free = CHOOSE[size - 1, k] if k < size else 0.0
                for m in range(low, high + 1):
                    ways = sweep.back[target * stride + m]
                    sweep.back[state * stride + m + k] += choose * ways
                    if ways != 0.0:
                        # The layouts that take this step: the ways to ``state`` times the
                        # completions of ``target``.
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
    """Return the state of ``key`` in the layer under construction; a new state is number ``end``.

    ``clock`` is the stamp of the entries of this layer.
    """
    # Open addressing: an entry with an older stamp counts as free. The table has twice as many
    # entries as there are states, so a free entry is always found.
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
    # Every order gives the same counts; the order only decides how many states the sweep has.
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
    """Order the boxes of a region from ``start``, a place in ``ORDER``; return the cost.

    The next box is always one beside an open clue that leaves the fewest clues open. The cost
    estimates the number of states: 2 to the number of open clues, summed over the layers.
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
        # A negative entry marks the box as placed; the loop at the end restores all entries.
        boxes.ints[ORDER, chosen] = -1 - box
        # ``width`` is the number of open clues: a clue opens with its first box, and closes with
        # its last.
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
