"""Easy regions, counted box by box in one line, forwards and backwards, in integers.

A state is what the open clues still need, four bits a clue in one integer. With it goes the number
of ways to have come there: a polynomial in the number of mines, its coefficients in lanes of one
integer; or, where the number of mines does not matter, its value at one point. The backward pass
gives the ways to go on, and both together, box by box, the layouts in which a given cell of the
box is a mine.
"""

from satsweeper.count.boxes import Boxed
from satsweeper.count.polynomials import ways
from satsweeper.count.steps import mines_of_box, steps_of


def sweep(
    region: Boxed, order: list[int], weights: tuple[int, int], lane: int
) -> tuple[int, list[int]]:
    """All layouts, and for each box those in which a given cell of it is a mine.

    Args:
        region: its boxes.
        order: of placing them.
        weights: of a mine and of a safe cell.
        lane: bits by which a mine moves a number up.
    """
    sizes = region.sizes
    steps = steps_of(region, order)
    tables = [{0: 1}]
    for box, opening, taken, mask, fields, ranges in steps:
        number = ways(sizes[box], weights).all
        after: dict[int, int] = {}
        for state, count in tables[-1].items():
            state += opening
            key = state & mask
            if key in ranges:
                mines = ranges[key]
            else:
                mines = ranges[key] = mines_of_box(key, fields, sizes[box])
            for k in mines:
                to = state - k * taken
                more = count * number[k] << k * lane
                after[to] = after[to] + more if to in after else more
        tables.append(after)
    mined = [0] * len(sizes)
    whole = tables.pop().get(0, 0)
    onward = {0: 1}
    for box, opening, taken, mask, _, ranges in reversed(steps):
        number, number_mined = ways(sizes[box], weights)
        before: dict[int, int] = {}
        total = 0
        for start, count in tables.pop().items():
            state = start + opening
            ahead = ahead_mined = 0
            for k in ranges[state & mask]:
                rest = onward.get(state - k * taken)
                if rest is not None:
                    rest <<= k * lane
                    ahead += rest * number[k]
                    if k:
                        ahead_mined += rest * number_mined[k]
            if ahead:
                before[start] = ahead
                if ahead_mined:
                    total += count * ahead_mined
        mined[box] = total
        onward = before
    return whole, mined
