"""Small regions by their truth table, held in one integer.

A region of ``n`` cells has ``2^n`` assignments; bit ``a`` of an integer says whether assignment
``a`` (cell ``i`` a mine where bit ``i`` of ``a`` is 1) meets the constraints. Conjunction is ``&``,
and a cell is a mine in no layout if the table and the cell's column have no bit in common. Up to
32,768 assignments this costs less than a solver.
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Final

from satsweeper.reduce.residual import Residual, cells_of

MOST_CELLS: Final = 15
"""The number of cells of the largest region that is tabulated. Up to this limit the median time of
expert positions falls; above it the largest tables cost more than a solver."""


class TruthTable:
    """The layouts of a small region.

    ``cells``: the cells of the region. ``truth``: the truth table, 0 if the region has no layout.
    ``decided``: the cells on which all layouts agree, True for a mine; meaningless without a
    layout. ``constraints``: the number of constraints of the region.
    """

    def __init__(self, constraints: Sequence[Residual]) -> None:
        self.cells = cells_of(constraints)
        self.constraints = len(constraints)
        n = len(self.cells)
        place = {cell: i for i, cell in enumerate(self.cells)}
        truth = (1 << (1 << n)) - 1
        for cells, need in constraints:
            truth &= exactly(n, tuple([place[cell] for cell in cells]), need)
        self.truth = truth
        self.decided = self.agreed()

    def settle(self, decided: Mapping[int, bool]) -> None:
        """Keep only the layouts that agree with ``decided``; cells of other regions are ignored."""
        own = [cell for cell in self.cells if cell in decided]
        if own:
            for cell in own:
                self.truth = self._with(cell, decided[cell])
            self.decided = self.agreed()

    def agreed(self, numbers: int | None = None) -> dict[int, bool]:
        """Return the cells on which all layouts agree, True for a mine.

        ``numbers``: a set of numbers of mines as bits; only layouts with such a number are
        considered. None: all layouts.
        """
        n = len(self.cells)
        truth = self.truth
        if numbers is not None:
            truth &= sum([table for k, table in enumerate(with_number(n)) if numbers >> k & 1])
        found: dict[int, bool] = {}
        for cell, column in zip(self.cells, columns(n), strict=True):
            mines = truth & column
            if not mines:
                found[cell] = False
            elif mines == truth:
                found[cell] = True
        return found

    def numbers(self, cell: int | None = None, mine: bool = True) -> int:
        """Return the numbers of mines, as bits, of the layouts in which ``cell`` is ``mine``.

        ``cell`` None: of all layouts.
        """
        truth = self._with(cell, mine)
        return sum(1 << k for k, table in enumerate(with_number(len(self.cells))) if truth & table)

    def layout(self, number: int, cell: int | None = None, mine: bool = True) -> list[int]:
        """Return the mines of a layout with ``number`` mines in which ``cell`` is ``mine``.

        Such a layout exists; ``cell`` None: any layout with ``number`` mines.
        """
        truth = self._with(cell, mine) & with_number(len(self.cells))[number]
        assignment = (truth & -truth).bit_length() - 1
        return [each for i, each in enumerate(self.cells) if assignment >> i & 1]

    def _with(self, cell: int | None, mine: bool) -> int:
        if cell is None:
            return self.truth
        column = columns(len(self.cells))[self.cells.index(cell)]
        return self.truth & column if mine else self.truth & ~column


@cache
def columns(n: int) -> tuple[int, ...]:
    """Return, for each of ``n`` cells, the assignments in which the cell is a mine."""
    whole = (1 << (1 << n)) - 1
    # Column i repeats 2^i zeros and 2^i ones. All ones divided by 2^(2^i) + 1 has ones in the
    # places of the zeros of column i; the shift by 2^i moves them to the places of the ones.
    return tuple(whole // ((1 << (1 << i)) + 1) << (1 << i) for i in range(n))


@cache
def with_number(n: int) -> tuple[int, ...]:
    """Return, for each number of mines from 0 to ``n``, the assignments with that number."""
    return tuple(exactly(n, tuple(range(n)), k) for k in range(n + 1))


@lru_cache(maxsize=1 << 13)
def exactly(n: int, places: tuple[int, ...], need: int) -> int:
    """Return the assignments of ``n`` cells in which exactly ``need`` of ``places`` are mines."""
    if not 0 <= need <= len(places):
        return 0
    # counts[k]: the assignments with exactly k mines among the places so far.
    counts = [(1 << (1 << n)) - 1] + [0] * need
    # Descending k, so that counts[k - 1] does not include ``place`` yet when counts[k] is updated.
    for place in places:
        column = columns(n)[place]
        for k in range(need, 0, -1):
            counts[k] = counts[k] & ~column | counts[k - 1] & column
        counts[0] &= ~column
    return counts[need]
