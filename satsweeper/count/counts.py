"""The layouts of one region by number of mines, and the layouts that mine a given cell."""

from functools import lru_cache
from math import comb
from typing import Final, NamedTuple

from satsweeper.count.budget import CountingBudget
from satsweeper.count.sweep import BoxedRegion, greedy, lanes, sweep

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
            lane = (cells + 8) & -8
            if weights is None:
                return _split(*sweep(region, order.boxes, (1, 1), lane), lane)
            whole, mined = sweep(region, order.boxes, weights, 0)
            return LayoutCounts(0, (whole,), tuple([(number,) for number in mined]))
    from satsweeper.count.elimination import Elimination
    from satsweeper.count.elimination_order import best_tree

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
