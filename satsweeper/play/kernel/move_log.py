"""The log of proved moves: the cells that each opens, and the clues that force them."""

from typing import Final, NamedTuple

from satsweeper.play.kernel.arrays import Bytes, Ints, ints, octets
from satsweeper.play.kernel.clue_sets import (
    LISTED,
    MANY_CLUES,
    MANY_TARGETS,
    TARGETS,
    TOTAL,
    TRIAL,
    ClueQuestion,
)
from satsweeper.play.kernel.deduce import EXPLODED
from satsweeper.play.kernel.grid import KNOWN_MINE, Adjacency

CELLS_END, CLUES_END, LOGIC, BY_TOTAL, IRREDUCIBLE = range(5)
FIELDS: Final = 5
"""Columns of ``moves``: where the cells and clues of a move end in ``cells`` and ``clues``; the
logic by which the move follows from all earlier verdicts; whether the total is needed; whether no
clue can be left out."""

MOVES, POOLED, WAITING, PAIRED = range(4)
"""Places in ``made``: the numbers of moves, of clues in the ``pool``, of clues in the queue; and
the cell where the search for pairs of clues begins."""
REASON, REASON_END, QUEUE, QUEUED = range(4)
"""Rows of ``by_cell``: where the clues that prove a mine begin and end in the pool; the queue of
clues to look at; 1 for each cell whose clue is in the queue."""


class MoveLog(NamedTuple):
    """The moves, their ``cells`` and ``clues``, and scratch.

    Columns of ``moves``: see ``CELLS_END``; places in ``made``: see ``MOVES``; rows of ``by_cell``:
    see ``REASON``. ``bare``: the open cells alone, without proved mines. ``pool``: the clues that
    prove mines.
    """

    moves: Ints
    cells: Ints
    clues: Ints
    made: Ints
    bare: Bytes
    by_cell: Ints
    pool: Ints


def room_for_move_log(cells: int, clues: int) -> MoveLog:
    """Room for a board with ``cells`` cells, and ``clues`` clues in all of its moves."""
    return MoveLog(
        ints(cells + 1, FIELDS),
        ints(cells),
        ints(clues),
        ints(4),
        octets(cells),
        ints(4, cells),
        ints(clues),
    )


def note_mines(grid: Adjacency, cells: Bytes, log: MoveLog, question: ClueQuestion) -> bool:
    """Note the targets as mines, with the clues that prove them; False if there is no room."""
    many = question.values[MANY_CLUES]
    begin = log.made[POOLED]
    if begin + many > len(log.pool):
        return False
    for i in range(many):
        log.pool[begin + i] = question.lists[LISTED, i]
    log.made[POOLED] += many
    for i in range(question.values[MANY_TARGETS]):
        cell = question.lists[TARGETS, i]
        cells[cell] = KNOWN_MINE
        log.by_cell[REASON, cell] = begin
        log.by_cell[REASON_END, cell] = begin + many
        queue_clues(grid, cells, log, cell)
    return True


def open_targets(
    grid: Adjacency,
    numbers: Bytes,
    cells: Bytes,
    log: MoveLog,
    question: ClueQuestion,
    logic: int,
    sure: bool,
) -> bool:
    """Log a move and make it; False if there is no room, or a target is a mine, a defect."""
    move = log.made[MOVES]
    cells_end = log.moves[move - 1, CELLS_END] if move else 0
    clues_end = log.moves[move - 1, CLUES_END] if move else 0
    if clues_end + question.values[MANY_CLUES] > len(log.clues):
        return False
    for i in range(question.values[MANY_TARGETS]):
        log.cells[cells_end] = question.lists[TARGETS, i]
        cells_end += 1
    for i in range(question.values[MANY_CLUES]):
        log.clues[clues_end] = question.lists[LISTED, i]
        clues_end += 1
    log.moves[move, CELLS_END] = cells_end
    log.moves[move, CLUES_END] = clues_end
    log.moves[move, LOGIC] = logic
    log.moves[move, BY_TOTAL] = question.values[TOTAL] >= 0
    log.moves[move, IRREDUCIBLE] = sure
    log.made[MOVES] += 1
    for i in range(question.values[MANY_TARGETS]):
        if not open_cell(grid, numbers, cells, log, question.lists, question.lists[TARGETS, i]):
            return False
    return True


def open_cell(
    grid: Adjacency, numbers: Bytes, cells: Bytes, log: MoveLog, lists: Ints, cell: int
) -> bool:
    """Open a cell, and the area around it if it shows 0; False if there is a mine."""
    near, degree, stack = grid.near, grid.degree, lists[TRIAL]
    if numbers[cell] == EXPLODED:
        return False
    if cells[cell] >= 0:
        return True
    cells[cell] = numbers[cell]
    stack[0] = cell
    top = 1
    while top:
        top -= 1
        at = stack[top]
        log.bare[at] = cells[at]
        queue_clues(grid, cells, log, at)
        for i in range(degree[at]):
            other = near[at, i]
            if cells[at] == 0 and cells[other] < 0:
                cells[other] = numbers[other]
                stack[top] = other
                top += 1
    return True


def queue_clues(grid: Adjacency, cells: Bytes, log: MoveLog, cell: int) -> None:
    """Put the clues of ``cell`` and of its neighbours into the queue."""
    for i in range(-1, grid.degree[cell]):
        clue = cell if i < 0 else grid.near[cell, i]
        if cells[clue] > 0 and not log.by_cell[QUEUED, clue]:
            log.by_cell[QUEUED, clue] = 1
            log.by_cell[QUEUE, log.made[WAITING]] = clue
            log.made[WAITING] += 1
