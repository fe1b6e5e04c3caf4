"""Pairs of neighbours between which nothing but a guess will decide (often called 50/50s).

If all cells that touch just one of two neighbours are mines, every clue around counts the two
together: if one of them is a mine, no cell that can be opened tells which. Whether the cells around
are mines is not known in advance; so the layouts in which they are mines are counted.

The idea is that of the long-term risk in D. N. Hill's JSMinesweeper.
"""

from math import exp
from typing import Final, NamedTuple

from satsweeper.play.kernel.arrays import Bytes, Floats, Ints, floats, ints
from satsweeper.play.kernel.boxes import room_for_boxes
from satsweeper.play.kernel.chances import Workspace, find_chances
from satsweeper.play.kernel.compiled import compiled
from satsweeper.play.kernel.grid import DONE, KNOWN_MINE, KNOWN_SAFE, UNKNOWN, Adjacency, touches
from satsweeper.play.kernel.mix import LOG_LAYOUTS, room_for_mixed
from satsweeper.play.kernel.sweep import room_for_counts

OUTER: Final = 2
"""The most unknown cells around a pair that would have to be mines."""


class ForcedPairs(NamedTuple):
    """Scratch, and by cell the chance ``guessed`` of a forced guess, added up over its pairs.

    For one pair: the chance that the cell is free, its partner a mine, and no clue tells which.
    """

    work: Workspace
    chances: Floats
    outer: Ints
    guessed: Floats


def room_for_forced_pairs(cells: int, work: Workspace) -> ForcedPairs:
    """Scratch that shares the sweep of ``work``, the scratch of the position itself."""
    own = Workspace(
        boxes=room_for_boxes(cells),
        counts=room_for_counts(cells),
        sweep=work.sweep,
        mixed=room_for_mixed(cells),
        clues=ints(cells),
    )
    return ForcedPairs(own, floats(cells), ints(OUTER), floats(cells))


@compiled
def find_forced_pairs(
    grid: Adjacency, cells: Bytes, mines: int, work: Workspace, pairs: ForcedPairs
) -> None:
    """Fill in ``pairs.guessed``.

    Args:
        grid: the neighbours.
        cells: what is known; changed meanwhile, and restored on return.
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
            # Count the layouts with a mine at ``one``, none at ``other``, and mines all around.
            cells[one] = KNOWN_MINE
            cells[other] = KNOWN_SAFE
            for j in range(many):
                cells[outer[j]] = KNOWN_MINE
            done = find_chances(grid, cells, mines, pairs.work, pairs.chances)
            cells[one] = UNKNOWN
            cells[other] = UNKNOWN
            for j in range(many):
                cells[outer[j]] = UNKNOWN
            if done == DONE:
                # The same clues touch both cells: as many layouts have the mine at ``other``.
                chance = exp(pairs.work.mixed.sums[LOG_LAYOUTS] - work.mixed.sums[LOG_LAYOUTS])
                guessed[one] += chance
                guessed[other] += chance


def list_outer(grid: Adjacency, cells: Bytes, one: int, other: int, outer: Ints) -> int:
    """List the unknown cells that touch just one of two cells; return their number.

    -1 if there are more than ``OUTER``, or if a cell that touches just one of the two is free.
    """
    many = 0
    for side in range(2):
        first, second = (one, other) if side == 0 else (other, one)
        for i in range(grid.degree[first]):
            cell = grid.near[first, i]
            if cell == second or cells[cell] == KNOWN_MINE or touches(grid, cell, second):
                continue
            if cells[cell] != UNKNOWN or many == OUTER:
                return -1
            outer[many] = cell
            many += 1
    return many
