"""Moves that are proved, written down and made: the cells, and the clues that force them."""

from typing import Final, NamedTuple

from satsweeper.play.kernel.arrays import Bytes, Ints, ints, octets
from satsweeper.play.kernel.deduce import EXPLODED
from satsweeper.play.kernel.forced import (
    CLUES,
    MANY_CLUES,
    MANY_TARGETS,
    TARGETS,
    TOTAL,
    TRIAL,
    Asked,
)
from satsweeper.play.kernel.grid import KNOWN_MINE, Grid

CELLS_END, CLUES_END, LOGIC, BY_TOTAL, IRREDUCIBLE = range(5)
FIELDS: Final = 5
"""Of a move: where its cells and clues end in ``cells`` and ``clues``, by which logic it follows
from what was proved before, whether the total is needed, whether no clue can be left out."""

MOVES, POOLED, WAITING, PAIRED = range(4)
"""Places in ``made``: how many moves there are, clues in the ``pool``, clues to look at; and where
to look for pairs of clues first."""
REASON, REASON_END, QUEUE, QUEUED = range(4)
"""Rows of ``by_cell``: where the clues that prove a mine begin and end in the pool; the clues to
look at; 1 for each cell whose clue is one of them."""


class Proof(NamedTuple):
    """The moves, and what is needed on the way. ``bare``: what is known, the open cells alone."""

    moves: Ints
    cells: Ints
    clues: Ints
    made: Ints
    bare: Bytes
    by_cell: Ints
    pool: Ints


def room_for_proof(cells: int, clues: int) -> Proof:
    """Room for a board with so many cells, and so many clues in all of its moves."""
    return Proof(
        ints(cells + 1, FIELDS),
        ints(cells),
        ints(clues),
        ints(4),
        octets(cells),
        ints(4, cells),
        ints(clues),
    )


def note_mines(grid: Grid, cells: Bytes, proof: Proof, asked: Asked) -> bool:
    """Note the targets as mines, with the clues that prove it; False if there is no room."""
    many = asked.said[MANY_CLUES]
    begin = proof.made[POOLED]
    if begin + many > len(proof.pool):
        return False
    for i in range(many):
        proof.pool[begin + i] = asked.lists[CLUES, i]
    proof.made[POOLED] += many
    for i in range(asked.said[MANY_TARGETS]):
        cell = asked.lists[TARGETS, i]
        cells[cell] = KNOWN_MINE
        proof.by_cell[REASON, cell] = begin
        proof.by_cell[REASON_END, cell] = begin + many
        look_around(grid, cells, proof, cell)
    return True


def open_targets(
    grid: Grid, numbers: Bytes, cells: Bytes, proof: Proof, asked: Asked, logic: int, sure: bool
) -> bool:
    """Write a move down and make it; False if there is no room, or a mine, which is a defect."""
    move = proof.made[MOVES]
    cells_end = proof.moves[move - 1, CELLS_END] if move else 0
    clues_end = proof.moves[move - 1, CLUES_END] if move else 0
    if clues_end + asked.said[MANY_CLUES] > len(proof.clues):
        return False
    for i in range(asked.said[MANY_TARGETS]):
        proof.cells[cells_end] = asked.lists[TARGETS, i]
        cells_end += 1
    for i in range(asked.said[MANY_CLUES]):
        proof.clues[clues_end] = asked.lists[CLUES, i]
        clues_end += 1
    proof.moves[move, CELLS_END] = cells_end
    proof.moves[move, CLUES_END] = clues_end
    proof.moves[move, LOGIC] = logic
    proof.moves[move, BY_TOTAL] = asked.said[TOTAL] >= 0
    proof.moves[move, IRREDUCIBLE] = sure
    proof.made[MOVES] += 1
    for i in range(asked.said[MANY_TARGETS]):
        if not open_cell(grid, numbers, cells, proof, asked.lists, asked.lists[TARGETS, i]):
            return False
    return True


def open_cell(
    grid: Grid, numbers: Bytes, cells: Bytes, proof: Proof, lists: Ints, cell: int
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
        proof.bare[at] = cells[at]
        look_around(grid, cells, proof, at)
        for i in range(degree[at]):
            other = near[at, i]
            if cells[at] == 0 and cells[other] < 0:
                cells[other] = numbers[other]
                stack[top] = other
                top += 1
    return True


def look_around(grid: Grid, cells: Bytes, proof: Proof, cell: int) -> None:
    """Have the clues of a cell and of those around it looked at again."""
    for i in range(-1, grid.degree[cell]):
        clue = cell if i < 0 else grid.near[cell, i]
        if cells[clue] > 0 and not proof.by_cell[QUEUED, clue]:
            proof.by_cell[QUEUED, clue] = 1
            proof.by_cell[QUEUE, proof.made[WAITING]] = clue
            proof.made[WAITING] += 1
