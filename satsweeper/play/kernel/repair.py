"""Layouts changed where a logic is stuck, until it solves them from the first click on.

The way of Simon Tatham's Mines, in words: where nothing follows, the cells around some clue are all
emptied, or all filled with mines, and as many mines are moved to, or taken from, cells elsewhere,
so that the total stays. The play goes on; once the board is solved it is played again from the
start, until a play gets through without any change. Layouts that come out so are not equally
likely: mines are moved from where they cannot be told apart.
"""

from typing import Final, NamedTuple

from satsweeper.play.kernel.arrays import Bytes, Ints, ints, octets
from satsweeper.play.kernel.certain import Moves
from satsweeper.play.kernel.compiled import compiled
from satsweeper.play.kernel.deduce import EXPLODED, note
from satsweeper.play.kernel.grid import KNOWN_MINE, KNOWN_SAFE, UNKNOWN, Grid
from satsweeper.play.kernel.reach import (
    SOLVED,
    UNSAFE,
    Reach,
    open_provable,
)

GIVEN_UP: Final = 0
"""The changes did not become fewer, or there was nothing to change."""
PAUSED: Final = 2
"""As many changes as were asked for have been made: ask again."""

_PATIENCE: Final = 3
"""Plays in which the changes may fail to become fewer."""

CHANGES, PLAYS, IN_PLAY, FEWEST, FAILED = range(5)
"""Places in ``spent``: changes and plays in all, changes in this play, the fewest in any, and how
many plays had no fewer."""


class Repair(NamedTuple):
    """Scratch: ``set_cells`` are to be emptied or filled, ``others`` may take or give mines.

    ``draw``: the state of the random numbers. ``spent``: see above.
    """

    set_cells: Ints
    others: Ints
    inside: Bytes
    draw: Ints
    spent: Ints


def room_for_repair(cells: int) -> Repair:
    """Scratch for a board with so many cells."""
    return Repair(
        ints(cells),
        ints(cells),
        octets(cells),
        ints(2),
        ints(5),
    )


@compiled
def repair(
    grid: Grid,
    numbers: Bytes,
    cells: Bytes,
    mines: int,
    first: int,
    kept: Bytes,
    strength: int,
    total: bool,
    moves: Moves,
    reach: Reach,
    room: Repair,
    more: int,
) -> int:
    """Change a layout until it is solved: SOLVED, PAUSED, GIVEN_UP, or UNSAFE for a defect.

    Args:
        grid: the neighbours.
        numbers: what each cell shows, ``EXPLODED`` for a mine; changed in place.
        cells: what is known in the end.
        mines: of the whole board.
        first: the cell that is opened first.
        kept: 1 for cells that must stay without mines.
        strength: as ``open_provable``.
        total: likewise.
        moves: scratch.
        reach: scratch.
        room: scratch, with the state of the random numbers; ``spent`` is all 0 for a new layout.
        more: changes until it pauses.
    """
    stack, spent = moves.stack, room.spent
    while True:
        if spent[IN_PLAY]:
            top = again(grid, cells, stack)
        else:
            cells.fill(UNKNOWN)
            spent[PLAYS] += 1
            top = note(grid, cells, first, False, stack, 0)
        done = open_provable(grid, numbers, cells, mines, strength, total, moves, reach, top)
        if done == UNSAFE:
            return UNSAFE
        if done == SOLVED:
            if spent[IN_PLAY] == 0:
                return SOLVED
            if spent[PLAYS] > 1 and spent[IN_PLAY] >= spent[FEWEST]:
                spent[FAILED] += 1
                if spent[FAILED] == _PATIENCE:
                    return GIVEN_UP
            else:
                spent[FEWEST] = spent[IN_PLAY]
            spent[IN_PLAY] = 0
            continue
        if more == 0:
            return PAUSED
        if not change(grid, numbers, cells, kept, room):
            return GIVEN_UP
        more -= 1
        spent[IN_PLAY] += 1
        spent[CHANGES] += 1


def change(grid: Grid, numbers: Bytes, cells: Bytes, kept: Bytes, room: Repair) -> bool:
    """Move mines where nothing follows; whether anything could be done."""
    clue = stuck_clue(grid, cells, room)
    if clue < 0:
        return open_wall(grid, numbers, cells, room)
    many = full = 0
    for cell in range(len(cells)):
        room.inside[cell] = kept[cell]
    for i in range(grid.degree[clue]):
        cell = grid.near[clue, i]
        if cells[cell] == UNKNOWN:
            room.set_cells[many] = cell
            many += 1
            full += numbers[cell] == EXPLODED
            room.inside[cell] = 1
    empty = many - full
    others = rank_others(grid, cells, room)
    gives = takes = at = 0
    while at < others and takes < full and gives < empty:
        if numbers[room.others[at]] == EXPLODED:
            gives += 1
        else:
            takes += 1
        at += 1
    fill = gives == empty
    if takes < full and not fill:
        # Neither does: one of the two as far as it goes.
        fill = gives > 0
        if not fill and takes == 0:
            return False
    moved = gives if fill else takes
    shuffle(room.set_cells, 0, many, room.draw)
    done = 0
    for i in range(many):
        cell = room.set_cells[i]
        if done < moved and (numbers[cell] == EXPLODED) != fill:
            put_mine(grid, numbers, cells, cell, fill)
            done += 1
    done = 0
    for i in range(at):
        cell = room.others[i]
        if done < moved and (numbers[cell] == EXPLODED) == fill:
            put_mine(grid, numbers, cells, cell, not fill)
            done += 1
    return True


