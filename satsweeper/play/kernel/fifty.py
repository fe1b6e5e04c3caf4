"""Pairs of cells between which nothing but a guess will decide.

If all cells that touch just one of two neighbours are mines, every clue around counts the two
together: where one of them is a mine, nothing that can be opened tells which. Whether the cells
around are mines is not known in advance; here it is counted in how many layouts they are.

The idea is that of the long-term risk in D. N. Hill's JSMinesweeper.
"""

from math import exp
from typing import Final, NamedTuple

from satsweeper.play.kernel.arrays import Bytes, Floats, Ints, floats, ints
from satsweeper.play.kernel.boxes import room_for_boxes
from satsweeper.play.kernel.chances import Work, find_chances
from satsweeper.play.kernel.compiled import compiled
from satsweeper.play.kernel.grid import KNOWN_MINE, KNOWN_SAFE, UNKNOWN, Grid
from satsweeper.play.kernel.mix import LAYOUTS, room_for_mixed
from satsweeper.play.kernel.states import room_for_counts

OUTER: Final = 2
"""Unknown cells around a pair, at the most, that would have to be mines."""


class Pairs(NamedTuple):
    """Scratch, and ``guessed`` by cell, added up over all its pairs.

    It is the chance that the cell is free, the other one a mine, and nothing will tell.
    """

    work: Work
    chances: Floats
    outer: Ints
    guessed: Floats


def room_for_pairs(cells: int, work: Work) -> Pairs:
    """Scratch beside that of the position itself, whose sweep it shares."""
    own = Work(
        boxes=room_for_boxes(cells),
        counts=room_for_counts(cells),
        sweep=work.sweep,
        mixed=room_for_mixed(cells),
        clues=ints(cells),
    )
    return Pairs(own, floats(cells), ints(OUTER), floats(cells))


@compiled
def find_pairs(grid: Grid, cells: Bytes, mines: int, work: Work, pairs: Pairs) -> None:
    """Fill in ``guessed``.

    Args:
        grid: the neighbours.
        cells: what is known; as it was in the end.
        mines: of the whole board.
        work: as ``find_chances`` left it.
        pairs: filled.
    """
    outer, guessed = pairs.outer, pairs.guessed
    guessed[:] = 0.0
    for one in range(len(cells)):
        if cells[one] != UNKNOWN:
            continue
        for i in range(grid.degree[one]):
            other = grid.near[one, i]
            if other < one or cells[other] != UNKNOWN:
                continue
            many = list_outer(grid, cells, one, other, outer)
            if many < 0:
                continue
            cells[one] = KNOWN_MINE
            cells[other] = KNOWN_SAFE
            for j in range(many):
                cells[outer[j]] = KNOWN_MINE
            done = find_chances(grid, cells, mines, pairs.work, pairs.chances)
            cells[one] = UNKNOWN
            cells[other] = UNKNOWN
            for j in range(many):
                cells[outer[j]] = UNKNOWN
            if done == 1:
                # The same clues touch both: as many layouts have the mine on the other side.
                chance = exp(pairs.work.mixed.sums[LAYOUTS] - work.mixed.sums[LAYOUTS])
                guessed[one] += chance
                guessed[other] += chance


def list_outer(grid: Grid, cells: Bytes, one: int, other: int, outer: Ints) -> int:
    """List the unknown cells that touch just one of two; how many.

    It is -1 if they are too many, or one that touches just one of the two is free.
    """
    many = 0
    for side in range(2):
        first, second = (one, other) if side == 0 else (other, one)
        for i in range(grid.degree[first]):
            cell = grid.near[first, i]
            if cell == second or cells[cell] == KNOWN_MINE or touch(grid, cell, second):
                continue
            if cells[cell] != UNKNOWN or many == OUTER:
                return -1
            outer[many] = cell
            many += 1
    return many


def touch(grid: Grid, one: int, other: int) -> bool:
    """Whether two cells are neighbours."""
    for i in range(grid.degree[one]):  # noqa: SIM110 - numba has no any()
        if grid.near[one, i] == other:
            return True
    return False
