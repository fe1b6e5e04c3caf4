"""Regions of a few cells of a small board, by truth tables.

An assignment of mines to n cells is a number below 2^n, with a bit for each cell, and a table is an
integer with four bits for each assignment. The table of a cell has a 1 for each assignment that
mines the cell, so that the sum of the tables of a clue's cells, eight at the most, is the number of
mines that the clue sees. A few operations on such integers do for all assignments what a sweep over
states does one by one; a table doubles with each cell, so that regions must be small.
"""

from functools import cache
from math import comb
from typing import Final, NamedTuple

from satsweeper.count.counts import LayoutCounts

MOST: Final = 10
"""The largest number of cells of a region to count; with more cells a sweep is faster."""

MOST_SHARED: Final = 11
"""The largest number of shared cells of a region; with more of them a sweep is faster."""

FEW_SHARED: Final = 9
"""The number of shared cells up to which nothing takes less time than a table."""


class _Tables(NamedTuple):
    """The tables for some number of cells.

    ``ones``: a 1 for each assignment. ``cells``: the table of each cell. ``numbers``: for each
    number of mines, a 1 for each assignment with that number.
    """

    ones: int
    cells: list[int]
    numbers: list[int]


@cache
def _tables(cells: int) -> _Tables:
    if not cells:
        return _Tables(1, [], [1])
    # The assignments of one cell more: those without a mine in it, then those with one.
    ones, less, numbers = _tables(cells - 1)
    half = 4 << cells - 1
    return _Tables(
        ones | ones << half,
        [*[table | table << half for table in less], ones << half],
        [safe | mined << half for safe, mined in zip([*numbers, 0], [0, *numbers], strict=True)],
    )


def _table_of(cells: int) -> tuple[int, dict[int, int]]:
    """Return a 1 for each assignment of ``cells``, and the table of each of them."""
    ones, tables, _ = _tables(cells.bit_count())
    table_of = {}
    for table in tables:
        cell = cells & -cells
        cells ^= cell
        table_of[cell] = table
    return ones, table_of


def shared_in(clues: dict[int, int]) -> int:
    """Return the cells of more than one clue."""
    seen = shared = 0
    for cells in clues:
        shared |= seen & cells
        seen |= cells
    return shared


def agreed(clues: dict[int, int], shared: int) -> tuple[int, int] | None:
    """Return the cells that are safe, and mined, in all layouts; None if there is no layout.

    Only shared cells are in the tables: the other cells of a clue hold what is left to it.

    Args:
        clues: the cells of each clue, as a bit board, and the mines that it needs, 1 to 7.
        shared: the cells of more than one clue, `MOST_SHARED` at most.
    """
    ones, table_of = _table_of(shared)
    found = ones << 3
    alone = []
    for cells, need in clues.items():
        left = cells & shared
        own = cells ^ left
        # A clue needs 1 to 7 mines, so that the sum is 1 to 15. Its fourth bit is 1 if there are as
        # many mines as needed, or more, and after a subtraction only if more.
        total = ones * (8 - need)
        while left:
            cell = left & -left
            left ^= cell
            total += table_of[cell]
        found &= ~(total - ones)
        if own:
            size = own.bit_count()
            # With all of its own cells mined there are enough.
            found &= total + ones * size
            alone.append((own, total, total + ones * (size - 1)))
        else:
            found &= total
    if not found:
        return None
    safe = mines = 0
    for own, without, with_all_but_one in alone:
        if found & without == found:
            safe |= own
        elif not found & with_all_but_one:
            mines |= own
    found >>= 3
    for cell, table in table_of.items():
        mined = found & table
        if not mined:
            safe |= cell
        elif mined == found:
            mines |= cell
    return safe, mines


def tabulate(clues: dict[int, int], union: int) -> tuple[list[int], LayoutCounts]:
    """Return boxes, each as a bit board, and the layouts by number of mines.

    Cells of a single clue are one box.

    Args:
        clues: the cells of each clue, as a bit board, and the mines that it needs, 1 to 7.
        union: the cells of all clues, `MOST` at most.
    """
    if len(clues) == 1:
        size, need = union.bit_count(), clues[union]
        return [union], LayoutCounts(need, (comb(size, need),), ((comb(size - 1, need - 1),),))
    ones, table_of = _table_of(union)
    found = ones << 3
    for cells, need in clues.items():
        # The sum is as in `agreed`.
        total = ones * (8 - need)
        while cells:
            cell = cells & -cells
            cells ^= cell
            total += table_of[cell]
        found &= total & ~(total - ones)
    found >>= 3
    if not found:
        return [*table_of], LayoutCounts(0, (0,), ((0,),) * len(table_of))
    by_number = [found & table for table in _tables(len(table_of)).numbers]
    least = 0
    while not by_number[least]:
        least += 1
    while not by_number[-1]:
        by_number.pop()
    chosen = by_number[least:]
    mined = [tuple([(each & t).bit_count() for each in chosen]) for t in table_of.values()]
    return [*table_of], LayoutCounts(least, (*map(int.bit_count, chosen),), tuple(mined))
