"""A small board classified at once: rules and layouts of its regions, without a session.

The verdicts are those of a session, whose steps for larger regions and for limits are left out.
"""

from collections.abc import Sequence
from time import perf_counter
from typing import Final

from satsweeper.answers.classification import Classification, Stats
from satsweeper.answers.options import Options
from satsweeper.board.facts import Flags
from satsweeper.board.planes import byte_bits, covered_bits
from satsweeper.count.board import NoLayoutError, under_total
from satsweeper.count.budget import CountingBudget
from satsweeper.count.clue_pairs import agreed_by_two, count_two, pair_rule, pieces_of
from satsweeper.count.counts import count_easy, easy_order_within
from satsweeper.count.small_board import (
    SMALL,
    SmallBoard,
    boxed,
    listed,
    reduce_small,
    regions_of,
    undecided_in,
)
from satsweeper.count.sweep import FEW, BoxedRegion, possible
from satsweeper.count.truth_tables import FEW_SHARED, MOST, MOST_SHARED, agreed, shared_in, tabulate
from satsweeper.position import Position

_BOUND: Final = CountingBudget()


def classify_square(position: Position, options: Options) -> Classification:
    """Classify at once if that is possible, otherwise by a session.

    ``options.tell`` is called with partial answers. Raises the errors of ``satsweeper.classify``.
    """
    found = classify_at_once(position, options) if options.at_once else None
    if found is not None:
        return found
    # Imported late: a session takes longer to load than a small board to classify.
    from satsweeper.search.session import classify_by_session

    return classify_by_session(position, options)


def classify_at_once(position: Position, options: Options) -> Classification | None:
    """Return the verdicts of a small board with regions that are easy to count.

    None is the answer for any other board, and for one without a layout.

    Args:
        position: the board.
        options: the options of the classification, with ``at_once``.
    """
    started = perf_counter()
    codes, geometry, total = position.padded, position.geometry, position.mines
    if len(codes) > SMALL:
        return None
    stride = geometry.columns + 1
    board = reduce_small(codes, stride, options.flags)
    if board is None:
        return None
    if total is None:
        found = _by_layouts(board.clues, stride)
    else:
        found = _by_counts(board, codes, stride, total, options.flags)
    if found is None:
        return None
    safe, mines, clues = board
    more_safe, more_mines = found[0] >> stride + 1, found[1] >> stride + 1
    stats = object.__new__(Stats)
    # Other fields keep the defaults of the class, which takes less time than __init__.
    stats.by_rules = safe.bit_count() + mines.bit_count()
    stats.constraints = len(clues)
    stats.by_tables, stats.total_asked = found[2], found[3]
    answer = Classification.of_small(
        geometry, codes, total, options, stats, (safe, mines, more_safe, more_mines)
    )
    stats.seconds = perf_counter() - started
    return answer


_Found = tuple[int, int, int, bool]
"""Safe cells and mines, as bit boards moved by a row and a cell; how many of them are in regions;
whether the total decides."""


def _by_layouts(clues: dict[int, int], stride: int) -> _Found | None:
    """Return the cells on which all layouts of a region agree.

    None if a region has no layout, or is not easy.
    """
    safe = mines = 0
    waiting = [clues]
    while waiting:
        own = waiting.pop()
        # One constraint decides no cell.
        if len(own) < 2:
            continue
        shared = shared_in(own)
        size = shared.bit_count()
        if len(own) == 2:
            found = agreed_by_two(own)
        elif size <= FEW_SHARED:
            found = agreed(own, shared)
        elif len(parts := regions_of(own)) > 1:
            waiting += [part for _, part in parts]
            continue
        else:
            ruled = pair_rule(own)
            if ruled is None:
                return None
            found = ruled[:2]
            if found != (0, 0):
                waiting.append(ruled[2])
            else:
                found = agreed(own, shared) if size <= MOST_SHARED else _agreed(own, stride)
        if found is None:
            return None
        safe |= found[0]
        mines |= found[1]
    return safe, mines, (safe | mines).bit_count(), False


def _agreed(clues: dict[int, int], stride: int) -> tuple[int, int] | None:
    """Return the safe cells and the mines of a region of more cells than a truth table takes.

    None if the region has no layout, or is not easy.
    """
    boxes, sizes, marks, _, apart, start = region = boxed(clues)
    count = len(boxes)
    order = _easy_order(region, stride)
    seen = None if order is None else possible(sizes, marks, apart, start, order)
    if seen is None:
        return None
    safe = mines = 0
    certain = ~(seen & seen >> count) & (1 << count) - 1
    while certain:
        at = certain.bit_length() - 1
        certain ^= 1 << at
        if seen >> at & 1:
            mines |= boxes[at]
        else:
            safe |= boxes[at]
    return safe, mines


def _easy_order(region: BoxedRegion, stride: int) -> Sequence[int] | None:
    boxes = len(region.sizes)
    if boxes <= FEW:
        return range(boxes)
    cells = listed(region.cells, stride)
    return easy_order_within(region._replace(cells=cells), stride, _BOUND)


def _by_counts(
    board: SmallBoard, codes: bytes, stride: int, total: int, flags: Flags
) -> _Found | None:
    """Return the cells on which all layouts with ``total`` mines agree.

    None if there is no such layout, or a region is not easy.
    """
    pieces = pieces_of(board.clues)
    if pieces is None:
        return None
    safe, mines, regions = pieces
    boxes, counts = [], []
    inside, left = undecided_in(board, codes, total, flags)
    inside -= (safe | mines).bit_count()
    left -= mines.bit_count()
    for union, own in regions:
        count = union.bit_count()
        inside -= count
        if len(own) == 2:
            cells, counted = count_two(own)
        elif count <= MOST:
            cells, counted = tabulate(own, union)
        else:
            region = boxed(own)
            order = _easy_order(region, stride)
            if order is None:
                return None
            cells, counted = region.cells, count_easy(region, order)
        boxes.append(cells)
        counts.append(counted)
    try:
        found = under_total(counts, left, inside, _BOUND)
    except NoLayoutError:
        return None
    for each, (every, whole) in zip(boxes, found.regions, strict=True):
        for cells_of_box, ways in zip(each, every, strict=True):
            # No layout, or every layout, has a mine in these cells.
            if not ways:
                safe |= cells_of_box
            elif ways == whole:
                mines |= cells_of_box
    by_tables = (safe | mines).bit_count()
    if inside and not found.loose:
        undecided = covered_bits(codes, flags)
        for decided in (board.safe, board.mines):
            undecided &= ~byte_bits(decided, len(codes))
        interior = undecided << stride + 1
        for near in board.clues:
            interior &= ~near
        ways, whole = found.interior
        if not ways:
            safe |= interior
        elif ways == whole:
            mines |= interior
    return safe, mines, by_tables, not found.loose
