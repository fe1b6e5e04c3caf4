"""Whole layouts that show a cell both ways, put together from the layouts of regions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from satsweeper.answers.classification import Classification, Status
from satsweeper.board.facts import Facts, View, check_layout
from satsweeper.board.planes import indices
from satsweeper.search.frontier import Frontier
from satsweeper.search.sumset import InteriorSums, bits, choose
from satsweeper.search.total import allowed_by_others, regions_of
from satsweeper.solvers.search_budget import SearchBudget

if TYPE_CHECKING:
    from satsweeper.search.total import RegionUnderTotal


def both_layouts(
    view: View, frontier: Frontier, facts: Facts, cell: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return a layout in which ``cell`` is a mine, and one in which it is safe, as rows of text."""
    shown = []
    for mine in (True, False):
        board = whole_layout(frontier, facts, view.total, cell, mine)
        safe, mines = view.covered & ~board, view.covered & board
        shown.append(tuple(Classification.of(view, Status.CONSISTENT, safe, mines).grid()))
    return shown[0], shown[1]


def whole_layout(frontier: Frontier, facts: Facts, total: int | None, cell: int, mine: bool) -> int:
    """Return all mines of a layout in which ``cell`` is ``mine``, checked, as a bit board.

    The position has been classified, and ``cell`` can be a mine and safe.
    """
    near = set(frontier.undecided())
    undecided = indices(facts.undecided, facts.geometry.size)
    interior = [one for one in undecided if one not in near]
    left = None if total is None else total - facts.mines.bit_count()
    mines = layout_with(frontier, interior, left, cell, mine)
    if mines is None or (cell in mines) is not mine:
        raise AssertionError("an unknown cell has no layout of one kind")
    return check_layout(facts, mines, total)


def layout_with(
    frontier: Frontier, interior: Sequence[int], left: int | None, cell: int, mine: bool
) -> list[int] | None:
    """Return the undecided cells that are mines in a layout in which ``cell`` is ``mine``, or None.

    The frontier and the total have been classified, so that every number of mines that can matter
    is shown by a kept layout.

    Args:
        interior: the undecided cells next to no clue.
        left: the mines that the undecided cells hold together; None when any number will do.
        cell: an undecided cell, of the frontier or of the interior.
    """
    parts = regions_of(frontier, "totalizer")
    interior_sums = InteriorSums.of(len(interior))
    numbers = _numbers(parts, interior, left, cell, mine)
    if numbers is None and left is not None:
        # Layouts found under the total may have been lost since: each group keeps its own.
        limit = SearchBudget()
        limit.widen()
        for part, within in allowed_by_others(parts, interior_sums, left, exact=False):
            part.find_reachable(within, limit)
        for part, allowed in allowed_by_others(parts, interior_sums, left):
            if cell in part.cells:
                part.show(cell, mine, allowed & part.reachable, limit)
        numbers = _numbers(parts, interior, left, cell, mine)
    if numbers is None:
        return None
    mines = [m for part, n in zip(parts, numbers, strict=False) for m in part.layout(n, cell, mine)]
    first = [cell] if cell in interior and mine else []
    rest = [other for other in interior if other != cell]
    return mines + (first + rest)[: numbers[-1]]


def _numbers(
    parts: Sequence[RegionUnderTotal],
    interior: Sequence[int],
    left: int | None,
    cell: int,
    mine: bool,
) -> list[int] | None:
    """Return a number of mines for each region and for the interior, of known layouts."""
    sets = [part.numbers_with(cell, mine) for part in parts]
    sums = InteriorSums.of(len(interior))
    if cell in interior:
        sets.append(sums.with_mine if mine else sums.with_safe)
    else:
        sets.append(sums.any)
    if not all(sets):
        return None
    return [next(bits(one)) for one in sets] if left is None else choose(sets, left)
