"""Residual constraints: the clues that still touch an undecided cell, after the rules."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from satsweeper.board.geometry import Count, Geometry
from satsweeper.board.planes import board_of, subtract

if TYPE_CHECKING:
    from satsweeper.reduce.rows import Rows


_SHIFTING_PAYS = 20_000
"""Bits of the largest board on which picking single bits out of an integer beats arrays."""

_PAIRS_PAY = 120
"""Active clues above which the pair rule, on arrays, costs less than the search it saves."""


Residual = tuple[tuple[int, ...], int]
"""``(cells, need)``: exactly ``need`` of ``cells`` are mines. Board indices, ascending."""


class Reduced(NamedTuple):
    """The residual constraints of some clues, and the cells decided on the way.

    ``undecided`` and ``mines``: as given, with the decided cells moved. ``clash``: clues that
    cannot hold, as a bit board; unless it is 0, the position is inconsistent.
    """

    undecided: int
    mines: int
    clash: int
    constraints: list[Residual]


def reduce_clues(
    geometry: Geometry,
    clues: int,
    values: Count,
    undecided: int,
    mines: int,
    over: Callable[[], bool] = lambda: False,
    *,
    pair_rule: bool = True,
) -> Reduced:
    """Return the distinct residual constraints of ``clues``, in the order of the board.

    The single-clue rules have been applied. Where the clues are many, the pair rule is applied as
    well, unless ``pair_rule`` is False. Clues under which the same cells are left undecided give
    one constraint; where their needs differ, which the single-clue rules do not notice, they give
    two that clash. When ``over`` says that the time is over, the rules end early.
    """
    active = clues & geometry.spread(undecided)
    if not active:
        return Reduced(undecided, mines, 0, [])
    few = active.bit_count() <= _PAIRS_PAY
    if geometry.size <= _SHIFTING_PAYS and (few or not pair_rule):
        need = subtract(values, geometry.count(mines))
        return Reduced(undecided, mines, 0, _by_shifts(geometry, active, need, undecided))
    from satsweeper.reduce.rows import Rows, close_rows

    rows = Rows.of(geometry, active, values, undecided, mines)
    if not pair_rule:
        return Reduced(undecided, mines, 0, _of_rows(rows))
    closed = close_rows(geometry, rows, over)
    if closed.clash >= 0:
        return Reduced(undecided, mines, 1 << closed.clash, [])
    found = board_of(closed.mines.tolist(), geometry.size)
    gone = found | board_of(closed.safe.tolist(), geometry.size)
    return Reduced(undecided & ~gone, mines | found, 0, _of_rows(rows))


def _by_shifts(geometry: Geometry, active: int, need: Count, undecided: int) -> list[Residual]:
    b0, b1, b2, b3 = need
    reach = geometry.reach
    window = geometry.window
    shifted = undecided << reach
    # Keyed by the undecided neighbours as a bit board, so that a repeated one costs no tuple.
    found: dict[tuple[int, int], Residual] = {}
    while active:
        bit = active & -active
        active ^= bit
        at = bit.bit_length() - 1
        # The undecided cells around the clue, moved to the place that all clues share.
        pattern = shifted >> at & window
        left = (
            (1 if b0 & bit else 0)
            | (2 if b1 & bit else 0)
            | (4 if b2 & bit else 0)
            | (8 if b3 & bit else 0)
        )
        key = pattern << at, left
        if key not in found:
            found[key] = tuple([at + offset for offset in _offsets(pattern, reach)]), left
    return list(found.values())


@lru_cache(maxsize=65536)
def _offsets(pattern: int, reach: int) -> tuple[int, ...]:
    return tuple(bit - reach for bit in range(pattern.bit_length()) if pattern >> bit & 1)


def _of_rows(rows: "Rows") -> list[Residual]:
    cells = rows.table[rows.held].tolist()
    ends = rows.held.sum(axis=1).cumsum().tolist()
    found: dict[Residual, None] = {}
    start = 0
    for end, need in zip(ends, rows.need.tolist(), strict=True):
        found[tuple(cells[start:end]), need] = None
        start = end
    return list(found)


# Regions: sets of residual constraints that share no cell, hence can be decided apart.


def regions(constraints: Iterable[Residual]) -> list[list[Residual]]:
    """Return the connected components of ``constraints``.

    A graph object a call would cost more than the search that it saves.
    """
    region_of: dict[int, list[Residual]] = {}
    found: dict[int, list[Residual]] = {}
    for constraint in constraints:
        own: list[Residual] | None = None
        for cell in constraint[0]:
            other = region_of.get(cell)
            if other is None or other is own:
                continue
            if own is None:
                own = other
                continue
            if len(other) > len(own):
                own, other = other, own
            # The constraint joins two regions: the smaller moves into the larger.
            own += other
            del found[id(other)]
            for cells, _ in other:
                for moved in cells:
                    region_of[moved] = own
        if own is None:
            own = []
            found[id(own)] = own
        own.append(constraint)
        for cell in constraint[0]:
            region_of[cell] = own
    return list(found.values())


def cells_of(constraints: Iterable[Residual]) -> list[int]:
    """Return the distinct cells of ``constraints``, in the order in which they appear."""
    return list(dict.fromkeys(chain.from_iterable([cells for cells, _ in constraints])))


def interchangeable_cells(constraints: Iterable[Residual]) -> list[list[int]]:
    """Return the groups of two or more interchangeable cells."""
    signature: dict[int, int] = {}
    bit = 1
    for cells, _ in constraints:
        for cell in cells:
            signature[cell] = signature.get(cell, 0) | bit
        bit <<= 1
    grouped: dict[int, list[int]] = {}
    for cell, one in signature.items():
        grouped.setdefault(one, []).append(cell)
    return [group for group in grouped.values() if len(group) > 1]
