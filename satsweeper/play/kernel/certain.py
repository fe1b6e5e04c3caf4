"""All certain moves of a game, until a guess is needed: rules first, then everything counted."""

from typing import Final, NamedTuple

from satsweeper.play.kernel.arrays import Bytes, Floats, Ints, ints, octets
from satsweeper.play.kernel.chances import Work, find_chances, room_for_work
from satsweeper.play.kernel.compiled import compiled
from satsweeper.play.kernel.deduce import STACK, UNSAFE, note, settle, two_clues
from satsweeper.play.kernel.grid import UNKNOWN, Grid

STUCK: Final = 0
"""No cell is certain to be safe: a guess is needed."""
WON: Final = 1
"""Every cell without a mine is open."""
TOO_WIDE: Final = -1
"""A region is too wide to be counted here."""


class Moves(NamedTuple):
    """Scratch of a game."""

    stack: Ints
    seen: Ints
    needs: Bytes
    work: Work


def room_for_moves(cells: int) -> Moves:
    """Scratch for a board with so many cells."""
    return Moves(
        ints(STACK * cells + 1),
        ints(cells),
        octets(cells),
        room_for_work(cells),
    )


@compiled
def open_certain(
    grid: Grid, numbers: Bytes, cells: Bytes, mines: int, first: int, moves: Moves, chances: Floats
) -> int:
    """Open a cell, then all that is certain, until none is: ``STUCK``, ``WON`` or less than 0.

    Args:
        grid: the neighbours.
        numbers: what each cell shows once it is open, ``EXPLODED`` for a mine.
        cells: what is known, changed in place.
        mines: of the whole board.
        first: a cell without a mine to open at the beginning, or -1.
        moves: scratch.
        chances: of a mine in each unknown cell, filled if a guess is needed.

    Returns ``UNSAFE`` if a cell that was called safe is a mine: a defect.
    """
    stack = moves.stack
    top = 0
    if first >= 0:
        top = note(grid, cells, first, False, stack, 0)
    while True:
        if settle(grid, numbers, cells, stack, top) == UNSAFE:
            return UNSAFE
        top = two_clues(grid, cells, moves.seen, moves.needs, stack)
        if top:
            continue
        done = find_chances(grid, cells, mines, moves.work, chances)
        if done < 1:
            return UNSAFE if done == 0 else TOO_WIDE
        safe = unsure = 0
        for cell in range(len(cells)):
            if cells[cell] == UNKNOWN:
                if chances[cell] == 0.0 or chances[cell] == 1.0:
                    safe += chances[cell] == 0.0
                    top = note(grid, cells, cell, chances[cell] == 1.0, stack, top)
                else:
                    unsure += 1
        if not safe:
            return STUCK if unsure else WON
