"""Deductions and counts from pairs of overlapping clues of a small board.

Clues are bit boards of cells with the number of mines that they need.
"""

from math import comb
from typing import NamedTuple

from satsweeper.count.counts import LayoutCounts
from satsweeper.count.small_board import regions_of
from satsweeper.count.truth_tables import MOST


def agreed_by_two(clues: dict[int, int]) -> tuple[int, int] | None:
    """Return the cells that are safe, and mined, in all layouts of two clues; None without any."""
    (a, n), (b, k) = clues.items()
    common = a & b
    a ^= common
    b ^= common
    own, other, shared = a.bit_count(), b.bit_count(), common.bit_count()
    # The mines that the clues may share: each number in this range is that of a layout.
    least = max(0, n - own, k - other)
    most = min(shared, n, k)
    if least > most:
        return None
    safe = mines = 0
    if not most:
        safe = common
    elif least == shared:
        mines = common
    if least == n:
        safe |= a
    elif n - most == own:
        mines |= a
    if least == k:
        safe |= b
    elif k - most == other:
        mines |= b
    return safe, mines


def count_two(clues: dict[int, int]) -> tuple[list[int], LayoutCounts]:
    """Return the boxes of two clues, as bit boards, and the layouts by number of mines."""
    (a, n), (b, k) = clues.items()
    common = a & b
    a ^= common
    b ^= common
    own, other, shared = a.bit_count(), b.bit_count(), common.bit_count()
    least = max(0, n - own, k - other)
    # Each mine that the clues share is one mine less on the board.
    numbers = range(min(shared, n, k), least - 1, -1)
    if not numbers:
        return [a | common, b], LayoutCounts(0, (0,), ((0,), (0,)))
    ways = [comb(shared, t) * comb(own, n - t) * comb(other, k - t) for t in numbers]
    boxes, mined = [], []
    # Of s cells with t mines, a given cell is a mine in t / s of the ways.
    if shared:
        boxes.append(common)
        mined.append(tuple([way * t // shared for way, t in zip(ways, numbers, strict=True)]))
    if own:
        boxes.append(a)
        mined.append(tuple([way * (n - t) // own for way, t in zip(ways, numbers, strict=True)]))
    if other:
        boxes.append(b)
        mined.append(tuple([way * (k - t) // other for way, t in zip(ways, numbers, strict=True)]))
    return boxes, LayoutCounts(n + k - numbers[0], tuple(ways), tuple(mined))


def pair_rule(clues: dict[int, int]) -> tuple[int, int, dict[int, int]] | None:
    """Return cells that are safe, and mined, in all layouts, and the constraints that are left.

    The pair rule is applied once to each pair, and then the single-clue rules until they decide no
    more. None is the answer if that shows that there is no layout. The layouts of the constraints
    left over, with the cells decided, are those of ``clues``.

    Args:
        clues: the cells of each clue, and the mines that it needs.
    """
    safe = mines = 0
    before: list[tuple[int, int]] = []
    for each in clues.items():
        a, n = each
        for b, k in before:
            common = a & b
            if common:
                # If a needs as many mines more than b as it has cells of its own, then these are
                # mines and the own cells of b are safe.
                more = n - k
                own, other = a ^ common, b ^ common
                if more == own.bit_count():
                    mines |= own
                    safe |= other
                elif more + other.bit_count() == 0:
                    mines |= other
                    safe |= own
        before.append(each)
    decided = 0
    while safe | mines != decided:
        if safe & mines:
            return None
        decided, mined = safe | mines, mines
        left: dict[int, int] = {}
        for cells, need in clues.items():
            if cells & decided:
                need -= (cells & mined).bit_count()
                cells &= ~decided
                if not need:
                    safe |= cells
                    continue
                size = cells.bit_count()
                if not 0 < need <= size:
                    return None
                if need == size:
                    mines |= cells
                    continue
            if left.setdefault(cells, need) != need:
                return None
        clues = left
    return safe, mines, clues


class Pieces(NamedTuple):
    """Cells of constraints that are safe, and mined, in all layouts, and the regions of the others.

    Each region is the cells of all its constraints, and its constraints. Cells are bit boards.
    """

    safe: int
    mines: int
    regions: list[tuple[int, dict[int, int]]]


def pieces_of(clues: dict[int, int]) -> Pieces | None:
    """Split the constraints of a `SmallBoard` into regions, large ones after the pair rule.

    Large is a region of more cells than a truth table takes. None is the answer if the pair rule
    shows that there is no layout.
    """
    found = regions_of(clues)
    if len(clues) < 3 or (len(found) == 1 and found[0][0].bit_count() <= MOST):
        return Pieces(0, 0, found)
    safe = mines = 0
    regions = []
    for region in found:
        union, own = region
        if len(own) > 3 and union.bit_count() > MOST:
            ruled = pair_rule(own)
            if ruled is None:
                return None
            if ruled[0] | ruled[1]:
                safe |= ruled[0]
                mines |= ruled[1]
                # Regions that are left come last.
                found += regions_of(ruled[2])
                continue
        regions.append(region)
    return Pieces(safe, mines, regions)
