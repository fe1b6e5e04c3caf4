"""Counts of layouts: of one region by its number of mines, and of all regions under a total.

Beside each count stand the layouts that mine a given cell.
"""

from functools import lru_cache
from math import comb, gcd
from typing import Final, NamedTuple

from satsweeper.count.budget import CountingBudget
from satsweeper.count.sweep import BoxedRegion, greedy, lanes, pack, sweep

Weights = tuple[int, int] | None
"""Weights of a mine and of a safe cell; None: keep the numbers of mines apart."""

_EASY: Final = 7
"""Clues open at once in a greedy order up to which no better one is looked for."""

_SMALL: Final = 120
"""Cells above which a greedy order is not even tried."""

_CACHED: Final = 40
"""Boxes of the largest region whose counts are remembered by its shape."""

_ENTRIES: Final = 4096
"""Regions remembered at the most; the oldest goes first."""


class LayoutCounts(NamedTuple):
    """The layouts of a region by number of mines, and the layouts with a cell of each box mined.

    ``least``: the mines of the first entry of ``layouts`` and of each of ``mined``. With weights
    there is one entry, the sum of the layouts' weights, and ``least`` is 0.
    """

    least: int
    layouts: tuple[int, ...]
    mined: tuple[tuple[int, ...], ...]


_remembered: dict[tuple[tuple[object, ...], Weights, int], LayoutCounts] = {}
"""Counts by shape, weights and allowed width: a refusal must not depend on earlier counting."""


def forget_regions() -> None:
    """Empty the memory of regions."""
    _remembered.clear()


def count_region(
    region: BoxedRegion, weights: Weights, stride: int, bound: CountingBudget
) -> LayoutCounts:
    """Return the counts of ``region``; all are 0 if it has no layout.

    Args:
        region: its boxes.
        weights: of mines and of safe cells, or None to keep the numbers of mines apart.
        stride: of the bit board, to tell rows from columns.
        bound: what counting may cost.

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
                return _split(*sweep(region, order.boxes, (1, 1), lane), lane)
            whole, mined = sweep(region, order.boxes, weights, 0)
            return LayoutCounts(0, (whole,), tuple([(number,) for number in mined]))
    from satsweeper.count.elimination import Elimination, best_tree

    hard = Elimination(region, best_tree(region, stride, bound), bound)
    if weights is not None:
        whole = hard.run(weights, 0)
        return LayoutCounts(0, (whole,), tuple([(number,) for number in hard.mined]))
    # No coefficient that counts exceeds the number of layouts, which is far below 2^cells.
    lane = (hard.whole((1, 1), 0).bit_length() + 8) & -8
    whole = hard.run((1, 1), lane)
    return _split(whole, hard.mined, lane)


def _split(whole: int, mined: list[int], lane: int) -> LayoutCounts:
    """Return the counts lane by lane; lanes that are 0 in ``whole`` at either end are left out."""
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


# Regions and the interior under one total: how the others complete each region.
#
# With ``w(j)`` the ways to complete the board when the regions hold ``j`` mines, a region needs,
# for each number of its own mines, the sum over all the others' layouts. A tree of products gives
# that to all regions at once: up, the polynomials are multiplied; down, each half takes in the
# other's.


class CombinedCounts(NamedTuple):
    """Layouts of the whole board, and for each region the rest of the board.

    ``whole`` and ``rest`` share a scale; ``solutions`` has none. ``rest``: for each region the ways
    to complete the board, by the region's number of mines above its least. ``interior``: the
    layouts in which a given interior cell is a mine, times ``interior_cells``.
    """

    whole: int
    solutions: int
    rest: list[tuple[int, ...]]
    interior: int


class _ProductNode:
    """Some neighbouring regions: the product of their polynomials, and of the reversed ones."""

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
        # Polynomials are packed into one integer each (`pack`): one multiplication of integers is
        # the product of polynomials, as long as no coefficient needs more than `width` bits.
        self.forwards = left.forwards * right.forwards
        self.backwards = left.backwards * right.backwards

    def descend(
        self, ways: int, width: int, found: list[tuple[int, ...]], bound: CountingBudget
    ) -> None:
        """Append to ``found``, for each region, the ways to complete the board."""
        if self.halves is None:
            found.append(lanes(ways, width, self.degree + 1))
            return
        bound.check()
        for one, other in (self.halves, self.halves[::-1]):
            # What the one half sees: the rest of the board, summed over the layouts of the other.
            seen = ways * other.backwards >> width * other.degree
            one.descend(seen & (1 << width * (one.degree + 1)) - 1, width, found, bound)


def combine(
    parts: list[LayoutCounts], mines: int, interior: int, bound: CountingBudget
) -> CombinedCounts:
    """Combine the counts of regions and interior under a number of mines.

    Args:
        parts: the regions' counts by their numbers of mines; each has a layout.
        mines: how many mines there are in the regions and the interior.
        interior: how many cells no clue touches.
        bound: what counting may cost.

    Raises:
        OddsLimitError: the numbers would be too long, or the time is over.
    """
    degree = sum([len(part.layouts) - 1 for part in parts])
    bits = sum([sum(part.layouts).bit_length() for part in parts])
    bound.mix(len(parts), degree, bits)
    bound = bound.of("the regions under the total")
    # ``spare``: mines left over when every region holds its least.
    spare = mines - sum(part.least for part in parts)
    # Interior mines: from fewest, when the regions hold most, to most.
    fewest, most = max(spare - degree, 0), min(spare, interior)
    if fewest > most:
        return CombinedCounts(0, 0, [], 0)
    scaled, top, bottom = _binomials(interior, fewest, most, bound)
    # ways[j]: interior placements when the regions hold j mines above their least together.
    ways = [0] * (degree + 1)
    for number, way in zip(range(fewest, most + 1), scaled, strict=True):
        ways[spare - number] = way
    # Wide enough for every product below: no coefficient exceeds all layouts times one way.
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
    """``comb(n, k)`` for k from low to high as ``found[k - low] * top / bottom``: short numbers.

    A large interior's binomials have thousands of digits, nearly all of them in common.
    """
    found = [1]
    bottom = 1
    for k in range(low + 1, high + 1):
        bound.check()
        found.append(found[-1] * (n - k + 1))
        bottom *= k
    # comb(n, k) / comb(n, low) has the denominator (low + 1) ... k. Times the later factors, (k +
    # 1) ... high, every entry gets the one denominator `bottom`, and nothing is divided.
    behind = 1
    for k in range(high, low - 1, -1):
        bound.check()
        found[k - low] *= behind
        behind *= k
    bound.check()
    shared = gcd(*found)
    bound.check()
    return [number // shared for number in found], comb(n, low) * shared, bottom
