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
"""The largest number of cells of a region; with more cells a sweep is faster."""


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


def _layouts(clues: dict[int, int], union: int) -> tuple[dict[int, int], int]:
    """Return the table of each cell of ``union``, and a 1 for each assignment that is a layout."""
    ones, tables, _ = _tables(union.bit_count())
    table_of = {}
    for table in tables:
        cell = union & -union
        union ^= cell
        table_of[cell] = table
    found = ones << 3
    for cells, need in clues.items():
        # A clue needs a mine at least, so that the sum is 15 at the most; its fourth bit is 1 if
        # there are as many mines as needed, or more, and after a subtraction only if more.
        total = ones * (8 - need)
        while cells:
            cell = cells & -cells
            cells ^= cell
            total += table_of[cell]
        found &= total & ~(total - ones)
    return table_of, found >> 3


def agreed(clues: dict[int, int], union: int) -> tuple[int, int] | None:
    """Return the cells that are safe, and mined, in all layouts; None if there is no layout.

    Args:
        clues: the cells of each clue, as a bit board, and the mines that it needs, one at least.
        union: the cells of all clues, `MOST` at most.
    """
    table_of, found = _layouts(clues, union)
    if not found:
        return None
    safe = mines = 0
    for cell, table in table_of.items():
        mined = found & table
        if not mined:
            safe |= cell
        elif mined == found:
            mines |= cell
    return safe, mines


def tabulate(clues: dict[int, int], union: int) -> tuple[list[int], LayoutCounts]:
    """Return boxes, each as a bit board, and the layouts by number of mines.

    Cells of a single clue are one box. Args are those of `agreed`.
    """
    if len(clues) == 1:
        size, need = union.bit_count(), clues[union]
        return [union], LayoutCounts(need, (comb(size, need),), ((comb(size - 1, need - 1),),))
    table_of, found = _layouts(clues, union)
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
