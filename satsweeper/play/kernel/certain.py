"""All certain moves, in a game until a guess is needed, or on a board as far as a logic proves.

In a game rules come first, then counts of layouts. The rules are the two single-clue rules, and the
rule of two clues. No rule reads the layout of the game (``numbers``): only opening a cell does, for
the clue of the cell. A *stack* holds covered cells to open and clues to look at. Each cell is
pushed once as a covered cell, and as a clue once or twice for each of its at most 8 neighbours that
becomes known: 17 entries a cell are enough.
"""

from typing import Final, NamedTuple

from satsweeper.play.kernel.boxes import BOXES, FIRST, FOUND, NEXT_CELL, REGION_OF
from satsweeper.play.kernel.chances import (
    INSIDE_FREE,
    INSIDE_MINE,
    Workspace,
    box_chance,
    count_position,
    find_chances,
    mix_position,
    room_for_work,
    share,
)
from satsweeper.play.kernel.compiled import compiled
from satsweeper.play.kernel.grid import (
    DONE,
    IMPOSSIBLE,
    KNOWN_MINE,
    KNOWN_SAFE,
    NO_ROOM,
    UNKNOWN,
    Adjacency,
    Bytes,
    Floats,
    Ints,
    ints,
    is_inside,
    octets,
    touches,
)
from satsweeper.play.kernel.sweep import BOX_AT, LENGTH

STUCK: Final = 0
"""No cell is certain to be safe: a guess is needed."""
WON: Final = 1
"""Every cell without a mine is open."""
EXPLODED: Final = 9
"""The entry of a mine in ``numbers``, the array of a layout, in place of a clue."""
UNSAFE: Final = -2
"""Return code if a cell that was proved safe is a mine: a defect."""
STACK: Final = 17
"""Entries of a stack for each cell of the board."""

WIDTH: Final = 7
"""The side of a square around a clue, in cells: the square holds the neighbours of the clue and of
every other clue that shares a neighbour with the clue."""


class Moves(NamedTuple):
    """Scratch of a game.

    ``stack``: covered cells to open and clues to look at. ``seen`` and ``needs``: see
    ``two_clues``. ``work``: for counting layouts.
    """

    stack: Ints
    seen: Ints
    needs: Bytes
    work: Workspace


def room_for_moves(cells: int) -> Moves:
    """Scratch for a board with ``cells`` cells."""
    return Moves(ints(STACK * cells + 1), ints(cells), octets(cells), room_for_work(cells))


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
    """Open a cell, then all certain cells, until none is: STUCK, WON, NO_ROOM or UNSAFE.

    Args:
        grid: the neighbours.
        numbers: the clue of each cell of the layout, ``EXPLODED`` for a mine.
        cells: the code of what is known of each cell, changed in place.
        mines: the number of mines of the whole board.
        first: a cell without a mine to open at the beginning, or -1.
        moves: scratch.
        chances: the chance of a mine in each unknown cell, filled if a guess is needed.

    Returns ``UNSAFE`` if a cell that was proved safe is a mine: a defect.
    """
    stack = moves.stack
    top = 0
    if first >= 0:
        top = note(grid, cells, first, False, stack, 0)
    # Each round begins with the cheapest rule, and ends with the first rule that decides a cell.
    while True:
        if settle(grid, numbers, cells, stack, top) == UNSAFE:
            return UNSAFE
        top = two_clues(grid, cells, moves.seen, moves.needs, stack)
        if top:
            continue
        done = find_chances(grid, cells, mines, moves.work, chances)
        if done != DONE:
            # ``numbers`` is a layout that fits every clue and every sound conclusion, so that
            # IMPOSSIBLE is the effect of an unsound conclusion.
            return UNSAFE if done == IMPOSSIBLE else NO_ROOM
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


