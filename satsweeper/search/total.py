"""Verdicts that need the total number of mines, proved after the clues and only where necessary.

Regions share no clue, and the interior (covered cells next to no clue) is one more region, which
can hold any number of mines. So the total connects regions only by the number of mines that each
region can hold. The set of possible numbers is an integer's bits, sets are added by shifting, and
every remaining question is about one region: does the region have a layout in which this cell is a
mine, and whose number of mines the other regions can complete to the total? The method is exact,
and no counter ever spans the board.

There are four steps; a step runs only if the steps before it left cells open:

1. bounds on the mines of the frontier, without search;
2. the layouts already known, combined over the regions;
3. further layouts with numbers that the other regions allow, within a small budget;
4. the exact set of numbers of each region, and questions with a counter over the region.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from satsweeper.answers.classification import Classification, Status
from satsweeper.board.facts import Facts, View, check_layout
from satsweeper.board.planes import indices
from satsweeper.count.table import RegionTable
from satsweeper.reduce.residual import cells_of, regions
from satsweeper.search.frontier import Frontier
from satsweeper.search.sumset import InteriorSums, Sumset, bits, choose, complement
from satsweeper.solvers.search_budget import SearchBudget

if TYPE_CHECKING:
    from satsweeper.search.searched_region import SearchedRegion


class TabulatedRegion:
    """The undecided cells of a table: all layouts are known, and no search is needed.

    The class has the methods of `SearchedRegion`, so that `apply_total` treats both kinds of region
    alike. Cells on which all layouts agree are decided already; their mines are not counted.
    """

    def __init__(self, table: RegionTable) -> None:
        decided = table.decided
        self.cells = [cell for cell in table.cells if cell not in decided]
        self._undecided = set(self.cells)
        self._table = table
        self._known = sum(decided.values())
        self.reachable = table.numbers() >> self._known
        self.proved: dict[int, bool] = {}

    def numbers_with(self, cell: int, mine: bool) -> int:
        """Return the numbers of mines of layouts in which ``cell`` is ``mine``.

        A cell of another region restricts nothing: then all layouts count.
        """
        if cell not in self._undecided:
            return self.reachable
        return self._table.numbers(cell, mine) >> self._known

    def show(self, cell: int, mine: bool, allowed: int, limit: SearchBudget) -> None:
        """Do nothing: all layouts are known."""
        del cell, mine, allowed, limit

    def layout(self, number: int, cell: int, mine: bool) -> list[int]:
        """Return the mines of a layout with ``number`` mines in which ``cell`` is ``mine``.

        A cell of another region restricts nothing.
        """
        wanted = cell if cell in self._undecided else None
        found = self._table.layout(number + self._known, wanted, mine)
        return [each for each in found if each in self._undecided]

    def open_under(self, allowed: int) -> bool:
        """Whether the layouts with a number of mines in ``allowed`` show every cell both ways."""
        return not self._agreed(allowed)

    def explore(self, allowed: int, limit: SearchBudget) -> None:
        """Do nothing: all layouts are known."""

    def find_reachable(self, within: int, limit: SearchBudget) -> bool:
        """Do nothing: ``reachable`` is exact from the start."""
        del within, limit
        return True

    def classify(self, allowed: int, limit: SearchBudget) -> bool:
        """Set ``proved`` to the cells on which all layouts with an allowed number agree."""
        del limit
        self.proved = self._agreed(allowed)
        return True

    def _agreed(self, allowed: int) -> dict[int, bool]:
        found = self._table.agreed(allowed << self._known)
        return {cell: mine for cell, mine in found.items() if cell in self._undecided}


if TYPE_CHECKING:
    RegionUnderTotal = TabulatedRegion | SearchedRegion
    """A region under a total: its undecided cells and the numbers of mines that they can hold."""


def regions_of(frontier: Frontier, encoding: str) -> list[RegionUnderTotal]:
    """Return the regions of a classified frontier; ``encoding`` names the counters' encoder."""
    found: list[RegionUnderTotal] = [TabulatedRegion(table) for table in frontier.open_tables()]
    if frontier.groups:
        from satsweeper.search.searched_region import SearchedRegion

        for group in frontier.groups:
            for region in regions(group.open_constraints()):
                found.append(SearchedRegion(group, cells_of(region), encoding))
    return found


