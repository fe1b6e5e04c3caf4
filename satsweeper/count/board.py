"""All regions of a board counted and combined: the layouts in which a cell of a box is a mine.

Rules first, then regions by `satsweeper.count.counts`. Odds are these numbers as fractions; safe
cells are those that no layout mines, and mines those that every layout does.
"""

from collections.abc import Sequence
from itertools import repeat
from operator import mul
from typing import Final, NamedTuple

from satsweeper.board.errors import Error
from satsweeper.board.facts import View
from satsweeper.count.budget import CountingBudget
from satsweeper.count.counts import (
    FEW,
    LayoutCounts,
    Weights,
    combine,
    count_region,
    easy_order_within,
    weigh_region,
)
from satsweeper.count.sweep import boxes_of
from satsweeper.reduce.residual import Reduced, reduce_clues, regions
from satsweeper.reduce.single_clue import single_clue

_TOGETHER: Final = 12
"""The number of constraints up to which all regions are counted as one: dividing them is slower."""


class NoLayoutError(Error, ValueError):
    """The position contradicts itself: there is nothing to count."""


class CountedBoard(NamedTuple):
    """The layouts of a board.

    ``undecided`` and ``mines``: the cells that the rules leave open, and all mines that they know,
    as bit boards. ``boxes``: cells that the same clues count, the layouts in which a given one of
    them is a mine, and all layouts, in a scale of the region. ``solutions``: the number of layouts.
    ``interior``: the same two numbers as of a box for each of the ``interior_cells`` that no clue
    touches; without such cells they mean nothing. ``loose``: whether the total leaves open all that
    the clues leave open; True without a total.
    """

    undecided: int
    mines: int
    boxes: list[tuple[list[int], int, int]]
    solutions: int
    interior: tuple[int, int]
    interior_cells: int
    loose: bool
    constraints: int
    """The number of distinct constraints that the rules leave."""


def count_board(
    view: View, weights: Weights, bound: CountingBudget, easy: bool = False
) -> CountedBoard | None:
    """Count the layouts of a board.

    Args:
        view: the board; its total counts if ``weights`` is None.
        weights: the weights of a mine and of a safe cell in the counts of boxes and interior, or
            None for a board with a total.
        bound: the limits of counting.
        easy: whether the result is None, without counting, for a board with a region that is hard
            to count.

    Raises:
        NoLayoutError: the board has no layout.
        OddsLimitError: a region is too wide, has too many states, or the time is over.
    """
    geometry = view.geometry
    reduced = reduce_view(view, bound)
    undecided, mines, _, constraints = reduced
    parts = []
    # The states of regions placed in turn multiply, but few regions have few states.
    if 0 < len(constraints) <= _TOGETHER:
        together = boxes_of(constraints)
        if len(together.sizes) <= FEW:
            parts = [together]
    if not parts:
        for region in regions(constraints):
            bound.check("the regions")
            parts.append(boxes_of(region))
    stride = geometry.stride
    orders = [easy_order_within(part, stride, bound) for part in parts]
    if easy and None in orders:
        return None
    inside = undecided.bit_count() - sum([sum(part.sizes) for part in parts])
    boxes: list[tuple[list[int], int, int]] = []
    if weights is None:
        assert view.total is not None
        counts = [
            count_region(part, stride, bound, order)
            for part, order in zip(parts, orders, strict=True)
        ]
        left = view.total - mines.bit_count()
        solutions, rests, interior, loose = _under_total(counts, left, inside, bound)
        for part, each, (ways, whole) in zip(parts, counts, rests, strict=True):
            for cells, mined in zip(part.cells, each.mined, strict=True):
                boxes.append((cells, sum(map(mul, mined, ways)), whole))
    else:
        # Without a known total, regions and interior cells are independent of one another.
        solutions, interior, loose = 1 << inside, (weights[0], weights[0] + weights[1]), True
        for part, order in zip(parts, orders, strict=True):
            whole, *weighed = weigh_region(part, weights, stride, bound, order)
            if not whole:
                raise NoLayoutError("the board has no layout")
            boxes += zip(part.cells, weighed, repeat(whole))
            if weights != (1, 1):
                whole = weigh_region(part, (1, 1), stride, bound, order)[0]
            solutions *= whole
    return CountedBoard(
        undecided, mines, boxes, solutions, interior, inside, loose, len(constraints)
    )


def reduce_view(view: View, bound: CountingBudget) -> Reduced:
    """Return the constraints that the rules leave; NoLayoutError if they find a contradiction."""
    geometry, _, clues, values, covered, trusted, _, _ = view
    first = single_clue(geometry, clues, values, covered, trusted)
    if first.clash:
        raise NoLayoutError("the board has no layout")
    reduced = reduce_clues(
        geometry, clues, values, first.undecided, first.mines, bound.deadline.passed
    )
    if reduced.clash:
        raise NoLayoutError("the board has no layout")
    bound.check("what the rules leave")
    return reduced


def _under_total(
    counts: Sequence[LayoutCounts], left: int, inside: int, bound: CountingBudget
) -> tuple[int, list[tuple[Sequence[int], int]], tuple[int, int], bool]:
    """Return solutions, each region's rest of the board, the interior, and whether all is loose.

    The rest of a region: the ways to complete the board by the region's number of mines above its
    least, and the number of layouts in their scale.

    Args:
        counts: the regions.
        left: the number of mines in the regions and the interior together.
        inside: the number of cells of the interior.
        bound: the limits of counting.
    """
    # A region with the same number of mines in all its layouts is independent of the other regions:
    # it takes a fixed part of the total, and its layouts are a factor of the count.
    fixed, low, solutions, loose = 0, 0, 1, []
    for each in counts:
        if not any(each.layouts):
            raise NoLayoutError("the board has no layout")
        if len(each.layouts) == 1:
            fixed += each.least
            solutions *= each.layouts[0]
        else:
            low += each.least
            loose.append(each)
    left -= fixed
    combined = combine(loose, left, inside, bound)
    if not combined.whole:
        raise NoLayoutError("the board has no layout with this total")
    rest = iter(combined.rest)
    rests: list[tuple[Sequence[int], int]] = [
        ((1,), each.layouts[0]) if len(each.layouts) == 1 else (next(rest), combined.whole)
        for each in counts
    ]
    # Every number of mines of the regions leaves 1 to inside - 1 mines to the interior.
    high = low + sum([len(each.layouts) - 1 for each in loose])
    open_ = high < left < low + inside if inside else low == high == left
    interior = combined.interior, combined.whole * inside
    return solutions * combined.solutions, rests, interior, open_