def settle(grid: Adjacency, numbers: Bytes, cells: Bytes, stack: Ints, top: int) -> int:
    """Open the cells on the stack and all that follow by single clues; return how many.

    Args:
        grid: the neighbours.
        numbers: the clue of each cell of the layout, ``EXPLODED`` for a mine.
        cells: the code of what is known of each cell, changed in place.
        stack: covered cells to open, all known to be safe, and clues to look at.
        top: the number of entries of ``stack``.

    Returns ``UNSAFE`` if a cell to be opened is a mine.
    """
    near, degree = grid.near, grid.degree
    opened = 0
    # Every change around a clue puts the clue on the stack again: a new mine at once (``note``), a
    # safe cell when it is opened. So an empty stack means that no clue is left to look at again.
    while top:
        top -= 1
        at = stack[top]
        if cells[at] < 0:
            if cells[at] == KNOWN_MINE or numbers[at] == EXPLODED:
                return UNSAFE
            # ``at`` was proved to be safe. Opening the cell leaves the clues around with one
            # unknown neighbour fewer, so they are looked at again.
            cells[at] = numbers[at]
            opened += 1
            for i in range(degree[at]):
                if cells[near[at, i]] > 0:
                    stack[top] = near[at, i]
                    top += 1
        # ``at`` is an open cell here. The clue says that ``need`` of its ``unknown`` unknown
        # neighbours are mines, so it decides all of them if ``need`` is 0 or ``unknown``.
        unknown = 0
        need = int(cells[at])
        for i in range(degree[at]):
            code = cells[near[at, i]]
            if code == UNKNOWN:
                unknown += 1
            elif code == KNOWN_MINE:
                need -= 1
        if unknown and (need == 0 or need == unknown):
            for i in range(degree[at]):
                if cells[near[at, i]] == UNKNOWN:
                    top = note(grid, cells, near[at, i], need != 0, stack, top)
    return opened


def note(grid: Adjacency, cells: Bytes, cell: int, mine: bool, stack: Ints, top: int) -> int:
    """Note an unknown cell as a mine or as safe, push its consequences; return the new top."""
    if not mine:
        cells[cell] = KNOWN_SAFE
        stack[top] = cell
        return top + 1
    cells[cell] = KNOWN_MINE
    for i in range(grid.degree[cell]):
        if cells[grid.near[cell, i]] > 0:
            stack[top] = grid.near[cell, i]
            top += 1
    return top


def two_clues(grid: Adjacency, cells: Bytes, seen: Ints, needs: Bytes, stack: Ints) -> int:
    """Note and push the cells decided by any two clues; return the top of the stack, 0 for none.

    Let a clue a need n mines more than a clue b. If exactly n unknown cells touch a and not b, then
    these cells are mines, and the cells that touch b and not a are safe.

    Args:
        grid: the neighbours.
        cells: the code of what is known of each cell, changed in place.
        seen: scratch; ``seen[clue]`` are the unknown cells around a clue, as bits of a square.
        needs: scratch; ``needs[clue]`` is the number of mines among these unknown cells.
        stack: an array without entries in use.
    """
    see_clues(grid, cells, seen, needs)
    columns = grid.columns
    rows = len(cells) // columns
    top = 0
    for a in range(len(cells)):
        if not seen[a]:
            continue
        row, column = a // columns, a % columns
        own = seen[a] << (2 * WIDTH + 2)
        for r in range(max(row - 2, 0), min(row + 3, rows)):
            for c in range(max(column - 2, 0), min(column + 3, columns)):
                b = r * columns + c
                if not seen[b] or b == a:
                    continue
                # ``own`` and ``other`` are the cells of a and of b as bits of the square around a.
                # The common cells count for both clues, so the cells of a alone hold ``more`` mines
                # more than the cells of b alone. If a alone has ``more`` cells, all of them are
                # mines, and b alone has no mine.
                #
                # ``seen`` and ``needs`` stay those of before the first conclusion: both clues still
                # hold for these sets of cells, and ``note_all`` skips cells that are known by now.
                other = seen[b] << ((r - row + 2) * WIDTH + c - column + 2)
                alone = own & ~other
                more = needs[a] - needs[b]
                if not own & other or more < 0 or more != bits_of(alone):
                    continue
                top = note_all(grid, cells, alone, a, True, stack, top)
                top = note_all(grid, cells, other & ~own, a, False, stack, top)
    return top


