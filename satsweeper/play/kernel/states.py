"""What a sweep over a region's boxes works on: its states, and the counts that it leaves."""

from typing import NamedTuple

from satsweeper.play.kernel.arrays import Floats, Ints, floats, ints

MINES_FROM, LENGTH, WAYS_AT, BOX_AT, USED = range(5)
PLACED, SLOT, CELLS_LEFT, BOXES_LEFT, LAYER, CLOCK = range(6)
LEAST, MOST, STEP, LEAST_STEP, STEPS, BACK_LEAST, BACK_MOST = range(7)


class Counts(NamedTuple):
    """The layouts of every region, and those by box; numbers lie in ``pool``.

    Rows of ``ints``, by region: the least number of mines of a layout, and the ``LENGTH`` of the
    numbers of layouts with so many mines and more, from ``WAYS_AT`` on. By box: from ``BOX_AT`` on
    as many numbers of layouts in which a given cell of it is a mine, then as many in which it is
    not. ``USED`` of the pool.
    """

    ints: Ints
    pool: Floats


class Sweep(NamedTuple):
    """Scratch of a sweep; states lie layer by layer, one layer more than there are boxes.

    Rows of ``ints``: the boxes as they are placed; by clue its slot, its unknown cells and boxes
    that are not placed yet; where each ``LAYER`` begins; a clock. Rows of ``states``: the least and
    most mines placed; the first ``STEP`` of those that lead on, the mines that it places, how many
    follow, each with one mine more; and the least and most mines still to place. ``key`` are a
    state's needs, ``goes_to`` where a step leads, ``ways`` to reach a state, and ``back`` to go on
    from it, in rows of numbers by mines.
    """

    ints: Ints
    states: Ints
    key: Ints
    goes_to: Ints
    ways: Floats
    back: Floats
    table: Ints
    stamp: Ints


def room_for_counts(cells: int, pool: Floats | None = None) -> Counts:
    """Room for the counts of a board with so many cells; in others' pool if one is given."""
    return Counts(ints(5, cells), floats(64 * cells + (1 << 14)) if pool is None else pool)


def room_for_sweep(cells: int, states: int = 1 << 16, numbers: int = 1 << 21) -> Sweep:
    """Scratch for regions of a board with so many cells; what needs more is not counted."""
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


def find_state(sweep: Sweep, key: int, begin: int, end: int, clock: int) -> int:
    """The state with a key in the layer that begins there, or the one at its end, made so."""
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
