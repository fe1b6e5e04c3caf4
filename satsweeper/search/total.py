"""The total number of mines: what it adds to the clues, asked only where it can matter.

Regions share no clue, and the interior (covered cells next to no clue) is one more region, which
can hold any number of mines. So the total ties regions together only by how many mines each can
hold. The set of these numbers is an integer's bits, sets are added by shifting, and every question
left concerns one region: is there a layout of it with this cell a mine, and with a number of
mines that the others can complete to the total? Exact, and no counter ever spans the board.

In four steps, each only if the one before did not settle the matter:

1. bounds on the mines of the frontier that need no search;
2. the layouts found already, combined over the regions;
3. more layouts, with numbers that fit those, while they are easily found;
4. the exact numbers of each region, and questions with a counter over that region.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from satsweeper.answers.classification import Classification, Status
from satsweeper.board.facts import Facts, View, check_layout
from satsweeper.board.planes import indices
from satsweeper.reduce.residual import cells_of, regions
from satsweeper.reduce.table import TruthTable
from satsweeper.search.frontier import Frontier
from satsweeper.search.sumset import InteriorSums, Sumset, bits, choose, complement
from satsweeper.solvers.search_budget import SearchBudget

if TYPE_CHECKING:
    from satsweeper.search.searched_region import SearchedRegion


class TabulatedRegion:
    """The undecided cells of a table: all layouts are known, and no search is needed.

    The methods are those of `SearchedRegion`, so that both kinds of region mix under a total. Cells
    that all layouts agree on are decided already; their mines are not counted.
    """

    def __init__(self, table: TruthTable) -> None:
        decided = table.decided
        self.cells = [cell for cell in table.cells if cell not in decided]
        self._own = set(self.cells)
        self._table = table
        self._known = sum(decided.values())
        self.reachable = table.numbers() >> self._known
        self.proved: dict[int, bool] = {}

    def numbers_with(self, cell: int, mine: bool) -> int:
        """Return the numbers of mines of layouts in which ``cell``, if here, is ``mine``."""
        if cell not in self._own:
            return self.reachable
        return self._table.numbers(cell, mine) >> self._known

    def show(self, cell: int, mine: bool, allowed: int, limit: SearchBudget) -> None:
        """Do nothing: all layouts are known."""
        del cell, mine, allowed, limit

    def layout(self, number: int, cell: int, mine: bool) -> list[int]:
        """Return the mines of a layout with ``number``, in which ``cell``, if here, is ``mine``."""
        wanted = cell if cell in self._own else None
        found = self._table.layout(number + self._known, wanted, mine)
        return [one for one in found if one in self._own]

    def open_under(self, allowed: int) -> bool:
        """Whether layouts with an allowed number of mines show every cell both ways."""
        return not self._agreed(allowed)

    def explore(self, allowed: int, limit: SearchBudget) -> None:
        """Do nothing: all layouts are known."""

    def find_reachable(self, within: int, limit: SearchBudget) -> bool:
        """Do nothing: ``reachable`` is exact from the start."""
        del within, limit
        return True

    def classify(self, allowed: int, limit: SearchBudget) -> bool:
        """Put what all layouts with an allowed number agree on in ``proved``."""
        del limit
        self.proved = self._agreed(allowed)
        return True

    def _agreed(self, allowed: int) -> dict[int, bool]:
        found = self._table.agreed(allowed << self._known)
        return {cell: mine for cell, mine in found.items() if cell in self._own}


if TYPE_CHECKING:
    RegionUnderTotal = TabulatedRegion | SearchedRegion
    """A region under a total: its undecided cells and the numbers of mines that they can hold."""


def regions_of(frontier: Frontier, encoding: str) -> list[RegionUnderTotal]:
    """Return the regions of a classified frontier; ``encoding`` is for their counters."""
    found: list[RegionUnderTotal] = [TabulatedRegion(table) for table in frontier.open_tables()]
    if frontier.groups:
        from satsweeper.search.searched_region import SearchedRegion

        for group in frontier.groups:
            for region in regions(group.open_constraints()):
                found.append(SearchedRegion(group, cells_of(region), encoding))
    return found


class Remainder(NamedTuple):
    """The mines and undecided cells that the clues leave to the total."""

    mines: int
    """Mines that are still to be placed."""
    near: int
    """Undecided cells next to clues."""
    far: int
    """Undecided cells that no clue touches: the interior."""


class TotalVerdict(NamedTuple):
    """The verdict of the total: cells of the frontier, and the interior as a whole."""

    consistent: bool
    decided: dict[int, bool]
    """Cells of the frontier, True for a mine."""
    interior: bool | None
    """True: all mines; False: all safe; None: open, or there is none."""
    complete: bool = True
    asked: bool = True
    """Whether layouts had to be combined or asked for, the bounds not being enough."""


_ROUNDS = 2
"""Rounds of step 3: what one region shows may let others show more."""

_IMPOSSIBLE = TotalVerdict(False, {}, None)


def redundant(remainder: Remainder, frontier: Frontier) -> bool:
    """Whether every layout of the frontier meets the total, and the interior stays open.

    Found without search; False means only that it is not known.
    """
    if _slack(remainder, 0, remainder.near):
        return True
    low = high = 0
    for table in frontier.open_tables():
        # Exact: the least and the largest number of a table's layouts.
        numbers = TabulatedRegion(table).reachable
        low += (numbers & -numbers).bit_length() - 1
        high += numbers.bit_length() - 1
    for group in frontier.groups:
        # Clues that share no cell add up; cells outside them may hold any number.
        used: set[int] = set()
        high += len(group.undecided)
        for cells, need in group.open_constraints():
            if used.isdisjoint(cells):
                used.update(cells)
                low += need
                high -= len(cells) - need
    return _slack(remainder, low, high)


def _slack(remainder: Remainder, low: int, high: int) -> bool:
    """Whether any number of frontier mines from ``low`` to ``high`` leaves the interior open."""
    left, _, interior = remainder
    if interior == 0:
        return low == high == left
    # Between 1 and interior - 1 mines are left to the interior, whatever the frontier holds.
    return high < left < low + interior if interior > 1 else False


def apply_total(
    remainder: Remainder, frontier: Frontier, encoding: str, limit: SearchBudget
) -> TotalVerdict:
    """Decide what the total decides, in the frontier's undecided cells and in the interior.

    The frontier has been classified without the total.
    """
    mines, near, far = remainder
    if not 0 <= mines <= near + far:
        return _IMPOSSIBLE
    # Step 1: every layout of the frontier fits, so the total adds nothing.
    if redundant(remainder, frontier):
        return TotalVerdict(True, {}, None, asked=False)
    found = regions_of(frontier, encoding)
    interior = InteriorSums.of(far)
    # Steps 2 and 3: a cell that combined layouts show both ways is unknown.
    for _ in range(_ROUNDS):
        if _all_open(found, interior, mines):
            return TotalVerdict(True, {}, None)
        for region, allowed in allowed_by_others(found, interior, mines):
            region.explore(allowed, limit)
    if _all_open(found, interior, mines):
        return TotalVerdict(True, {}, None)
    # Step 4: the exact numbers of mines of each region, then the regions one by one. Numbers that
    # no layout of the others can complete, whatever they hold, are not asked about.
    for region, allowed in allowed_by_others(found, interior, mines, exact=False):
        if not region.find_reachable(allowed, limit):
            return TotalVerdict(True, {}, None, complete=False)
    decided: dict[int, bool] = {}
    # From here on ``reachable`` is exact where it matters.
    left = _left_to_interior(found, mines)
    if not left & interior.any:
        return _IMPOSSIBLE
    complete = True
    for region, allowed in allowed_by_others(found, interior, mines):
        # Any layout with an allowed number extends to the whole board: regions share no clue.
        complete &= region.classify(allowed & region.reachable, limit)
        decided |= region.proved
    # A region that a limit stopped proves nothing; the verdicts of the others hold all the same.
    return TotalVerdict(True, decided, interior.verdict(left), complete)


def _all_open(regions: Sequence[RegionUnderTotal], interior: InteriorSums, mines: int) -> bool:
    """Whether known layouts, combined to ``mines``, show every cell both ways."""
    return interior.both_open(_left_to_interior(regions, mines)) and all(
        region.open_under(allowed)
        for region, allowed in allowed_by_others(regions, interior, mines)
    )


def _left_to_interior(regions: Sequence[RegionUnderTotal], mines: int) -> int:
    """Return the numbers of mines, as bits, that known layouts of all regions leave over."""
    return complement(Sumset([region.reachable for region in regions]).all(), mines)


def allowed_by_others(
    regions: Sequence[RegionUnderTotal], interior: InteriorSums, mines: int, exact: bool = True
) -> list[tuple[RegionUnderTotal, int]]:
    """Return each region with the numbers of mines that the others can complete to ``mines``.

    ``exact``: by the numbers found for the others; otherwise by any number up to their size.
    """
    sets = [region.reachable if exact else (2 << len(region.cells)) - 1 for region in regions]
    # All but one set added up, then turned round: x mines of the others leave ``mines - x``.
    everything = Sumset([*sets, interior.any])
    # Many regions look alike, and a board may have tens of thousands.
    allowed: dict[tuple[int, int], int] = {}
    for region, own in zip(regions, sets, strict=True):
        key = own, len(region.cells)
        if key not in allowed:
            allowed[key] = complement(everything.without(own), mines, len(region.cells))
    return [(each, allowed[own, len(each.cells)]) for each, own in zip(regions, sets, strict=True)]


# Whole layouts that show a cell both ways, put together from the layouts of regions.


def both_layouts(
    view: View, frontier: Frontier, facts: Facts, cell: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return a layout in which ``cell`` is a mine, and one in which it is safe, as rows of text.

    The position has been classified, and ``cell`` can be a mine and safe.
    """
    near = set(frontier.undecided())
    undecided = indices(facts.undecided, facts.geometry.size)
    interior = [one for one in undecided if one not in near]
    left = None if view.total is None else view.total - facts.mines.bit_count()
    shown = []
    for mine in (True, False):
        found = _layout_with(frontier, interior, left, cell, mine)
        if found is None or (cell in found) is not mine:
            raise AssertionError("an unknown cell has no layout of one kind")
        # Regions share no clue, so layouts of all of them make one of the board; it is checked.
        board = check_layout(facts, found, view.total)
        safe, mines = view.covered & ~board, view.covered & board
        shown.append(tuple(Classification.of(view, Status.CONSISTENT, safe, mines).grid()))
    return shown[0], shown[1]


def _layout_with(
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
