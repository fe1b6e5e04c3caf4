"""Easy regions, counted box by box in a linear order, in integers.

A *box* is a group of interchangeable cells: the same clues count them. Boxes are placed one after
the other. A state holds for each clue the mines and the safe cells that the clue still needs: two
fields of five bits of one integer. The fifth bit of a field, its *guard*, is 1 as long as the field
is not negative, so that one subtraction places a box under all of its clues, and one comparison
says whether a layout of the rest may still exist. At the end all fields are 0.

Each state has the number of ways to reach the state, by number of mines: a polynomial with its
coefficients in *lanes* of one integer, wide enough that no coefficient overflows. Beside the ways
stand, for each box, the ways in which a given cell of the box is a mine: a *row* of lanes for each
box (`sweep`). For many boxes such rows are long; then a second pass, backwards, gives
the ways to complete each state, and the product of both, summed over the states of a box, is the
number of layouts in which a given cell of the box is a mine (`sweep_both_ways`).

The number of states can grow exponentially with the number of clues that have cells both among the
boxes placed and among the others, so the cost depends on the order of placing (`greedy`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import comb
from sys import byteorder
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from satsweeper.reduce.residual import Residual

FIELD: Final = 5
"""The bits of a number of a clue in a state: up to 15, and a guard."""

GUARD: Final = 16
"""The guard of the first field."""


FEW: Final = 24
"""The number of boxes up to which they are placed in the order of the board."""


class BoxedRegion(NamedTuple):
    """A region by its boxes; counting depends on all but ``cells``."""

    cells: list[Any]
    """The cells of each box: a list of board indices, or a bit board."""
    sizes: list[int]
    """The number of cells of each box."""
    marks: list[int]
    """For each box a 1 in the field of mines of each clue that counts the box."""
    needs: list[int]
    """The mines that each clue still needs."""
    apart: int
    """The bits from a clue's field of mines up to its field of safe cells."""
    start: int
    """The state before any box is placed; 0 if a clue needs what its cells cannot hold."""

    @property
    def clues(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of the clues that count each box."""
        fields = [(clue, 1 << FIELD * clue) for clue in range(len(self.needs))]
        return tuple(
            [tuple([clue for clue, field in fields if mark & field]) for mark in self.marks]
        )


def boxes_of(constraints: Sequence[Residual]) -> BoxedRegion:
    """Return the region of ``constraints``, its boxes in the order in which their cells appear."""
    under: dict[int, int] = {}
    field = 1
    mines = safe = 0
    possible = True
    for cells, need in constraints:
        for cell in cells:
            if cell in under:
                under[cell] |= field
            else:
                under[cell] = field
        if not 0 <= need <= len(cells):
            possible = False
        # All cells of a clue but the mines it needs are safe. Both fields begin with their guards.
        mines += field * (GUARD + need)
        safe += field * (GUARD + len(cells) - need)
        field <<= FIELD
    grouped: dict[int, list[int]] = {}
    for cell, mark in under.items():
        if mark in grouped:
            grouped[mark].append(cell)
        else:
            grouped[mark] = [cell]
    boxes = list(grouped.values())
    apart = FIELD * len(constraints)
    start = mines | safe << apart if possible else 0
    needs = [need for _, need in constraints]
    return BoxedRegion(boxes, [*map(len, boxes)], [*grouped], needs, apart, start)


def pack(numbers: Iterable[int], width: int) -> int:
    """Return ``numbers`` side by side in one integer; ``width``: bits of each, a multiple of 8."""
    size = width // 8
    return int.from_bytes(b"".join([n.to_bytes(size, "little") for n in numbers]), "little")


_CODES: Final[dict[int, Literal["H", "I", "Q"]]] = (
    {16: "H", 32: "I", 64: "Q"} if byteorder == "little" else {}
)
"""Widths of lanes that Python reads all at once -> the code of such numbers."""


def lane_of(bits: int) -> int:
    """Return the width of lanes for numbers of ``bits`` bits: one read at once, or whole bytes."""
    return 16 if bits <= 16 else 32 if bits <= 32 else 64 if bits <= 64 else bits + 7 & -8


def lanes(number: int, width: int, count: int) -> tuple[int, ...]:
    """Return the ``count`` coefficients in ``number``; ``width``: bits of each, a multiple of 8."""
    if count == 1:
        return (number,)
    size = width // 8
    raw = number.to_bytes(size * count, "little")
    if width in _CODES:
        return tuple(memoryview(raw).cast(_CODES[width]).tolist())
    read = int.from_bytes
    return tuple([read(raw[at : at + size], "little") for at in range(0, size * count, size)])


class BoxWays(NamedTuple):
    """For each number of mines: ways to place them in a box, and ways that mine a given cell."""

    all: list[int]
    mined: list[int]


def ways(size: int, weights: tuple[int, int]) -> BoxWays:
    """Return the ways of a box of ``size`` cells, times the weights of mines and safe cells.

    ``weights``: the weight of a mine and the weight of a safe cell.
    """
    if weights == (1, 1) and size < len(_PLAIN):
        return _PLAIN[size]
    mine, safe = weights
    scale = [mine**k * safe ** (size - k) for k in range(size + 1)]
    return BoxWays(
        [comb(size, k) * scale[k] for k in range(size + 1)],
        [comb(size - 1, k - 1) * scale[k] if k else 0 for k in range(size + 1)],
    )


_PLAIN: Final[list[BoxWays]] = []
"""The ways of a box by its size, with weights of 1; a clue has 8 neighbours at the most."""
for _ in range(9):
    _PLAIN.append(ways(len(_PLAIN), (1, 1)))


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
    clues_of = region.clues
    boxes_of: list[list[int]] = [[] for _ in region.needs]
    for box, clues in enumerate(clues_of):
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
            for clue in clues_of[box]:
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
        for clue in clues_of[chosen]:
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


def placings(region: BoxedRegion, box: int, state: int) -> Iterator[tuple[int, int]]:
    """Yield the numbers of mines that ``box`` may hold in ``state``, each with the state after."""
    mark, size = region.marks[box], region.sizes[box]
    guards = mark * GUARD | mark * GUARD << region.apart
    for k in range(size + 1):
        to = state - (mark << region.apart) * (size - k) - mark * k
        if to & guards == guards:
            yield k, to


def sweep(
    region: BoxedRegion,
    order: Iterable[int],
    weights: tuple[int, int],
    lane: int,
    numbers: int,
) -> int:
    """Return rows of lanes: all layouts, then for each box the layouts that mine a given cell.

    Args:
        region: the boxes of the region, and the clues over them.
        order: the numbers of the boxes in the order of placing.
        weights: the weights of a mine and of a safe cell.
        lane: the bits of a lane, in which the sum of the weights of all layouts fits.
        numbers: the lanes of a row: one for each number of mines from 0 on, or 1 for all layouts.
    """
    _, sizes, marks, _, apart, state = region
    if not state:
        return 0
    row = lane * numbers
    first = (1 << row) - 1
    # The way of a layout that gets one more mine.
    up = lane if numbers > 1 else 0
    plain = weights == (1, 1)
    both = GUARD | GUARD << apart
    now = {state: 1}
    for box in order:
        mark, size = marks[box], sizes[box]
        guards = mark * both
        own = row * (box + 1)
        after: dict[int, int] = {}
        if size == 1 and plain:
            safe = mark << apart
            for state, rows in now.items():
                to = state - safe
                if to & guards == guards:
                    after[to] = after[to] + rows if to in after else rows
                to = state - mark
                if to & guards == guards:
                    # All layouts so far get one more mine, in this box.
                    rows = rows + ((rows & first) << own) << up
                    after[to] = after[to] + rows if to in after else rows
        else:
            number, number_mined = ways(size, weights)
            change = (mark << apart) - mark
            safe = (mark << apart) * size
            for state, rows in now.items():
                to = state - safe
                mined = (rows & first) << own
                for k in range(size + 1):
                    if to & guards == guards:
                        more = rows * number[k] + mined * number_mined[k] << k * up
                        after[to] = after[to] + more if to in after else more
                    to += change
        now = after
    # All fields are 0 now, so that at most one state is left.
    return sum(now.values())


def possible(
    sizes: Sequence[int], marks: Sequence[int], apart: int, state: int, order: Iterable[int]
) -> int | None:
    """Return the boxes that have a mine, or a safe cell, in some layout; None without a layout.

    Bit ``b`` of the result: a layout mines a cell of box ``b``; bit ``b`` beyond the number of all
    boxes: in a layout a cell of the box is safe.

    Args:
        sizes, marks, apart, state: fields of the `BoxedRegion`; ``state`` is its start.
        order: the numbers of the boxes in the order of placing.
    """
    both = GUARD | GUARD << apart
    # A state has the bits of all ways that lead to the state: what some way to the last state does,
    # some layout does.
    now = {state: 0}
    for box in order:
        mark, size = marks[box], sizes[box]
        guards, safe = mark * both, mark << apart
        mined, free = 1 << box, 1 << box + len(sizes)
        after: dict[int, int] = {}
        if size == 1:
            for state, seen in now.items():
                to = state - safe
                if to & guards == guards:
                    after[to] = after[to] | seen | free if to in after else seen | free
                to = state - mark
                if to & guards == guards:
                    after[to] = after[to] | seen | mined if to in after else seen | mined
        else:
            change, safe = safe - mark, safe * size
            bits = [free, *[free | mined] * (size - 1), mined]
            for state, seen in now.items():
                to = state - safe
                for bit in bits:
                    if to & guards == guards:
                        after[to] = after.get(to, 0) | seen | bit
                    to += change
        now = after
    # All fields are 0 now, so that at most one state is left.
    return next(iter(now.values()), None)


def sweep_both_ways(region: BoxedRegion, order: list[int], lane: int) -> tuple[int, list[int]]:
    """Return the number of layouts, and of layouts that mine a given cell of each box.

    Args:
        region: the boxes of the region, and the clues over them.
        order: the numbers of the boxes in the order of placing.
        lane: the bits of a coefficient by number of mines.
    """
    _, sizes, marks, _, apart, state = region
    mined = [0] * len(sizes)
    if not state:
        return 0, mined
    both = GUARD | GUARD << apart
    # Forwards: tables[i] maps each state after i boxes to the number of ways to reach the state.
    tables = [{state: 1}]
    for box in order:
        mark, number = marks[box], ways(sizes[box], (1, 1)).all
        guards, change = mark * both, (mark << apart) - mark
        safe = (mark << apart) * sizes[box]
        after: dict[int, int] = {}
        for state, count in tables[-1].items():
            to = state - safe
            for k, each in enumerate(number):
                if to & guards == guards:
                    more = count * each << k * lane
                    after[to] = after[to] + more if to in after else more
                to += change
        tables.append(after)
    # All fields are 0 now, so that at most one state is left.
    final = tables.pop()
    # Backwards: ``onward`` maps each state after this box to the ways to place all later boxes. A
    # state that lacks a guard is never among them.
    onward = dict.fromkeys(final, 1)
    for box in reversed(order):
        mark, (number, number_mined) = marks[box], ways(sizes[box], (1, 1))
        safe, change = (mark << apart) * sizes[box], (mark << apart) - mark
        before: dict[int, int] = {}
        total = 0
        for state, count in tables.pop().items():
            to = state - safe
            ahead = ahead_mined = 0
            for k, each in enumerate(number):
                rest = onward.get(to)
                if rest is not None:
                    rest <<= k * lane
                    ahead += rest * each
                    if k:
                        ahead_mined += rest * number_mined[k]
                to += change
            if ahead:
                # The ways to reach the state times the ways to complete the state with a given cell
                # of the box mined are the layouts through the state in which the cell is a mine.
                before[state] = ahead
                if ahead_mined:
                    total += count * ahead_mined
        mined[box] = total
        onward = before
    return sum(final.values()), mined
