"""All regions of a board counted and combined: the layouts in which a cell of a box is a mine.

Rules first, then regions by `satsweeper.count.counts`. Odds are these numbers as fractions; safe
cells are those that no layout mines, and mines those that every layout does.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul
from typing import TYPE_CHECKING, NamedTuple

from satsweeper.board.errors import Error
from satsweeper.board.facts import Flags, View
from satsweeper.board.planes import CLOSED, spaced
from satsweeper.count.budget import CountingBudget
from satsweeper.count.clue_pairs import count_two, pieces_of
from satsweeper.count.counts import (
    LayoutCounts,
    Weights,
    combine,
    count_region,
    easy_order_within,
    weigh_region,
)
from satsweeper.count.small_board import (
    SMALL,
    boxed,
    listed,
    reduce_small,
    undecided_in,
)
from satsweeper.count.sweep import BoxedRegion, boxes_of
from satsweeper.count.truth_tables import MOST, tabulate
from satsweeper.position import Position

if TYPE_CHECKING:
    from satsweeper.reduce.residual import Reduced


class NoLayoutError(Error, ValueError):
    """The position contradicts itself: there is nothing to count."""


class CountedRegions(NamedTuple):
    """The layouts of the regions and the interior of a board.

    ``regions``: for each region, and for each of its boxes, the layouts in which a given cell of
    the box is a mine; and all layouts, in a scale of the region. ``solutions``: the number of
    layouts. ``interior``: the same two numbers as of a box for each of the cells that no clue
    touches; without such cells they mean nothing. ``loose``: whether the total leaves open all that
    the clues leave open; True without a total.
    """

    regions: list[tuple[Sequence[int], int]]
    solutions: int
    interior: tuple[int, int]
    loose: bool


class CountedBoard(NamedTuple):
    """The layouts of a board.

    ``covered``: the covered cells, as ones among the cells of the board with its padding. ``safe``
    and ``mines``: the cells among them that the rules decide, empty without any. ``boxes``: for
    each region the board indices of the cells of each box. ``counted``: the layouts of regions.
    ``interior_cells``: the number of cells that no clue touches.
    """

    covered: bytes
    safe: bytes
    mines: bytes
    boxes: list[list[list[int]]]
    counted: CountedRegions
    interior_cells: int


def count_board(
    position: Position, flags: Flags, weights: Weights, bound: CountingBudget
) -> CountedBoard:
    """Count the layouts of a board.

    Args:
        position: the board; its total counts if ``weights`` is None.
        flags: whether flags are trusted to be mines, or ignored.
        weights: the weights of a mine and of a safe cell in the counts of boxes and interior, or
            None for a board with a total.
        bound: the limits of counting.

    Raises:
        NoLayoutError: the board has no layout.
        OddsLimitError: a region is too wide, has too many states, or the time is over.
    """
    codes, stride = position.padded, position.geometry.columns + 1
    size = len(codes)
    small = reduce_small(codes, stride, flags) if size <= SMALL else None
    boxes: list[list[list[int]]] = []
    counts: list[LayoutCounts] = []
    parts: list[BoxedRegion] = []
    if small is not None:
        bound.check("what the rules leave")
        inside, left = undecided_in(small, codes, position.mines or 0, flags)
        covered = codes.translate(CLOSED[flags])
        pieces = pieces_of(small.clues)
        if pieces is None:
            raise NoLayoutError("the board has no layout")
        more_safe, more_mines, each_region = pieces
        safe, mines = small.safe, small.mines
        if more_safe:
            safe |= spaced(more_safe >> stride + 1, size)
        if more_mines:
            mines |= spaced(more_mines >> stride + 1, size)
        inside -= (more_safe | more_mines).bit_count()
        left -= more_mines.bit_count()
        for union, own in each_region:
            count = union.bit_count()
            inside -= count
            if weights is None and (len(own) == 2 or count <= MOST):
                cells, found = count_two(own) if len(own) == 2 else tabulate(own, union)
                boxes.append(listed(cells, stride))
                counts.append(found)
            else:
                region = boxed(own)
                parts.append(region._replace(cells=listed(region.cells, stride)))
    else:
        # Imported late: for large boards alone.
        from satsweeper.reduce.residual import regions

        view = position.view(flags)
        reduced = reduce_view(view, bound)
        undecided, known = reduced.undecided, reduced.mines
        covered = spaced(view.covered, size).to_bytes(size, "little")
        safe = spaced(view.covered & ~(undecided | known), size)
        mines = spaced(view.covered & known, size)
        left = (position.mines or 0) - known.bit_count()
        for each in regions(reduced.constraints):
            bound.check("the regions")
            parts.append(boxes_of(each))
        inside = undecided.bit_count() - sum([sum(part.sizes) for part in parts])
    boxes += [part.cells for part in parts]
    if weights is None:
        counts += [count_region(part, stride, bound) for part in parts]
        counted = under_total(counts, left, inside, bound)
    else:
        counted = _weighed(parts, inside, weights, stride, bound)
    return CountedBoard(
        covered,
        safe.to_bytes(size, "little") if safe else b"",
        mines.to_bytes(size, "little") if mines else b"",
        boxes,
        counted,
        inside,
    )


def _weighed(
    parts: Sequence[BoxedRegion],
    inside: int,
    weights: tuple[int, int],
    stride: int,
    bound: CountingBudget,
) -> CountedRegions:
    """Count the layouts of regions and of the interior without a total.

    Args:
        parts: the regions.
        inside: the number of cells of the interior.
        weights: the weights of a mine and of a safe cell.
        stride: the stride of the board.
        bound: the limits of counting.

    Raises:
        NoLayoutError: the board has no layout.
        OddsLimitError: a region is too wide, has too many states, or the time is over.
    """
    # Without a known total, regions and interior cells are independent of one another.
    found: list[tuple[Sequence[int], int]] = []
    solutions = 1 << inside
    for part in parts:
        order = easy_order_within(part, stride, bound)
        whole, *weighed = weigh_region(part, weights, stride, bound, order)
        if not whole:
            raise NoLayoutError("the board has no layout")
        found.append((weighed, whole))
        if weights != (1, 1):
            whole = weigh_region(part, (1, 1), stride, bound, order)[0]
        solutions *= whole
    return CountedRegions(found, solutions, (weights[0], weights[0] + weights[1]), True)


def reduce_view(view: View, bound: CountingBudget) -> Reduced:
    """Return the constraints that the rules leave; NoLayoutError if they find a contradiction."""
    from satsweeper.reduce.residual import reduce_clues
    from satsweeper.reduce.single_clue import single_clue

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


def under_total(
    counts: Sequence[LayoutCounts], left: int, inside: int, bound: CountingBudget
) -> CountedRegions:
    """Combine the counts of regions and interior.

    Args:
        counts: the regions.
        left: the number of mines in the regions and the interior together.
        inside: the number of cells of the interior.
        bound: the limits of counting.

    Raises:
        NoLayoutError: the board has no layout.
        OddsLimitError: the numbers would be too long, or the time is over.
    """
    # A region with the same number of mines in all its layouts is independent of the other regions:
    # it takes a fixed part of the total, and its layouts are a factor of the count.
    least, more, solutions, loose = 0, 0, 1, []
    for each in counts:
        if len(each.layouts) > 1:
            least += each.least
            more += len(each.layouts) - 1
            loose.append(each)
        elif each.layouts[0]:
            left -= each.least
            solutions *= each.layouts[0]
        else:
            raise NoLayoutError("the board has no layout")
    combined = combine(loose, left, inside, bound)
    if not combined.whole:
        raise NoLayoutError("the board has no layout with this total")
    rest = iter(combined.rest)
    found: list[tuple[Sequence[int], int]] = []
    for each in counts:
        if len(each.layouts) > 1:
            ways = next(rest)
            mined = [sum(map(mul, numbers, ways)) for numbers in each.mined]
            found.append((mined, combined.whole))
        else:
            found.append(([number for (number,) in each.mined], each.layouts[0]))
    # Every number of mines of the regions leaves 1 to inside - 1 mines to the interior.
    open_ = more < left - least < inside if inside else more == 0 == left - least
    interior = combined.interior, combined.whole * inside
    return CountedRegions(found, solutions * combined.solutions, interior, open_)
