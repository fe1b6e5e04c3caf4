"""Layouts changed where a logic is stuck, until the logic solves them from the first click on.

The method is that of Simon Tatham's Mines, described in words. Where the logic proves no further
cell, the unknown cells around one clue are all emptied, or all filled with mines, and equally many
mines are moved to, or taken from, cells elsewhere, so that the total stays. The play continues;
once the board is solved, it is played again from the start, until one play ends without any change.
The resulting layouts are not equally likely, because changes favour layouts that the logic solves.
"""

from typing import Final, NamedTuple

from satsweeper.play.kernel.certain import (
    EXPLODED,
    UNSAFE,
    WON,
    CertainCells,
    Moves,
    note,
    open_provable,
)
from satsweeper.play.kernel.compiled import compiled
from satsweeper.play.kernel.grid import (
    KNOWN_MINE,
    KNOWN_SAFE,
    UNKNOWN,
    Adjacency,
    Bytes,
    Ints,
    has_unknown,
    ints,
    is_inside,
    octets,
)

GIVEN_UP: Final = 0
"""Result: the changes did not become fewer, or no change was possible."""
PAUSED: Final = 2
"""Result: the allowed number of changes has been made; a further call continues the repair."""

_PATIENCE: Final = 3
"""The number of plays without a new least number of changes after which a layout is given up."""

CHANGES, PLAYS, IN_PLAY, FEWEST, FAILED = range(5)
"""Places in ``spent``: the changes of all plays; the number of plays; the changes of this play; the
fewest changes of any finished play; the number of finished plays that did not lower the fewest."""


class Repair(NamedTuple):
    """Scratch: ``set_cells`` are to be emptied or filled, ``others`` may take or give mines.

    ``inside``: 1 for cells that must not be in ``others``. ``draw``: the state of the generator of
    random numbers. Places in ``spent``: see ``CHANGES``.
    """

    set_cells: Ints
    others: Ints
    inside: Bytes
    draw: Ints
    spent: Ints


def room_for_repair(cells: int) -> Repair:
    """Scratch for a board with ``cells`` cells."""
    return Repair(ints(cells), ints(cells), octets(cells), ints(2), ints(5))


@compiled
def repair(
    grid: Adjacency,
    numbers: Bytes,
    cells: Bytes,
    mines: int,
    first: int,
    kept: Bytes,
    strength: int,
    total: bool,
    moves: Moves,
    certain: CertainCells,
    room: Repair,
    more: int,
) -> int:
    """Change a layout until it is solved: WON, PAUSED, GIVEN_UP, or UNSAFE for a defect.

    Args:
        grid: the neighbours.
        numbers: the clue of each cell of the layout, ``EXPLODED`` for a mine; changed in place.
        cells: the code of what is known of each cell; between two calls, the state of the play.
        mines: the number of mines of the whole board.
        first: the cell that is opened first.
        kept: 1 for cells that must stay without mines.
        strength: as for ``open_provable``.
        total: as for ``open_provable``.
        moves: scratch.
        certain: scratch.
        room: scratch, with the state of the generator; ``spent`` is all 0 for a new layout.
        more: the number of changes after which to pause.
    """
    stack, spent = moves.stack, room.spent
    while True:
        if spent[IN_PLAY]:
            # The play continues after a change, which may let any clue with unknown cells decide,
            # and which turned known mines that were moved away into KNOWN_SAFE cells to open.
            top = 0
            for cell in range(len(cells)):
                code = cells[cell]
                if code == KNOWN_SAFE or (code >= 0 and has_unknown(grid, cells, cell)):
                    stack[top] = cell
                    top += 1
        else:
            cells.fill(UNKNOWN)
            spent[PLAYS] += 1
            top = note(grid, cells, first, False, stack, 0)
        done = open_provable(grid, numbers, cells, mines, strength, total, moves, certain, top)
        if done == UNSAFE:
            return UNSAFE
        if done == WON:
            if spent[IN_PLAY] == 0:
                return WON
            # The board is solved, but moves before a change were proved for another layout: play
            # the final layout from the start.
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


def change(grid: Adjacency, numbers: Bytes, cells: Bytes, kept: Bytes, room: Repair) -> bool:
    """Move mines where the logic is stuck; return False if no change is possible."""
    # A random clue among those with unknown cells.
    many = 0
    for cell in range(len(cells)):
        if cells[cell] > 0 and has_unknown(grid, cells, cell):
            room.others[many] = cell
            many += 1
    if not many:
        return open_wall(grid, numbers, cells, room)
    clue = room.others[below(room.draw, many)]
    # The unknown cells around the clue, and how many of them are mines.
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
    # To fill the cells around the clue, cells elsewhere must give ``empty`` mines; to empty the
    # cells around the clue, cells elsewhere must take ``full`` mines. The ranked cells are taken in
    # order until either becomes possible.
    gives = takes = at = 0
    while at < others and takes < full and gives < empty:
        if numbers[room.others[at]] == EXPLODED:
            gives += 1
        else:
            takes += 1
        at += 1
    fill = gives == empty
    if takes < full and not fill:
        # Neither is possible in full: fill as far as possible, or else empty as far as possible.
        fill = gives > 0
        if not fill and takes == 0:
            return False
    # ``moved`` mines change sides, so that the total of the board stays.
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


def rank_others(grid: Adjacency, cells: Bytes, room: Repair) -> int:
    """List cells that may take or give mines: the frontier, then the interior, then known cells.

    The cells of each of these three ranks are in random order. Returns the number of cells in
    ``room.others``.
    """
    many = 0
    for rank in range(3):
        start = many
        for cell in range(len(cells)):
            if room.inside[cell] or (cells[cell] == UNKNOWN) != (rank < 2):
                continue
            # No open 0 has unknown neighbours here: the clues beside a frontier cell are above 0.
            if rank < 2 and is_inside(grid, cells, cell) != (rank == 1):
                continue
            room.others[many] = cell
            many += 1
        shuffle(room.others, start, many, room.draw)
    return many


def open_wall(grid: Adjacency, numbers: Bytes, cells: Bytes, room: Repair) -> bool:
    """Open a way to unknown cells that only known mines separate from the open cells.

    One of these mines is moved to a free unknown cell. Returns False if there is no such mine or no
    such cell.
    """
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


def put_mine(grid: Adjacency, numbers: Bytes, cells: Bytes, cell: int, mine: bool) -> None:
    """Make a cell a mine, or free, in ``numbers``, and correct what is known in ``cells``."""
    # Invariant: ``numbers`` holds the mines of a layout and the clues of its free cells, and every
    # open cell has in ``cells`` the clue in ``numbers``.
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


def shuffle(items: Ints, start: int, end: int, draw: Ints) -> None:
    """Put ``items[start:end]`` in random order."""
    for i in range(end - 1, start, -1):
        j = start + below(draw, i - start + 1)
        kept = items[i]
        items[i] = items[j]
        items[j] = kept


def below(draw: Ints, limit: int) -> int:
    """A random number from 0 to ``limit - 1``.

    The generator combines two multiplicative generators (L'Ecuyer, CACM 31, 1988). No product
    exceeds 63 bits, so that machine code and plain Python give equal numbers.
    """
    draw[0] = draw[0] * 40014 % 2147483563
    draw[1] = draw[1] * 40692 % 2147483399
    return int((draw[0] - draw[1]) % 2147483562 % limit)
