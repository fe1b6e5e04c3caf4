"""Counts of layouts: of one region by its number of mines, and of all regions under a total.

Each count comes with the number of layouts in which a given cell is a mine.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, gcd
from operator import mul
from typing import TYPE_CHECKING, Final, NamedTuple

from satsweeper.count.budget import CountingBudget
from satsweeper.count.sweep import (
    FEW,
    BoxedRegion,
    greedy,
    lane_of,
    lanes,
    pack,
    sweep,
    sweep_both_ways,
)

if TYPE_CHECKING:
    from satsweeper.count.elimination import Elimination

Weights = tuple[int, int] | None
"""Weights of a mine and of a safe cell; None: one count for each number of mines."""

_EASY: Final = 7
"""The width up to which a greedy order is used without looking for a better order."""

_SMALL: Final = 120
"""The number of cells above which no greedy order is tried."""

_SHORT: Final = 64
"""The number of interior cells up to which binomials need no scale."""

_LARGE: Final = 10_000
"""The number of interior cells above which a single multiplication may take long."""

_ONE_WAY: Final = 30
"""The number of boxes up to which the ways of all boxes are carried along."""


class LayoutCounts(NamedTuple):
    """The layouts of a region by number of mines, and the layouts with a cell of each box mined.

    ``layouts[k]``: the number of layouts with ``least + k`` mines. ``mined[b][k]``: the number of
    layouts among these in which a given cell of box ``b`` is a mine.
    """

    least: int
    layouts: tuple[int, ...]
    mined: tuple[tuple[int, ...], ...]


def count_region(
    region: BoxedRegion,
    stride: int,
    bound: CountingBudget,
    order: Sequence[int] | None = None,
) -> LayoutCounts:
    """Return the counts of ``region`` by number of mines; all are 0 if it has no layout.

    Args:
        region: the boxes of the region, and the clues over them.
        stride: the stride of the bit board, which gives the row and column of a board index.
        bound: the limits of counting.
        order: the result of `easy_order_within` if the caller has it.

    Raises:
        OddsLimitError: the region is too wide, has too many states, or the time is over.
    """
    order = order or easy_order_within(region, stride, bound)
    if order is not None:
        return count_easy(region, order)
    hard = _elimination(region, stride, bound)
    # No final coefficient exceeds the number of layouts, which is counted first (lane 0: the
    # polynomial's value at 1) and is far below 2^cells, so that the lanes can be narrow.
    lane = (hard.whole((1, 1), 0).bit_length() + 8) & -8
    whole = hard.run((1, 1), lane)
    return split(whole, hard.mined, lane)


def weigh_region(
    region: BoxedRegion,
    weights: tuple[int, int],
    stride: int,
    bound: CountingBudget,
    order: Sequence[int] | None = None,
) -> Sequence[int]:
    """Return the weight of all layouts of ``region``, then of those that mine a cell of each box.

    Args and errors are those of `count_region`, and ``weights`` those of a mine and a safe cell.
    """
    order = order or easy_order_within(region, stride, bound)
    if order is not None:
        return weigh_easy(region, order, weights)
    hard = _elimination(region, stride, bound)
    return hard.run(weights, 0), *hard.mined


def easy_order_within(
    region: BoxedRegion, stride: int, bound: CountingBudget
) -> Sequence[int] | None:
    """Return an order of placing in which few clues are open, None if there may be none.

    Args and errors are those of `count_region`.
    """
    boxes = len(region.sizes)
    # No more clues are open than there are.
    if boxes <= FEW and len(region.needs) <= bound.max_width:
        return range(boxes)
    cells = sum(region.sizes)
    bound.of_region(cells, divmod(min(region.cells)[0], stride)).check()
    if cells <= _SMALL:
        order = greedy(region, 0)
        if order.width <= min(_EASY, bound.max_width):
            return order.boxes
    return None


def _elimination(region: BoxedRegion, stride: int, bound: CountingBudget) -> Elimination:
    from satsweeper.count.elimination import Elimination, best_tree

    bound = bound.of_region(sum(region.sizes), divmod(min(region.cells)[0], stride))
    return Elimination(region, best_tree(region, stride, bound), bound)


def easy_order(region: BoxedRegion) -> Sequence[int]:
    """Return an order of placing: the order of the board for few boxes, else a greedy order."""
    boxes = len(region.sizes)
    return range(boxes) if boxes <= FEW else greedy(region, 0).boxes


def weigh_easy(
    region: BoxedRegion, order: Sequence[int], weights: tuple[int, int] = (1, 1)
) -> Sequence[int]:
    """Return the weights of `weigh_region`, the boxes placed in ``order``."""
    # No sum exceeds the weight of all 2^cells assignments, so that no lane overflows.
    lane = lane_of(sum(region.sizes) * (weights[0] + weights[1] - 1).bit_length() + 1)
    return lanes(sweep(region, order, weights, lane, 1), lane, len(region.sizes) + 1)


def count_easy(region: BoxedRegion, order: Sequence[int]) -> LayoutCounts:
    """Return the counts of ``region`` by number of mines, its boxes placed in ``order``."""
    boxes, cells = len(region.sizes), sum(region.sizes)
    # No coefficient exceeds the number of all 2^cells assignments, so that no lane overflows.
    lane = lane_of(cells + 1)
    if boxes >= _ONE_WAY:
        return split(*sweep_both_ways(region, list(order), lane), lane)
    rows = sweep(region, order, (1, 1), lane, cells + 1)
    if not rows:
        return LayoutCounts(0, (0,), ((0,),) * boxes)
    # The numbers of mines that some layout has, which are those of the first row.
    layouts = rows & (1 << lane * (cells + 1)) - 1
    least = ((layouts & -layouts).bit_length() - 1) // lane
    count = (layouts.bit_length() - 1) // lane - least + 1
    numbers = lanes(rows, lane, (boxes + 1) * (cells + 1))
    whole, *mined = [numbers[at : at + count] for at in range(least, len(numbers), cells + 1)]
    return LayoutCounts(least, whole, tuple(mined))


def split(whole: int, mined: list[int], lane: int) -> LayoutCounts:
    """Return the counts lane by lane, from the first to the last lane that is not 0 in ``whole``.

    ``mined`` has no layouts outside these lanes, since it counts a subset of the layouts.
    """
    if not whole:
        return LayoutCounts(0, (0,), ((0,),) * len(mined))
    least = ((whole & -whole).bit_length() - 1) // lane
    size = (whole.bit_length() - 1) // lane - least + 1
    shift = least * lane
    return LayoutCounts(
        least,
        lanes(whole >> shift, lane, size),
        tuple([lanes(number >> shift, lane, size) for number in mined]),
    )


# Regions and the interior under one total. Let ``w(j)`` be the number of ways to fill the interior
# when all regions hold ``j`` mines. For each region and each number of its mines, the sum of w over
# the layouts of all other regions is needed. A product tree gives these sums for all regions at
# once: upwards the polynomials are multiplied, downwards each half gets the product of the other.


class CombinedCounts(NamedTuple):
    """The number of layouts of the whole board, and for each region of the rest of the board.

    ``solutions``: the number of layouts. ``whole``: the same number times a scale, which ``rest``
    and ``interior`` have as well. ``rest[r][k]``: the ways to complete the board if region ``r``
    has ``k`` mines more than its least number. ``interior``: the sum over all layouts of the mines
    in the interior, which is the layouts with a given interior cell mined times the number of
    interior cells.
    """

    whole: int
    solutions: int
    rest: list[Sequence[int]]
    interior: int


class _ProductNode:
    """Consecutive regions: the product of their polynomials, and of the reversed polynomials."""

    def __init__(self, parts: list[LayoutCounts], width: int, bound: CountingBudget) -> None:
        self.degree = sum(len(part.layouts) - 1 for part in parts)
        self.halves: tuple[_ProductNode, _ProductNode] | None = None
        if len(parts) == 1:
            self.forwards = pack(parts[0].layouts, width)
            self.backwards = pack(parts[0].layouts[::-1], width)
            return
        middle = len(parts) // 2
        left, right = (
            _ProductNode(half, width, bound) for half in (parts[:middle], parts[middle:])
        )
        self.halves = left, right
        bound.check()
        # Each polynomial is packed into one integer (`pack`): a multiplication of integers is the
        # product of the polynomials, as long as no coefficient needs more than `width` bits.
        self.forwards = left.forwards * right.forwards
        self.backwards = left.backwards * right.backwards

    def descend(
        self, ways: int, width: int, found: list[Sequence[int]], bound: CountingBudget
    ) -> None:
        """Append to ``found``, for each region of this node, the ways to complete the board.

        ``ways``: packed; the coefficient of ``j`` is the ways to complete the board if the regions
        of this node hold ``j`` mines above their least numbers.
        """
        if self.halves is None:
            found.append(lanes(ways, width, self.degree + 1))
            return
        bound.check()
        for half, sibling in (self.halves, self.halves[::-1]):
            # Coefficient j of ``seen``: the sum over k of ways[j + k] times the layouts of the
            # sibling with k mines. The product with the reversed polynomial has this sum at
            # j + degree; the shift and the mask cut out the coefficients 0 to ``half.degree``.
            seen = ways * sibling.backwards >> width * sibling.degree
            half.descend(seen & (1 << width * (half.degree + 1)) - 1, width, found, bound)


def combine(
    parts: list[LayoutCounts], mines: int, interior: int, bound: CountingBudget
) -> CombinedCounts:
    """Combine the counts of regions and interior under a number of mines.

    Args:
        parts: the regions' counts by number of mines; each region has a layout.
        mines: the number of mines in the regions and the interior together.
        interior: the number of cells that no clue touches.
        bound: the limits of counting.

    Raises:
        OddsLimitError: the numbers would be too long, or the time is over.
    """
    # ``spare``: the mines left over when every region holds its least number.
    degree, spare = 0, mines
    for part in parts:
        degree += len(part.layouts) - 1
        spare -= part.least
    # The interior holds the fewest mines when the regions hold the most, ``degree`` above least.
    fewest = spare - degree if spare > degree else 0
    most = spare if spare < interior else interior
    if fewest > most:
        return CombinedCounts(0, 0, [], 0)
    scaled, top, bottom = _binomials(interior, fewest, most, bound)
    # ways[j]: the (scaled) placements of interior mines if the regions together hold j mines above
    # the sum of their least numbers.
    ways = [0] * (spare - most) + scaled[::-1] + [0] * (degree - spare + fewest)
    if not parts:
        return CombinedCounts(ways[0], ways[0] * top // bottom, [], ways[0] * spare)
    rest: list[Sequence[int]] = [ways]
    if len(parts) == 1:
        # What completes a single region is the interior alone.
        numbers = parts[0].layouts
    else:
        bits = sum([sum(part.layouts).bit_length() for part in parts])
        bound.mix(len(parts), degree, bits)
        # No coefficient of any product below exceeds the product of all regions' layouts times the
        # largest entry of ``ways``, so that lanes of ``width`` bits do not overflow.
        width = lane_of(max(ways).bit_length() + bits + 1)
        bound = bound.of("the regions under the total")
        tree, rest = _ProductNode(parts, width, bound), []
        tree.descend(pack(ways, width), width, rest, bound)
        numbers = lanes(tree.forwards, width, degree + 1)
    layouts = [*map(mul, numbers, ways)]
    whole = sum(layouts)
    inside = whole * spare - sum(map(mul, layouts, range(degree + 1)))
    return CombinedCounts(whole, whole * top // bottom, rest, inside)


def _binomials(n: int, low: int, high: int, bound: CountingBudget) -> tuple[list[int], int, int]:
    """Return ``found, top, bottom`` with ``comb(n, k) = found[k - low] * top / bottom``.

    ``k`` runs from ``low`` to ``high``. The binomials of a large interior have thousands of digits
    and large common factors; the numbers in ``found`` are short.
    """
    if n <= _SHORT:
        return [comb(n, k) for k in range(low, high + 1)], 1, 1
    bound = bound.of("the regions under the total")
    found = [1]
    bottom = 1
    for k in range(low + 1, high + 1):
        if n > _LARGE:
            bound.check()
        found.append(found[-1] * (n - k + 1))
        bottom *= k
    # comb(n, k) / comb(n, low) has the denominator (low + 1) ... k. Multiplied by the later factors
    # (k + 1) ... high, every entry has the common denominator `bottom`, without any division.
    behind = 1
    for k in range(high, low - 1, -1):
        if n > _LARGE:
            bound.check()
        found[k - low] *= behind
        behind *= k
    bound.check()
    shared = gcd(*found)
    bound.check()
    return [number // shared for number in found], comb(n, low) * shared, bottom