class Remainder(NamedTuple):
    """The mines and the undecided cells after all verdicts of the clues are known."""

    mines: int
    """The total less the known mines: the mines in the undecided cells."""
    near: int
    """Undecided cells next to clues."""
    far: int
    """Undecided cells that no clue touches: the interior."""


class TotalVerdict(NamedTuple):
    """The verdicts that the total adds: cells of the frontier, and the interior as a whole."""

    consistent: bool
    """Whether a layout with the total exists; True also if that is not found out yet."""
    decided: dict[int, bool]
    """Cells of the frontier, True for a mine."""
    interior: bool | None
    """True: all cells are mines; False: all are safe; None: open, or there is no interior."""
    complete: bool = True
    """Whether all verdicts are proved; False if a budget or the deadline stopped a question."""
    asked: bool = True
    """Whether step 1 was not enough, so that layouts were combined or searched for."""


_ROUNDS = 2
"""Rounds of step 3: a new number of one region may allow new numbers of the other regions."""

_IMPOSSIBLE = TotalVerdict(False, {}, None)


def redundant(remainder: Remainder, frontier: Frontier) -> bool:
    """Whether every layout of the frontier can meet the total, and the interior stays open.

    Only bounds are computed, without search: True is certain, False means "not known".
    """
    if _slack(remainder, 0, remainder.near):
        return True
    low = high = 0
    for table in frontier.open_tables():
        # The least and the largest number of mines of a table's layouts, which are exact.
        numbers = TabulatedRegion(table).reachable
        low += (numbers & -numbers).bit_length() - 1
        high += numbers.bit_length() - 1
    for group in frontier.groups:
        # Constraints that share no cell add up to a bound; cells outside these constraints hold
        # from none to all of the further mines.
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
    # Every number of the frontier leaves 1 to interior - 1 mines to the interior: each interior
    # cell can be a mine and can be safe.
    return high < left < low + interior if interior > 1 else False


def apply_total(
    remainder: Remainder, frontier: Frontier, encoding: str, limit: SearchBudget
) -> TotalVerdict:
    """Return the verdicts that the total adds, for undecided frontier cells and the interior.

    Args:
        remainder: the mines and undecided cells after all verdicts of the clues.
        frontier: the frontier, whose search without the total is complete.
        encoding: the name of the encoder of counters over regions.
        limit: the deadline, and the conflicts of each question.
    """
    mines, near, far = remainder
    if not 0 <= mines <= near + far:
        return _IMPOSSIBLE
    # Step 1: every layout of the frontier extends to one with the total, so the total adds nothing.
    if redundant(remainder, frontier):
        return TotalVerdict(True, {}, None, asked=False)
    found = regions_of(frontier, encoding)
    interior = InteriorSums.of(far)
    # Steps 2 and 3: where layouts with an allowed number show every cell both ways, the total
    # decides no cell.
    for _ in range(_ROUNDS):
        if _all_open(found, interior, mines):
            return TotalVerdict(True, {}, None)
        for region, allowed in allowed_by_others(found, interior, mines):
            region.explore(allowed, limit)
    if _all_open(found, interior, mines):
        return TotalVerdict(True, {}, None)
    # Step 4: the exact numbers of mines of each region, then the regions one by one. With
    # ``exact=False`` the other regions may hold any number up to their size, an overestimate:
    # numbers that even the overestimate cannot complete to the total need no question.
    for region, allowed in allowed_by_others(found, interior, mines, exact=False):
        if not region.find_reachable(allowed, limit):
            return TotalVerdict(True, {}, None, complete=False)
    decided: dict[int, bool] = {}
    # From here on ``reachable`` is exact for all numbers that may occur under the total.
    left = _left_to_interior(found, mines)
    if not left & interior.any:
        return _IMPOSSIBLE
    complete = True
    for region, allowed in allowed_by_others(found, interior, mines):
        # Regions share no clue, so any layout of the region with an allowed number extends to a
        # layout of the whole board with the total.
        complete &= region.classify(allowed & region.reachable, limit)
        decided |= region.proved
    # A region stopped by a limit has no verdicts; the verdicts of the other regions are proved.
    return TotalVerdict(True, decided, interior.verdict(left), complete)


