"""The closure of a position under a logic: all cells proved safe are opened, until none is.

Cells that are certain without the total are always found before the total is used, so that a move
that uses the total needs it.
"""

from typing import Final, NamedTuple

from satsweeper.play.kernel.boxes import BOXES, FIRST, FOUND, NEXT_CELL, REGION_OF
from satsweeper.play.kernel.certain import STUCK, UNSAFE, WON, Moves, note, settle, two_clues
from satsweeper.play.kernel.chances import (
    INSIDE_FREE,
    INSIDE_MINE,
    Workspace,
    box_chance,
    count_position,
    mix_position,
    share,
)
from satsweeper.play.kernel.compiled import compiled
from satsweeper.play.kernel.grid import (
    DONE,
    KNOWN_MINE,
    UNKNOWN,
    Adjacency,
    Bytes,
    Ints,
    ints,
    is_inside,
    octets,
    touches,
)
from satsweeper.play.kernel.sweep import BOX_AT, LENGTH

SINGLE_CLUE: Final = 1
SUBSET: Final = 2
COMPLETE: Final = 3
"""Strengths of a logic: one clue at a time, also two clues, or everything that follows."""


class CertainCells(NamedTuple):
    """Cells that were found certain, ``found[:many]``; ``is_mine[i]``: whether each is a mine."""

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
        numbers: what each cell shows once it is open, ``EXPLODED`` for a mine.
        cells: what is known, changed in place.
        mines: of the whole board.
        strength: SINGLE_CLUE, SUBSET or COMPLETE.
        total: whether the total may be used.
        moves: scratch.
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
        # Counting is the dearest and comes only when no cheaper rule has found anything.
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
    """Find the cells that are certain without the total; if there are none, cells safe by it.

    Returns the number of cells in ``certain.found``; 0 also where a region is too wide.
    """
    boxes, counts = work.boxes, work.counts
    if count_position(grid, cells, work) != DONE:
        return 0
    many = 0
    for box in range(boxes.ints[FOUND, BOXES]):
        verdict = certain_box(work, box)
        if verdict >= 0:
            many = add_box(work, box, verdict, certain, many)
    # See the head of this file: what is certain without the total comes first.
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
    """Add the cells of ``box`` to the ``many`` cells found; return the number of cells then."""
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
    """Find cells that the total makes safe, taken as one clue more of ``strength``.

    If all mines are known, all unknown cells are safe; for SUBSET, if a clue has all mines that are
    left, all cells but those of the clue. Returns the number of cells in ``certain.found``.
    """
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
    """Find all unknown cells safe, but those around ``clue`` if it is not -1; return how many."""
    many = 0
    for cell in range(len(cells)):
        if cells[cell] == UNKNOWN and not (clue >= 0 and touches(grid, clue, cell)):
            certain.found[many] = cell
            certain.is_mine[many] = 0
            many += 1
    return many