def see_clues(grid: Adjacency, cells: Bytes, seen: Ints, needs: Bytes) -> None:
    """Fill ``seen`` and ``needs`` of ``two_clues``; ``seen`` of other cells than clues is 0."""
    near, degree, columns = grid.near, grid.degree, grid.columns
    for clue in range(len(cells)):
        seen[clue] = 0
        if cells[clue] <= 0:
            continue
        need = int(cells[clue])
        bits = 0
        row, column = clue // columns, clue % columns
        for i in range(degree[clue]):
            cell = near[clue, i]
            if cells[cell] == UNKNOWN:
                down, right = cell // columns - row, cell % columns - column
                bits |= 1 << ((down + 1) * WIDTH + right + 1)
            elif cells[cell] == KNOWN_MINE:
                need -= 1
        seen[clue] = bits
        needs[clue] = need


def bits_of(bits: int) -> int:
    """The number of bits that are set."""
    many = 0
    while bits:
        bits &= bits - 1
        many += 1
    return many


def note_all(
    grid: Adjacency, cells: Bytes, bits: int, centre: int, mine: bool, stack: Ints, top: int
) -> int:
    """Note the unknown cells among ``bits`` of the square around ``centre``; return the new top."""
    at = 0
    while bits:
        if bits & 1:
            down, right = at // WIDTH - 3, at % WIDTH - 3
            cell = centre + down * grid.columns + right
            if cells[cell] == UNKNOWN:
                top = note(grid, cells, cell, mine, stack, top)
        bits >>= 1
        at += 1
    return top


# The closure of a position under a logic: all cells that the logic proves safe are opened, until
# the logic proves no further cell.

SINGLE_CLUE: Final = 1
SUBSET: Final = 2
COMPLETE: Final = 3
"""Strengths of a logic: single clues; also pairs of clues; every logical consequence."""


class CertainCells(NamedTuple):
    """Cells that were found certain; ``is_mine[i]``: 1 if the cell ``found[i]`` is a mine, else 0.

    The functions that fill both arrays return the number of cells.
    """

    found: Ints
    is_mine: Bytes


def room_for_certain(cells: int) -> CertainCells:
    """Room for a board with ``cells`` cells."""
    return CertainCells(ints(cells), octets(cells))


@compiled
def open_provable(
    grid: Adjacency,
    numbers: Bytes,
    cells: Bytes,
    mines: int,
    strength: int,
    total: bool,
    moves: Moves,
    certain: CertainCells,
    top: int,
) -> int:
    """Open the cells on the stack of ``moves`` and all that are proved: STUCK, WON or UNSAFE.

    Args:
        grid: the neighbours.
        numbers: the clue of each cell of the layout, ``EXPLODED`` for a mine.
        cells: the code of what is known of each cell, changed in place.
        mines: the number of mines of the whole board.
        strength: SINGLE_CLUE, SUBSET or COMPLETE.
        total: whether the total may be used.
        moves: scratch, whose stack holds the cells to open and the clues to look at.
        certain: scratch.
        top: the number of entries of the stack.

    Returns ``UNSAFE`` if a cell that was proved safe is a mine: a defect.
    """
    stack = moves.stack
    while True:
        if settle(grid, numbers, cells, stack, top) < 0:
            return UNSAFE
        if is_solved(cells, mines):
            return WON
        top = 0
        if strength >= SUBSET:
            top = two_clues(grid, cells, moves.seen, moves.needs, stack)
        # Counting layouts takes the most time, so the cheaper rules must have decided no cell.
        if not top and strength == COMPLETE:
            many = certain_cells(grid, cells, mines, total, moves.work, certain)
            for i in range(many):
                top = note(grid, cells, certain.found[i], certain.is_mine[i] != 0, stack, top)
        elif not top and total:
            many = safe_by_total(grid, cells, mines, strength, certain)
            for i in range(many):
                top = note(grid, cells, certain.found[i], False, stack, top)
        if not top:
            return STUCK


