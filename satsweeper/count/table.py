"""Small regions by all their layouts, counted: the cells on which they agree, without a solver.

Up to some cells this costs less than making a solver. The counts come from the sweep over boxes
(`satsweeper.count.sweep`): a cell is safe if no layout has a mine there, and a mine if all have.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from satsweeper.count.counts import LayoutCounts, count_easy, easy_order, weigh_easy
from satsweeper.count.sweep import BoxedRegion, boxes_of, placings
from satsweeper.reduce.residual import Residual

MOST_CELLS: Final = 24
"""The number of cells of the largest region that is tabulated. Up to this limit the median time of
expert positions falls; above it the largest tables cost more than a solver."""


class RegionTable:
    """The counts of the layouts of a small region.

    ``cells``: the cells of the region. ``layouts``: the number of its layouts. ``decided``: the
    cells on which all layouts agree, True for a mine; meaningless without a layout.
    ``constraints``: the number of constraints of the region.
    """

    def __init__(self, constraints: Sequence[Residual]) -> None:
        self.constraints = len(constraints)
        self._sums = constraints
        self._count()

    def _count(self) -> None:
        self._region = region = boxes_of(self._sums)
        self.cells = list(chain.from_iterable(region.cells))
        self._by_number: LayoutCounts | None = None
        # Of layouts with any number of mines only their sum matters as long as no total is asked.
        self.layouts, *mined = weigh_easy(region, easy_order(region))
        self.decided: dict[int, bool] = {}
        for cells, count in zip(region.cells, mined, strict=True):
            if not count or count == self.layouts:
                for cell in cells:
                    self.decided[cell] = count > 0

    def settle(self, decided: Mapping[int, bool]) -> None:
        """Keep only the layouts that agree with ``decided``; cells of other regions are ignored."""
        own = [((cell,), int(decided[cell])) for cell in self.cells if cell in decided]
        if own:
            self._sums = [*self._sums, *own]
            self._count()

    def agreed(self, numbers: int) -> dict[int, bool]:
        """Return the cells on which all layouts agree whose number of mines is in ``numbers``.

        Args:
            numbers: numbers of mines, as the bits of an integer.
        """
        least, layouts, mined = self._numbered()
        chosen = [at for at in range(len(layouts)) if numbers >> least + at & 1]
        return _agreed(
            self._region,
            tuple([layouts[at] for at in chosen]),
            [tuple([each[at] for at in chosen]) for each in mined],
        )

    def numbers(self, cell: int | None = None, mine: bool = True) -> int:
        """Return the numbers of mines, as bits, of the layouts in which ``cell`` is ``mine``.

        ``cell`` None: of all layouts.
        """
        least, layouts, mined = self._numbered()
        counts: Sequence[int] = layouts
        if cell is not None:
            box = next(i for i, cells in enumerate(self._region.cells) if cell in cells)
            counts = mined[box]
            if not mine:
                counts = [every - some for every, some in zip(layouts, counts, strict=True)]
        return sum([1 << least + at for at, count in enumerate(counts) if count])

    def layout(self, number: int, cell: int | None = None, mine: bool = True) -> list[int]:
        """Return the mines of a layout with ``number`` mines in which ``cell`` is ``mine``.

        Such a layout exists; ``cell`` None: any layout with ``number`` mines.
        """
        sums = self._sums if cell is None else [*self._sums, ((cell,), int(mine))]
        return list(_layout(boxes_of(sums), number))

    def _numbered(self) -> LayoutCounts:
        if self._by_number is None:
            self._by_number = count_easy(self._region, easy_order(self._region))
        return self._by_number


def _agreed(
    region: BoxedRegion, layouts: tuple[int, ...], mined: Sequence[tuple[int, ...]]
) -> dict[int, bool]:
    """Return the cells that are a mine in none of the ``layouts``, or in all of them."""
    found: dict[int, bool] = {}
    for cells, with_mine in zip(region.cells, mined, strict=True):
        if with_mine == layouts:
            found |= dict.fromkeys(cells, True)
        elif not any(with_mine):
            found |= dict.fromkeys(cells, False)
    return found


def _layout(region: BoxedRegion, number: int) -> Iterator[int]:
    """Yield the mines of a layout of ``region`` with ``number`` mines, which exists."""
    # tables[i]: each state after i boxes, with the numbers of mines placed so far as bits.
    tables = [{region.start: 1}]
    for box in range(len(region.sizes)):
        after: dict[int, int] = {}
        for state, numbers in tables[-1].items():
            for k, to in placings(region, box, state):
                after[to] = after.get(to, 0) | numbers << k
        tables.append(after)
    [state] = tables.pop()
    # Backwards: a state before the box from which k mines lead to the state after it, and that can
    # be reached with all other mines.
    for box in reversed(range(len(region.sizes))):
        state, k = next(
            (before, k)
            for before, numbers in tables.pop().items()
            for k, to in placings(region, box, before)
            if to == state and k <= number and numbers >> number - k & 1
        )
        yield from region.cells[box][:k]
        number -= k