def _all_open(regions: Sequence[RegionUnderTotal], interior: InteriorSums, mines: int) -> bool:
    """Whether known layouts, combined to ``mines``, show every cell both ways."""
    return interior.both_open(_left_to_interior(regions, mines)) and all(
        region.open_under(allowed)
        for region, allowed in allowed_by_others(regions, interior, mines)
    )


def _left_to_interior(regions: Sequence[RegionUnderTotal], mines: int) -> int:
    """Return the numbers ``mines - s``, as bits, for each sum s of the regions' known numbers."""
    return complement(Sumset([region.reachable for region in regions]).all(), mines)


def allowed_by_others(
    regions: Sequence[RegionUnderTotal], interior: InteriorSums, mines: int, exact: bool = True
) -> list[tuple[RegionUnderTotal, int]]:
    """Return each region with the numbers that the other regions can complete to ``mines``.

    ``exact``: the other regions hold the numbers of their known layouts; if False, any number from
    0 to their size. The interior holds any number in both cases.
    """
    sets = [region.reachable if exact else (2 << len(region.cells)) - 1 for region in regions]
    # For each region the sumset of all other sets; a sum x of the others allows ``mines - x``.
    everything = Sumset([*sets, interior.any])
    # A board may have tens of thousands of regions, most of them with equal sets and sizes.
    allowed: dict[tuple[int, int], int] = {}
    for region, numbers in zip(regions, sets, strict=True):
        key = numbers, len(region.cells)
        if key not in allowed:
            allowed[key] = complement(everything.without(numbers), mines, len(region.cells))
    return [
        (region, allowed[numbers, len(region.cells)])
        for region, numbers in zip(regions, sets, strict=True)
    ]


# Witnesses of an unknown cell: two whole layouts, put together from the layouts of regions.


def both_layouts(
    view: View, frontier: Frontier, facts: Facts, cell: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return a layout in which ``cell`` is a mine and a layout in which ``cell`` is safe.

    Each layout is a tuple of rows of text. The position has been classified, and ``cell`` is a
    board index with the verdict unknown.
    """
    near = set(frontier.undecided())
    undecided = indices(facts.undecided, facts.geometry.size)
    interior = [each for each in undecided if each not in near]
    left = None if view.total is None else view.total - facts.mines.bit_count()
    shown = []
    for mine in (True, False):
        found = _layout_with(frontier, interior, left, cell, mine)
        if found is None or (cell in found) is not mine:
            raise AssertionError("an unknown cell has no layout of one kind")
        # Regions share no clue, so one layout of each region makes a layout of the board, which is
        # checked against the clues and the total.
        board = check_layout(facts, found, view.total)
        safe, mines = view.covered & ~board, view.covered & board
        shown.append(tuple(Classification.of(view, Status.CONSISTENT, safe, mines).grid()))
    return shown[0], shown[1]


def _layout_with(
    frontier: Frontier, interior: Sequence[int], left: int | None, cell: int, mine: bool
) -> list[int] | None:
    """Return the undecided cells that are mines in a layout in which ``cell`` is ``mine``, or None.

    The search with the clues and the total is complete, so that kept layouts show every number of
    mines that is needed, unless models were dropped since.

    Args:
        interior: the undecided cells next to no clue.
        left: the number of mines in all undecided cells; None if the total is unknown.
        cell: an undecided cell, of the frontier or of the interior.
    """
    parts = regions_of(frontier, "totalizer")
    interior_sums = InteriorSums.of(len(interior))
    numbers = _numbers(parts, interior, left, cell, mine)
    if numbers is None and left is not None:
        # Models found under the total may have been dropped since: find the numbers of each region
        # again, and then a layout of the cell's region in which the cell is ``mine``.
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
    """Return a number of mines for each region and, last, for the interior; None if impossible.

    The numbers add up to ``left``, unless ``left`` is None. Each number has a known layout, in
    which ``cell`` is ``mine`` if the region contains ``cell``.
    """
    sets = [part.numbers_with(cell, mine) for part in parts]
    sums = InteriorSums.of(len(interior))
    if cell in interior:
        sets.append(sums.with_mine if mine else sums.with_safe)
    else:
        sets.append(sums.any)
    if not all(sets):
        return None
    return [next(bits(numbers)) for numbers in sets] if left is None else choose(sets, left)
