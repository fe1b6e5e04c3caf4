"""Easy regions, counted box by box in a linear order, forwards and backwards, in integers.

A *box* is a group of interchangeable cells: the same clues count them. Boxes are placed one after
the other. A clue is open from the placing of its first box to the placing of its last box. A state
holds the mines that each open clue still needs, in fields of four bits of one integer. Each state
has the number of ways to reach the state: a polynomial in the number of mines, with its
coefficients in *lanes* of one integer (a whole number of bytes, wide enough that no coefficient
overflows); or, where the number of mines does not matter, the polynomial's value at one point. The
backward pass gives the ways to complete each state. The product of both, summed over the states of
a box, is the number of layouts in which a given cell of the box is a mine.

The number of states can grow exponentially with the number of open clues, so the cost depends on
the order of placing (`greedy`).
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import comb
from typing import NamedTuple

from satsweeper.reduce.residual import Residual


class BoxedRegion(NamedTuple):
    """A region by its boxes; counting depends on ``sizes``, ``clues`` and ``needs`` alone."""

    cells: list[list[int]]
    """The cells of each box, as board indices."""
    sizes: tuple[int, ...]
    """The number of cells of each box."""
    clues: tuple[tuple[int, ...], ...]
    """The numbers of the clues that count each box."""
    needs: tuple[int, ...]
    """The mines that each clue still needs."""


def boxes_of(constraints: Sequence[Residual]) -> BoxedRegion:
    """Return the region of ``constraints``, its boxes in the order in which their cells appear."""
    under: dict[int, list[int]] = {}
    for number, (cells, _) in enumerate(constraints):
        for cell in cells:
            if cell in under:
                under[cell].append(number)
            else:
                under[cell] = [number]
    grouped: dict[tuple[int, ...], list[int]] = {}
    for cell, clues in under.items():
        key = tuple(clues)
        if key in grouped:
            grouped[key].append(cell)
        else:
            grouped[key] = [cell]
    boxes = list(grouped.values())
    return BoxedRegion(
        boxes, tuple(map(len, boxes)), tuple(grouped), tuple([need for _, need in constraints])
    )


def pack(numbers: Iterable[int], width: int) -> int:
    """Return ``numbers`` side by side in one integer; ``width``: bits of each, a multiple of 8."""
    size = width // 8
    return int.from_bytes(b"".join([n.to_bytes(size, "little") for n in numbers]), "little")


def lanes(number: int, width: int, count: int) -> tuple[int, ...]:
    """Return the ``count`` coefficients in ``number``; ``width``: bits of each, a multiple of 8."""
    if count == 1:
        return (number,)
    size = width // 8
    raw = number.to_bytes(size * count, "little")
    read = int.from_bytes
    return tuple([read(raw[at : at + size], "little") for at in range(0, size * count, size)])


class BoxWays(NamedTuple):
    """For each number of mines: ways to place them in a box, and ways that mine a given cell."""

    all: list[int]
    mined: list[int]


@lru_cache(maxsize=4096)
def ways(size: int, weights: tuple[int, int]) -> BoxWays:
    """Return the ways of a box of ``size`` cells, times the weights of mines and safe cells.

    ``weights``: the weight of a mine and the weight of a safe cell.
    """
    mine, safe = weights
    scale = [mine**k * safe ** (size - k) for k in range(size + 1)]
    return BoxWays(
        [comb(size, k) * scale[k] for k in range(size + 1)],
        [comb(size - 1, k - 1) * scale[k] if k else 0 for k in range(size + 1)],
    )


class PlacingOrder(NamedTuple):
    """Boxes in the order of placing; ``width``: the most clues that are open at once."""

    boxes: list[int]
    width: int


def greedy(region: BoxedRegion, start: int) -> PlacingOrder:
    """Return the order that always takes the box with the least change in the open clues.

    The change is the number of clues that the box opens less the number that it closes. Candidates
    are the boxes under open clues; among equals the box that has been a candidate longest is taken.
    ``start``: the first box.
    """
    boxes_of: list[list[int]] = [[] for _ in region.needs]
    for box, clues in enumerate(region.clues):
        for clue in clues:
            boxes_of[clue].append(box)
    left = [len(boxes) for boxes in boxes_of]
    opened = [False] * len(left)
    waiting: dict[int, None] = {start: None}
    done = set()
    order: list[int] = []
    now = width = 0
    while waiting:
        chosen, least = -1, 99
        for box in waiting:
            change = 0
            for clue in region.clues[box]:
                if left[clue] == 1:
                    change -= 1
                if not opened[clue]:
                    change += 1
            if change < least:
                chosen, least = box, change
        # ``now``: the number of clues open after this box. While the box is placed, the clues that
        # the box closes are open as well, so they count for the width.
        del waiting[chosen]
        done.add(chosen)
        order.append(chosen)
        closed = 0
        for clue in region.clues[chosen]:
            left[clue] -= 1
            if not left[clue]:
                closed += 1
            if not opened[clue]:
                opened[clue] = True
                for box in boxes_of[clue]:
                    if box not in done:
                        waiting[box] = None
        now += least
        if now + closed > width:
            width = now + closed
    return PlacingOrder(order, width)


class PlacingStep(NamedTuple):
    """The placing of one box: ``opening`` is added to a state, ``taken`` subtracted for each mine.

    ``opening``: the needs of the clues that the box opens, in their fields. ``taken``: a 1 in the
    field of each clue of the box. ``mask``: the fields of all clues of the box.
    """

    box: int
    opening: int
    taken: int
    mask: int
    fields: list[tuple[int, int]]
    """For each clue of the box: the bit position of its field, and its cells in later boxes."""
    ranges: dict[int, range]
    """A cache: the numbers of mines that the box may hold, by the state under ``mask``."""


def mines_of_box(key: int, fields: list[tuple[int, int]], size: int) -> range:
    """Return the numbers of mines that a box of ``size`` cells may hold in a state.

    Args:
        key: the state, under the mask of the box's clues.
        fields: for each clue of the box the bit position of its field, and its cells in later
            boxes.
        size: the number of cells of the box.
    """
    low, high = 0, size
    for place, left in fields:
        # At most the clue's need, and at least the need that its later cells cannot cover.
        need = key >> place & 15
        if need < high:
            high = need
        if need - left > low:
            low = need - left
    return range(low, high + 1)


def steps_of(region: BoxedRegion, order: list[int]) -> list[PlacingStep]:
    """Return the steps of ``order``; the field of a closed clue is used again by later clues."""
    left = [0] * len(region.needs)
    for size, clues in zip(region.sizes, region.clues, strict=True):
        for clue in clues:
            left[clue] += size
    place: dict[int, int] = {}
    free: list[int] = []
    steps = []
    used = 0
    for box in order:
        opening = taken = 0
        fields = []
        closed = []
        for clue in region.clues[box]:
            # The clue opens with its first box: from this step on a free field holds its need.
            if clue not in place:
                if not free:
                    free.append(used)
                    used += 4
                place[clue] = free.pop()
                opening |= region.needs[clue] << place[clue]
            taken |= 1 << place[clue]
            left[clue] -= region.sizes[box]
            fields.append((place[clue], left[clue]))
            if not left[clue]:
                closed.append(clue)
        # With no later cells, `mines_of_box` makes the box meet the clue's need exactly: the field
        # of a closed clue is 0 and can be used again.
        free += [place[clue] for clue in closed]
        steps.append(PlacingStep(box, opening, taken, taken * 15, fields, {}))
    return steps


def sweep(
    region: BoxedRegion, order: list[int], weights: tuple[int, int], lane: int
) -> tuple[int, list[int]]:
    """Return the number of layouts, and of layouts that mine a given cell of each box.

    Args:
        region: the boxes of the region, and the clues over them.
        order: the numbers of the boxes in the order of placing.
        weights: the weights of a mine and of a safe cell.
        lane: the bits of a coefficient by number of mines; 0: one number, the sum of the weights
            of all layouts.
    """
    sizes = region.sizes
    steps = steps_of(region, order)
    # Forwards: tables[i] maps each state after i boxes to the number of ways to reach the state.
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
    # Every clue is closed at the end, so the only final state is 0.
    whole = tables.pop().get(0, 0)
    # Backwards: ``onward`` maps each state after this box to the ways to place all later boxes.
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
                # The ways to reach the state times the ways to complete the state with a given cell
                # of the box mined are the layouts through the state in which the cell is a mine.
                before[start] = ahead
                if ahead_mined:
                    total += count * ahead_mined
        mined[box] = total
        onward = before
    return whole, mined
