"""All certain moves of a game, until a guess is needed: rules first, then counts of layouts."""

from typing import Final, NamedTuple

from satsweeper.play.kernel.arrays import Bytes, Floats, Ints, ints, octets
from satsweeper.play.kernel.chances import Workspace, find_chances, room_for_work
from satsweeper.play.kernel.compiled import compiled
from satsweeper.play.kernel.deduce import STACK, UNSAFE, note, settle, two_clues
from satsweeper.play.kernel.grid import DONE, IMPOSSIBLE, UNKNOWN, Adjacency

STUCK: Final = 0
"""No cell is certain to be safe: a guess is needed."""
WON: Final = 1
"""Every cell without a mine is open."""
TOO_WIDE: Final = -1
"""Return code, equal to NO_ROOM: a region is too wide for the arrays."""


class Moves(NamedTuple):
    """Scratch of a game: the stack and arrays of ``deduce``, and the workspace of ``chances``."""

    stack: Ints
    seen: Ints
    needs: Bytes
    work: Workspace


def room_for_moves(cells: int) -> Moves:
    """Scratch for a board with ``cells`` cells."""
    return Moves(
        ints(STACK * cells + 1),
        ints(cells),
        octets(cells),
        room_for_work(cells),
    )


@compiled
def open_certain(
    grid: Adjacency,
    numbers: Bytes,
    cells: Bytes,
    mines: int,
    first: int,
    moves: Moves,
    chances: Floats,
) -> int:
    """Open a cell, then all certain cells, until none is: STUCK, WON, TOO_WIDE or UNSAFE.

    Args:
        grid: the neighbours.
        numbers: what each cell shows once it is open, ``EXPLODED`` for a mine.
        cells: what is known, changed in place.
        mines: of the whole board.
        first: a cell without a mine to open at the beginning, or -1.
        moves: scratch.
        chances: of a mine in each unknown cell, filled if a guess is needed.

    Returns ``UNSAFE`` if a cell that was proved safe is a mine: a defect.
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
        if done != DONE:
            # The layout itself fits the clues, unless a wrong cell was opened.
            return UNSAFE if done == IMPOSSIBLE else TOO_WIDE
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