def is_solved(cells: Bytes, mines: int) -> bool:
    """Whether every cell without a mine is open."""
    closed = 0
    for cell in range(len(cells)):
        closed += cells[cell] < 0
    return closed == mines


@compiled
def certain_cells(
    grid: Adjacency, cells: Bytes, mines: int, total: bool, work: Workspace, certain: CertainCells
) -> int:
    """Find the cells that are certain without the total; if none is, those safe by the total.

    Returns the number of cells in ``certain.found``; 0 also if a region is too wide to be counted.
    """
    boxes, counts = work.boxes, work.counts
    if count_position(grid, cells, work) != DONE:
        return 0
    many = 0
    for box in range(boxes.ints[FOUND, BOXES]):
        verdict = certain_box(work, box)
        if verdict >= 0:
            many = add_box(work, box, verdict, certain, many)
    # Cells that are certain without the total come first, so that a move uses the total only where
    # no cell is certain without.
    if many or not total:
        return many
    if mix_position(cells, mines, work) != DONE:
        return 0
    for box in range(boxes.ints[FOUND, BOXES]):
        if box_chance(boxes, counts, work.mixed, box) == 0.0:
            many = add_box(work, box, 0, certain, many)
    if share(work.mixed.sums[INSIDE_MINE], work.mixed.sums[INSIDE_FREE]) == 0.0:
        for cell in range(len(cells)):
            if cells[cell] == UNKNOWN and is_inside(grid, cells, cell):
                certain.found[many] = cell
                certain.is_mine[many] = 0
                many += 1
    return many


def certain_box(work: Workspace, box: int) -> int:
    """The verdict on ``box`` by its region's layouts of any total: 1 mines, 0 safe, -1 neither."""
    # The sums are 0 exactly if no layout of the region has a mine in a given cell of the box, or
    # leaves the cell free.
    counts = work.counts
    at, length = counts.ints[BOX_AT, box], counts.ints[LENGTH, work.boxes.ints[REGION_OF, box]]
    mine = free = 0.0
    for m in range(length):
        mine += counts.pool[at + m]
        free += counts.pool[at + length + m]
    if mine == 0.0:
        return 0
    return 1 if free == 0.0 else -1


def add_box(work: Workspace, box: int, mine: int, certain: CertainCells, many: int) -> int:
    """Append the cells of ``box`` to the ``many`` cells found; return the new number of cells."""
    cell = work.boxes.ints[FIRST, box]
    while cell >= 0:
        certain.found[many] = cell
        certain.is_mine[many] = mine
        many += 1
        cell = work.boxes.ints[NEXT_CELL, cell]
    return many


def safe_by_total(
    grid: Adjacency, cells: Bytes, mines: int, strength: int, certain: CertainCells
) -> int:
    """Find cells that are safe if the total is used like a clue, by a logic of ``strength``.

    If all mines are known, all unknown cells are safe. For SUBSET also: if one clue needs all mines
    that are not known yet, all unknown cells are safe but the neighbours of the clue. Returns the
    number of cells in ``certain.found``.
    """
    # The total says that ``left`` of all unknown cells are mines.
    left = mines
    for cell in range(len(cells)):
        left -= cells[cell] == KNOWN_MINE
    if left == 0:
        return add_others(grid, cells, -1, certain)
    if strength < SUBSET:
        return 0
    many = 0
    for clue in range(len(cells)):
        if cells[clue] > 0:
            need = int(cells[clue])
            for i in range(grid.degree[clue]):
                need -= cells[grid.near[clue, i]] == KNOWN_MINE
            if need == left:
                many = add_others(grid, cells, clue, certain)
                if many:
                    break
    return many


def add_others(grid: Adjacency, cells: Bytes, clue: int, certain: CertainCells) -> int:
    """List all unknown cells as safe that are no neighbours of ``clue``; return their number.

    ``clue`` is -1 to list all unknown cells.
    """
    many = 0
    for cell in range(len(cells)):
        if cells[cell] == UNKNOWN and not (clue >= 0 and touches(grid, clue, cell)):
            certain.found[many] = cell
            certain.is_mine[many] = 0
            many += 1
    return many
