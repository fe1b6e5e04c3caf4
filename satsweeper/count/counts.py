"""Counts of layouts: of one region by its number of mines, and of all regions under a total.

Each count comes with the number of layouts in which a given cell is a mine.
"""

from functools import lru_cache
from math import comb, gcd
from typing import Final, NamedTuple

from satsweeper.count.budget import CountingBudget
from satsweeper.count.sweep import BoxedRegion, greedy, lanes, pack, sweep

Weights = tuple[int, int] | None
"""Weights of a mine and of a safe cell; None: one count for each number of mines."""

_EASY: Final = 7
"""The width up to which a greedy order is used without looking for a better order."""

_SMALL: Final = 120
"""The number of cells above which no greedy order is tried."""

_CACHED: Final = 40
"""The number of boxes of the largest region whose counts are cached by shape."""

_ENTRIES: Final = 4096
"""The largest number of cached regions; the oldest entry is dropped first."""


class LayoutCounts(NamedTuple):
    """The layouts of a region by number of mines, and the layouts with a cell of each box mined.

    ``layouts[k]``: the number of layouts with ``least + k`` mines. ``mined[b][k]``: the number of
    layouts among these in which a given cell of box ``b`` is a mine. With weights each tuple has
    one entry, the sum of the layouts' weights, and ``least`` is 0.
    """

    least: int
    layouts: tuple[int, ...]
    mined: tuple[tuple[int, ...], ...]


_remembered: dict[tuple[tuple[object, ...], Weights, int], LayoutCounts] = {}
"""Counts by shape, weights and allowed width; the width is part of the key so that a refusal does
not depend on earlier counting."""


def forget_regions() -> None:
    """Empty the cache of region counts."""
    _remembered.clear()


def count_region(
    region: BoxedRegion, weights: Weights, stride: int, bound: CountingBudget
) -> LayoutCounts:
    """Return the counts of ``region``; all are 0 if it has no layout.

    Args:
        region: the boxes of the region, and the clues over them.
        weights: the weights of a mine and of a safe cell, or None for a count by number of mines.
        stride: the stride of the bit board, which gives the row and column of a board index.
        bound: the limits of counting.

    Raises:
        OddsLimitError: the region is too wide, has too many states, or the time is over.
    """
    if len(region.sizes) == 1:
        return _one_box(region.sizes[0], region.needs, weights)
    if len(region.sizes) > _CACHED:
        return _count(region, weights, stride, bound)
    key = (region.sizes, region.clues, region.needs), weights, bound.max_width
    found = _remembered.get(key)
    if found is None:
        found = _count(region, weights, stride, bound)
        if len(_remembered) >= _ENTRIES:
            del _remembered[next(iter(_remembered))]
        _remembered[key] = found
    return found


@lru_cache(maxsize=1024)
def _one_box(size: int, needs: tuple[int, ...], weights: Weights) -> LayoutCounts:
    # All clues count the whole box, so that there is a layout only if all needs are equal.
    need = needs[0]
    if min(needs) != max(needs) or not 0 <= need <= size:
        return LayoutCounts(0, (0,), ((0,),))
    scale, least = 1, need
    if weights is not None:
        scale, least = weights[0] ** need * weights[1] ** (size - need), 0
    mined = comb(size - 1, need - 1) if need else 0
    return LayoutCounts(least, (comb(size, need) * scale,), ((mined * scale,),))


def _count(
    region: BoxedRegion, weights: Weights, stride: int, bound: CountingBudget
) -> LayoutCounts:
    cells = sum(region.sizes)
    bound = bound.of_region(cells, divmod(region.cells[0][0], stride))
    bound.check()
    if cells <= _SMALL:
        order = greedy(region, 0)
        if order.width <= min(_EASY, bound.max_width):
            # No coefficient exceeds the 2^cells assignments, so that no lane overflows.
            lane = (cells + 8) & -8
            if weights is None:
                return split(*sweep(region, order.boxes, (1, 1), lane), lane)
            whole, mined = sweep(region, order.boxes, weights, 0)
            return LayoutCounts(0, (whole,), tuple([(number,) for number in mined]))
    from satsweeper.count.elimination import Elimination, best_tree

    hard = Elimination(region, best_tree(region, stride, bound), bound)
    if weights is not None:
        whole = hard.run(weights, 0)
        return LayoutCounts(0, (whole,), tuple([(number,) for number in hard.mined]))
    # No final coefficient exceeds the number of layouts, which is counted first (lane 0: the
    # polynomial's value at 1) and is far below 2^cells, so that the lanes can be narrow.
    lane = (hard.whole((1, 1), 0).bit_length() + 8) & -8
    whole = hard.run((1, 1), lane)
    return split(whole, hard.mined, lane)


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
    rest: list[tuple[int, ...]]
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
        self, ways: int, width: int, found: list[tuple[int, ...]], bound: CountingBudget
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
    degree = sum([len(part.layouts) - 1 for part in parts])
    bits = sum([sum(part.layouts).bit_length() for part in parts])
    bound.mix(len(parts), degree, bits)
    bound = bound.of("the regions under the total")
    # ``spare``: the mines left over when every region holds its least number.
    spare = mines - sum(part.least for part in parts)
    # The interior holds the fewest mines when the regions hold the most, ``degree`` above least.
    fewest, most = max(spare - degree, 0), min(spare, interior)
    if fewest > most:
        return CombinedCounts(0, 0, [], 0)
    scaled, top, bottom = _binomials(interior, fewest, most, bound)
    # ways[j]: the (scaled) placements of interior mines if the regions together hold j mines above
    # the sum of their least numbers.
    ways = [0] * (degree + 1)
    for number, way in zip(range(fewest, most + 1), scaled, strict=True):
        ways[spare - number] = way
    # No coefficient of any product below exceeds the product of all regions' layouts times the
    # largest entry of ``ways``, so that lanes of ``width`` bits do not overflow.
    width = (max(ways).bit_length() + bits + 8) & -8
    packed = pack(ways, width)
    rest: list[tuple[int, ...]] = []
    numbers: tuple[int, ...] = (1,)
    if parts:
        tree = _ProductNode(parts, width, bound)
        tree.descend(packed, width, rest, bound)
        numbers = lanes(tree.forwards, width, degree + 1)
    layouts = [number * way for number, way in zip(numbers, ways, strict=True)]
    whole = sum(layouts)
    inside = sum(count * (spare - j) for j, count in enumerate(layouts))
    return CombinedCounts(whole, whole * top // bottom, rest, inside)


def _binomials(n: int, low: int, high: int, bound: CountingBudget) -> tuple[list[int], int, int]:
    """Return ``found, top, bottom`` with ``comb(n, k) = found[k - low] * top / bottom``.

    ``k`` runs from ``low`` to ``high``. The binomials of a large interior have thousands of digits
    and large common factors; the numbers in ``found`` are short.
    """
    found = [1]
    bottom = 1
    for k in range(low + 1, high + 1):
        bound.check()
        found.append(found[-1] * (n - k + 1))
        bottom *= k
    # comb(n, k) / comb(n, low) has the denominator (low + 1) ... k. Multiplied by the later factors
    # (k + 1) ... high, every entry has the common denominator `bottom`, without any division.
    behind = 1
    for k in range(high, low - 1, -1):
        bound.check()
        found[k - low] *= behind
        behind *= k
    bound.check()
    shared = gcd(*found)
    bound.check()
    return [number // shared for number in found], comb(n, low) * shared, bottom
