"""Residual constraints of clues over undecided cells, and the regions that they form.

A residual states how many of the undecided neighbours of a clue are mines, after the mines that the
rules have decided were subtracted.
"""

from collections.abc import Callable, Iterable
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from satsweeper.board.geometry import Count, Square
from satsweeper.board.planes import board_of, subtract

if TYPE_CHECKING:
    from satsweeper.reduce.rows import Rows


_SHIFTING_PAYS = 20_000
"""The size in bits of the largest board on which reading single bits is faster than arrays."""

_PAIRS_PAY = 120
"""The number of active clues above which the pair rule, on arrays, saves time in the search."""


Residual = tuple[tuple[int, ...], int]
"""``(cells, need)``: exactly ``need`` of ``cells``, ascending board indices, are mines."""


class Reduced(NamedTuple):
    """The residual constraints of some clues, and the cells decided on the way.

    ``undecided`` and ``mines``: the bit boards passed in, less (plus) the cells decided on the way.
    ``clash``: a bit board of clues that no layout meets; unless 0, the position is inconsistent and
    ``constraints`` is empty.
    """

    undecided: int
    mines: int
    clash: int
    constraints: list[Residual]


def reduce_clues(
    geometry: Square,
    clues: int,
    values: Count,
    undecided: int,
    mines: int,
    over: Callable[[], bool] = lambda: False,
    *,
    pair_rule: bool = True,
) -> Reduced:
    """Return the distinct residual constraints of ``clues``, in the order of the board.

    The caller has applied the single-clue rules. If there are many active clues, the pair rule is
    applied as well, unless ``pair_rule`` is False. Clues with the same undecided cells and the same
    need give one constraint. Clues with the same undecided cells and different needs, which the
    single-clue rules do not detect, give two contradictory constraints.

    Args:
        geometry: the neighbourhood.
        clues: bit board of the clues to use.
        values: the values of the clues, bit-sliced.
        undecided: bit board of the covered cells without a verdict.
        mines: bit board of the known mines, flags included.
        over: returns whether the time is over; the pair rule then ends early.
        pair_rule: whether the pair rule may be applied.
    """
    active = clues & geometry.spread(undecided)
    if not active:
        return Reduced(undecided, mines, 0, [])
    few = active.bit_count() <= _PAIRS_PAY
    by_shifts = geometry.size <= _SHIFTING_PAYS and (few or not pair_rule)
    if not by_shifts:
        try:
            from satsweeper.reduce.rows import Rows, close_rows
        except ImportError:
            # A browser has no numpy. The pair rule only saves time: a search finds the same.
            by_shifts = True
    if by_shifts:
        need = subtract(values, geometry.count(mines)) if mines else values
        return Reduced(undecided, mines, 0, _by_shifts(geometry, active, need, undecided))
    rows = Rows.of(geometry, active, values, undecided, mines)
    if not pair_rule:
        return Reduced(undecided, mines, 0, _of_rows(rows))
    closed = close_rows(geometry, rows, over)
    if closed.clash >= 0:
        return Reduced(undecided, mines, 1 << closed.clash, [])
    found = board_of(closed.mines.tolist(), geometry.size)
    gone = found | board_of(closed.safe.tolist(), geometry.size)
    return Reduced(undecided & ~gone, mines | found, 0, _of_rows(rows))


def _by_shifts(geometry: Square, active: int, need: Count, undecided: int) -> list[Residual]:
    b0, b1, b2, b3 = need
    reach = geometry.reach
    window = geometry.window
    shifted = undecided << reach
    # The key is the bit board of the undecided neighbours and the need: a repeated constraint is
    # recognised before its tuple of cells is made.
    found: dict[tuple[int, int], Residual] = {}
    while active:
        bit = active & -active
        active ^= bit
        at = bit.bit_length() - 1
        # The undecided cells around the clue, shifted to the same position for every clue.
        pattern = shifted >> at & window
        left = 1 if b0 & bit else 0
        if b1 & bit:
            left += 2
        if b2 & bit:
            left += 4
        if b3 & bit:
            left += 8
        key = pattern << at, left
        if key not in found:
            cells = []
            place = at - reach - 1
            while pattern:
                low = pattern & -pattern
                cells.append(place + low.bit_length())
                pattern ^= low
            found[key] = tuple(cells), left
    return list(found.values())


def _of_rows(rows: "Rows") -> list[Residual]:
    cells = rows.table[rows.held].tolist()
    ends = rows.held.sum(axis=1).cumsum().tolist()
    found: dict[Residual, None] = {}
    start = 0
    for end, need in zip(ends, rows.need.tolist(), strict=True):
        found[tuple(cells[start:end]), need] = None
        start = end
    return list(found)


# Regions: residual constraints of different regions share no cell, so each is decided by itself.


def regions(constraints: Iterable[Residual]) -> list[list[Residual]]:
    """Return the connected components of ``constraints``, which are connected by shared cells.

    Invariant: ``region_of`` maps each cell seen to the list of its region, and ``found`` holds the
    lists by identity. A graph library would take longer than the search that regions save.
    """
    region_of: dict[int, list[Residual]] = {}
    found: dict[int, list[Residual]] = {}
    for constraint in constraints:
        region: list[Residual] | None = None
        for cell in constraint[0]:
            touched = region_of.get(cell)
            if touched is None or touched is region:
                continue
            if region is None:
                region = touched
                continue
            if len(touched) > len(region):
                region, touched = touched, region
            # The constraint joins two regions: the smaller is merged into the larger, so that a
            # constraint is moved at most log2(n) times.
            region += touched
            del found[id(touched)]
            for cells, _ in touched:
                for moved in cells:
                    region_of[moved] = region
        if region is None:
            region = []
            found[id(region)] = region
        region.append(constraint)
        for cell in constraint[0]:
            region_of[cell] = region
    return list(found.values())


def cells_of(constraints: Iterable[Residual]) -> list[int]:
    """Return the distinct cells of ``constraints``, in the order in which they appear."""
    return list(dict.fromkeys(chain.from_iterable([cells for cells, _ in constraints])))


def interchangeable_cells(constraints: Iterable[Residual]) -> list[list[int]]:
    """Return the groups of two or more interchangeable cells.

    Two cells are interchangeable if exactly the same constraints count both.
    """
    signature: dict[int, int] = {}
    bit = 1
    for cells, _ in constraints:
        for cell in cells:
            signature[cell] = signature.get(cell, 0) | bit
        bit <<= 1
    grouped: dict[int, list[int]] = {}
    for cell, counted_by in signature.items():
        grouped.setdefault(counted_by, []).append(cell)
    return [group for group in grouped.values() if len(group) > 1]
