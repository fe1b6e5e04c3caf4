"""The total number of mines: what it adds to the clues, asked only where it can matter.

Regions share no clue, and the interior (covered cells next to no clue) is one more region, which
can hold any number of mines. So the total ties regions together only by how many mines each can
hold. The set of these numbers is an integer's bits, sets are added by shifting, and every question
left concerns one region: is there a layout of it with this cell a mine, and with a number of
mines that the others can complete to the total? Exact, and no counter ever spans the board.

In three steps, each only if the one before did not settle the matter:

1. bounds on the mines of the frontier that need no search;
2. the layouts found already, combined over the regions;
3. the exact numbers of each region, and questions with a counter over that region.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from satsweeper.bundle import Bundle
from satsweeper.facts import Facts
from satsweeper.limit import Limit
from satsweeper.reduce.regions import cells_of, regions
from satsweeper.reduce.residual import Residual
from satsweeper.region import Region, Sums


class Remainder(NamedTuple):
    """What the clues leave to the total.

    ``left`` mines are still to be placed: in the bundles' undecided cells and in the ``interior``
    undecided cells that no clue touches.
    """

    left: int
    frontier: int
    interior: int

    @classmethod
    def of(cls, total: int, facts: Facts, bundles: Iterable[Bundle]) -> "Remainder":
        """Count what is left of a total."""
        frontier = sum(len(bundle.undecided) for bundle in bundles)
        return cls(
            left=total - facts.mines.bit_count(),
            frontier=frontier,
            interior=facts.undecided.bit_count() - frontier,
        )


class Outcome(NamedTuple):
    """What the total decides: cells of the frontier, and the interior as one (None: nothing)."""

    consistent: bool
    frontier: dict[int, bool]
    interior: bool | None
    complete: bool = True
    asked: bool = True
    """Whether layouts had to be combined or asked for, the bounds not being enough."""


_IMPOSSIBLE = Outcome(False, {}, None)


def redundant(remainder: Remainder, bundles: Sequence[Bundle]) -> bool:
    """Whether every layout of the frontier meets the total, and the interior stays open.

    Found without search; False means only that it is not known.
    """
    left, frontier, interior = remainder
    low, high = 0, frontier
    if not _slack(left, low, high, interior):
        low, high = _mines_between(bundles)
    return _slack(left, low, high, interior)


def _slack(left: int, low: int, high: int, interior: int) -> bool:
    if interior == 0:
        return low == high == left
    # Between 1 and interior - 1 mines are left to the interior, whatever the frontier holds.
    return high < left < low + interior if interior > 1 else False


def _mines_between(bundles: Iterable[Bundle]) -> tuple[int, int]:
    """Bounds on the mines in the bundles' undecided cells, from clues that share no cell."""
    low = high = 0
    for bundle in bundles:
        used: set[int] = set()
        high += len(bundle.undecided)
        for cells, need in open_constraints(bundle):
            if used.isdisjoint(cells):
                used.update(cells)
                low += need
                high -= len(cells) - need
    return low, high


def open_constraints(bundle: Bundle) -> list[Residual]:
    """A bundle's constraints on its undecided cells, less what is decided."""
    decided = bundle.decided
    if not decided:
        return bundle.constraints
    found: dict[Residual, None] = {}
    for cells, need in bundle.constraints:
        left = tuple([cell for cell in cells if cell not in decided])
        if left:
            need -= sum(decided[cell] for cell in cells if cell in decided)
            found[Residual(left, need)] = None
    return list(found)


def apply_total(
    remainder: Remainder, bundles: Sequence[Bundle], encoding: str, limit: Limit
) -> Outcome:
    """Decide what the total decides, in the bundles' undecided cells and in the interior.

    Every bundle has been classified without it.
    """
    left, frontier, interior = remainder
    if not 0 <= left <= frontier + interior:
        return _IMPOSSIBLE
    if redundant(remainder, bundles):
        return Outcome(True, {}, None, asked=False)
    parts = [
        Region(bundle, cells_of(region), encoding)
        for bundle in bundles
        for region in regions(open_constraints(bundle))
    ]
    sea = Sums.free(interior)
    if sea.both_open(_fitting(parts, left)) and all(
        part.open_under(allowed) for part, allowed in _with_others(parts, sea, left)
    ):
        return Outcome(True, {}, None)
    return _ask(parts, sea, left, limit)


def _ask(parts: Sequence[Region], sea: Sums, left: int, limit: Limit) -> Outcome:
    """Step 3: exact numbers of mines a region, then one region after the other."""
    for part, allowed in _with_others(parts, sea, left, exact=False):
        if not part.find_sums(allowed, limit):
            return Outcome(True, {}, None, complete=False)
    decided: dict[int, bool] = {}
    fits = _fitting(parts, left)
    if not fits & sea.any:
        return _IMPOSSIBLE
    complete = True
    for part, allowed in _with_others(parts, sea, left):
        complete &= part.classify(allowed & part.sums.any, limit)
        decided |= part.proved
    return Outcome(True, decided, sea.verdict(fits), complete)


def _fitting(parts: Sequence[Region], left: int) -> int:
    """The numbers of mines that known layouts of all regions leave to the interior, as bits."""
    reach = 1
    for part in parts:
        reach = add_sets(reach, part.sums.any)
    return complement(reach, left)


def _with_others(
    parts: Sequence[Region], sea: Sums, left: int, exact: bool = True
) -> list[tuple[Region, int]]:
    """Each region with the numbers of mines that the others can complete to ``left``.

    ``exact``: by the numbers found for the others; otherwise by any number up to their size.
    """
    sets = [part.sums.any if exact else (2 << len(part.cells)) - 1 for part in parts]
    before = [sea.any]
    for one in sets:
        before.append(add_sets(before[-1], one))
    after = [1]
    for one in reversed(sets):
        after.append(add_sets(after[-1], one))
    after.reverse()
    return [
        (part, complement(add_sets(before[k], after[k + 1]), left)) for k, part in enumerate(parts)
    ]


def add_sets(a: int, b: int) -> int:
    """All sums of a number of ``a`` and one of ``b``; sets of numbers as an integer's bits."""
    if a.bit_count() < b.bit_count():
        a, b = b, a
    result = 0
    while b:
        low = b & -b
        result |= a * low
        b ^= low
    return result


def complement(numbers: int, left: int) -> int:
    """The set of ``left - x`` for all ``x <= left`` in ``numbers``."""
    digits = bin(numbers & (2 << left) - 1)[2:].zfill(left + 1)
    return int(digits[::-1], 2)