def stuck_clue(grid: Grid, cells: Bytes, room: Repair) -> int:
    """One of the clues with unknown cells, by chance; -1 for none."""
    many = 0
    for cell in range(len(cells)):
        if cells[cell] > 0:
            for i in range(grid.degree[cell]):
                if cells[grid.near[cell, i]] == UNKNOWN:
                    room.others[many] = cell
                    many += 1
                    break
    return room.others[below(room.draw, many)] if many else -1


def rank_others(grid: Grid, cells: Bytes, room: Repair) -> int:
    """The cells that may take or give mines: unknown ones, those next to clues first, then others.

    Within a rank in random order. How many there are in ``room.others``.
    """
    many = 0
    for rank in range(3):
        start = many
        for cell in range(len(cells)):
            if room.inside[cell] or (cells[cell] == UNKNOWN) != (rank < 2):
                continue
            if rank < 2:
                frontier = False
                for i in range(grid.degree[cell]):
                    if cells[grid.near[cell, i]] > 0:
                        frontier = True
                        break
                if frontier != (rank == 0):
                    continue
            room.others[many] = cell
            many += 1
        shuffle(room.others, start, many, room.draw)
    return many


def open_wall(grid: Grid, numbers: Bytes, cells: Bytes, room: Repair) -> bool:
    """Open a way through mines to cells that no clue touches: one mine is moved behind them."""
    walls = behind = 0
    for cell in range(len(cells)):
        if cells[cell] == KNOWN_MINE:
            inner = outer = False
            for i in range(grid.degree[cell]):
                code = cells[grid.near[cell, i]]
                inner = inner or code == UNKNOWN
                outer = outer or code >= 0
            if inner and outer:
                room.others[walls] = cell
                walls += 1
        elif cells[cell] == UNKNOWN and numbers[cell] != EXPLODED:
            room.set_cells[behind] = cell
            behind += 1
    if not walls or not behind:
        return False
    wall = room.others[below(room.draw, walls)]
    cell = room.set_cells[below(room.draw, behind)]
    put_mine(grid, numbers, cells, wall, False)
    put_mine(grid, numbers, cells, cell, True)
    return True


def put_mine(grid: Grid, numbers: Bytes, cells: Bytes, cell: int, mine: bool) -> None:
    """Make a cell a mine, or free, in the layout and in what is known of it."""
    around = 0
    for i in range(grid.degree[cell]):
        other = grid.near[cell, i]
        if numbers[other] == EXPLODED:
            around += 1
        else:
            numbers[other] += 1 if mine else -1
            if cells[other] >= 0:
                cells[other] = numbers[other]
    numbers[cell] = EXPLODED if mine else around
    if cells[cell] != UNKNOWN:
        cells[cell] = KNOWN_MINE if mine else KNOWN_SAFE


def again(grid: Grid, cells: Bytes, stack: Ints) -> int:
    """Stack all that may lead on: cells to open, and clues with unknown cells."""
    top = 0
    for cell in range(len(cells)):
        if cells[cell] == KNOWN_SAFE:
            stack[top] = cell
            top += 1
        elif cells[cell] >= 0:
            for i in range(grid.degree[cell]):
                if cells[grid.near[cell, i]] == UNKNOWN:
                    stack[top] = cell
                    top += 1
                    break
    return top


def shuffle(items: Ints, start: int, end: int, draw: Ints) -> None:
    """Put a part of the items in random order."""
    for i in range(end - 1, start, -1):
        j = start + below(draw, i - start + 1)
        kept = items[i]
        items[i] = items[j]
        items[j] = kept


def below(draw: Ints, limit: int) -> int:
    """A random number from 0 to below ``limit``.

    Two multiplicative generators combined (L'Ecuyer, CACM 31, 1988): nothing exceeds 63 bits, so
    that machine code and plain Python agree.
    """
    draw[0] = draw[0] * 40014 % 2147483563
    draw[1] = draw[1] * 40692 % 2147483399
    return int((draw[0] - draw[1]) % 2147483562 % limit)
