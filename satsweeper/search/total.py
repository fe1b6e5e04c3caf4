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

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from satsweeper.reduce.regions import cells_of, regions
from satsweeper.search.frontier import Frontier
from satsweeper.search.sums import Sums
from satsweeper.search.sumset import Sumset, complement
from satsweeper.search.tabulated_region import Tabulated
from satsweeper.solvers.search_budget import SearchBudget


class Part(Protocol):
    """One region under a total: its undecided cells and the numbers of mines they can hold."""

    cells: list[int]
    sums: Sums
    proved: dict[int, bool]

    def open_under(self, allowed: int) -> bool:
        """Whether known layouts with an allowed number of mines show every cell both ways."""

    def explore(self, allowed: int, limit: SearchBudget) -> None:
        """Look for layouts with an allowed number of mines that show what none shows yet."""

    def find_sums(self, within: int, limit: SearchBudget) -> bool:
        """Find out which of these numbers are reachable; False when a limit came first."""

    def classify(self, allowed: int, limit: SearchBudget) -> bool:
        """Put what all layouts with an allowed number agree on in ``proved``; False: a limit."""

    def numbers_with(self, cell: int, mine: bool) -> int:
        """The numbers of its known layouts; with ``cell`` as asked if it is one of its."""

    def show(self, cell: int, mine: bool, allowed: int, limit: SearchBudget) -> None:
        """Look for a layout with an allowed number of mines and its ``cell`` as asked."""

    def layout(self, number: int, cell: int, mine: bool) -> list[int]:
        """The mines of a known layout with this many, and ``cell`` as asked if one of its."""


def parts_of(frontier: Frontier, encoding: str) -> list[Part]:
    """The regions of a classified frontier, each as a part under the total."""
    parts: list[Part] = [Tabulated(table) for table in frontier.open_tables()]
    if frontier.bundles:
        from satsweeper.search.searched_region import Region

        for bundle in frontier.bundles:
            for region in regions(bundle.open_constraints()):
                parts.append(Region(bundle, cells_of(region), encoding))
    return parts


class Remainder(NamedTuple):
    """What the clues leave to the total.

    ``left`` mines are still to be placed: in ``frontier`` undecided cells next to clues and in
    ``interior`` undecided cells that no clue touches.
    """

    left: int
    frontier: int
    interior: int


class Outcome(NamedTuple):
    """What the total decides: cells of the frontier, and the interior as one (None: nothing)."""

    consistent: bool
    frontier: dict[int, bool]
    interior: bool | None
    complete: bool = True
    asked: bool = True
    """Whether layouts had to be combined or asked for, the bounds not being enough."""


_ROUNDS = 2
"""Of step 3: what one region shows may let others show more."""

_IMPOSSIBLE = Outcome(False, {}, None)


def redundant(remainder: Remainder, frontier: Frontier) -> bool:
    """Whether every layout of the frontier meets the total, and the interior stays open.

    Found without search; False means only that it is not known.
    """
    left, cells, interior = remainder
    low, high = 0, cells
    if not _slack(left, low, high, interior):
        low, high = _mines_between(frontier)
    return _slack(left, low, high, interior)


def _slack(left: int, low: int, high: int, interior: int) -> bool:
    if interior == 0:
        return low == high == left
    # Between 1 and interior - 1 mines are left to the interior, whatever the frontier holds.
    return high < left < low + interior if interior > 1 else False


def _mines_between(frontier: Frontier) -> tuple[int, int]:
    """Bounds on the mines in the frontier: of tables exact, else from clues that share no cell."""
    low = high = 0
    for table in frontier.open_tables():
        numbers = Tabulated(table).sums.any
        low += (numbers & -numbers).bit_length() - 1
        high += numbers.bit_length() - 1
    for bundle in frontier.bundles:
        used: set[int] = set()
        high += len(bundle.undecided)
        for cells, need in bundle.open_constraints():
            if used.isdisjoint(cells):
                used.update(cells)
                low += need
                high -= len(cells) - need
    return low, high


def apply_total(
    remainder: Remainder, frontier: Frontier, encoding: str, limit: SearchBudget
) -> Outcome:
    """Decide what the total decides, in the frontier's undecided cells and in the interior.

    The frontier has been classified without it.
    """
    left, cells, interior = remainder
    if not 0 <= left <= cells + interior:
        return _IMPOSSIBLE
    if redundant(remainder, frontier):
        return Outcome(True, {}, None, asked=False)
    parts = parts_of(frontier, encoding)
    sea = Sums.free(interior)
    for _ in range(_ROUNDS):
        if _all_open(parts, sea, left):
            return Outcome(True, {}, None)
        for part, allowed in with_others(parts, sea, left):
            part.explore(allowed, limit)
    if _all_open(parts, sea, left):
        return Outcome(True, {}, None)
    return _ask(parts, sea, left, limit)


def _all_open(parts: Sequence[Part], sea: Sums, left: int) -> bool:
    """Whether known layouts, combined to the total, show every cell both ways."""
    return sea.both_open(_fitting(parts, left)) and all(
        part.open_under(allowed) for part, allowed in with_others(parts, sea, left)
    )


def _ask(parts: Sequence[Part], sea: Sums, left: int, limit: SearchBudget) -> Outcome:
    """Step 4: exact numbers of mines a region, then one region after the other."""
    for part, allowed in with_others(parts, sea, left, exact=False):
        if not part.find_sums(allowed, limit):
            return Outcome(True, {}, None, complete=False)
    decided: dict[int, bool] = {}
    fits = _fitting(parts, left)
    if not fits & sea.any:
        return _IMPOSSIBLE
    complete = True
    for part, allowed in with_others(parts, sea, left):
        complete &= part.classify(allowed & part.sums.any, limit)
        decided |= part.proved
    return Outcome(True, decided, sea.verdict(fits), complete)


def _fitting(parts: Sequence[Part], left: int) -> int:
    """The numbers of mines that known layouts of all regions leave to the interior, as bits."""
    return complement(Sumset([part.sums.any for part in parts]).all(), left)


def with_others(
    parts: Sequence[Part], sea: Sums, left: int, exact: bool = True
) -> list[tuple[Part, int]]:
    """Each region with the numbers of mines that the others can complete to ``left``.

    ``exact``: by the numbers found for the others; otherwise by any number up to their size.
    """
    sets = [part.sums.any if exact else (2 << len(part.cells)) - 1 for part in parts]
    everything = Sumset([*sets, sea.any])
    # Many regions look alike, and a board may have tens of thousands.
    allowed: dict[tuple[int, int], int] = {}
    for part, own in zip(parts, sets, strict=True):
        key = own, len(part.cells)
        if key not in allowed:
            allowed[key] = complement(everything.without(own), left, len(part.cells))
    return [(part, allowed[own, len(part.cells)]) for part, own in zip(parts, sets, strict=True)]
