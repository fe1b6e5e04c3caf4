"""Moves that are proved, written down and made: the cells, and the clues that force them.

The clues of a move force its cells by themselves, with every covered cell taken for unknown: mines
that were proved before bring the clues that prove them.
"""

from typing import Final, NamedTuple

import numpy as np

from satsweeper.play.kernel.compiled import compiled
from satsweeper.play.kernel.deduce import EXPLODED
from satsweeper.play.kernel.forced import (
    CLUES,
    TARGETS,
    Question,
    add_clue,
    room_for_question,
    shrink,
    unmark,
)
from satsweeper.play.kernel.grid import KNOWN_MINE, Bytes, Grid, Ints, ints
from satsweeper.play.kernel.reach import Reach, room_for_reach

CELLS_END, CLUES_END, LOGIC, BY_TOTAL, IRREDUCIBLE = range(5)
FIELDS: Final = 5
"""Of a move: where its cells and clues end in ``cells`` and ``clues``, by which logic it follows
from what was proved before, whether the total is needed, whether no clue can be left out."""


class Proof(NamedTuple):
    """The moves, ``made[0]`` in number, and scratch.

    ``bare``: the open cells alone. ``reason``: by proved mine, where its clues begin and end in
    ``pool``, filled up to ``made[1]``. ``queue``: clues to look at.
    """

    moves: Ints
    cells: Ints
    clues: Ints
    made: Ints
    bare: Bytes
    chosen: Bytes
    waiting: Bytes
    queue: Ints
    reason: Ints
    pool: Ints
    question: Question
    reach: Reach


def room_for_proof(cells: int, clues: int) -> Proof:
    """Room for a board with so many cells, and so many clues in all of its moves."""
    return Proof(
        ints(cells + 1, FIELDS),
        ints(cells),
        ints(clues),
        ints(3),
        np.zeros(cells, np.int8),
        np.zeros(cells, np.int8),
        np.zeros(cells, np.int8),
        ints(cells),
        ints(cells, 2),
        ints(clues),
        room_for_question(cells),
        room_for_reach(cells),
    )


@compiled
def add_reason(proof: Proof, mine: int) -> None:
    """Put the clues that prove a mine into the list."""
    for i in range(proof.reason[mine, 0], proof.reason[mine, 1]):
        add_clue(proof.question, proof.chosen, proof.pool[i])


@compiled
def conclude(
    grid: Grid, numbers: Bytes, cells: Bytes, proof: Proof, value: int, logic: int
) -> bool:
    """Note the targets, by the clues in the list and what proves the mines that they touch."""
    asked = proof.question
    own = asked.many[CLUES]
    for i in range(own):
        clue = asked.clues[i]
        for j in range(grid.degree[clue]):
            if cells[grid.near[clue, j]] == KNOWN_MINE:
                add_reason(proof, grid.near[clue, j])
    unmark(asked, proof.chosen)
    sure = True
    if asked.many[CLUES] > 1:
        sure = shrink(grid, proof.bare, -1, asked, value)
    if not value:
        return open_targets(grid, numbers, cells, proof, logic, False, sure)
    begin = proof.made[1]
    end = begin + asked.many[CLUES]
    if end > len(proof.pool):
        return False
    for i in range(asked.many[CLUES]):
        proof.pool[begin + i] = asked.clues[i]
    proof.made[1] = end
    asked.many[CLUES] = 0
    for i in range(asked.many[TARGETS]):
        cell = asked.targets[i]
        cells[cell] = KNOWN_MINE
        proof.reason[cell, 0] = begin
        proof.reason[cell, 1] = end
        look_around(grid, cells, proof, cell)
    return True


@compiled
def open_targets(
    grid: Grid,
    numbers: Bytes,
    cells: Bytes,
    proof: Proof,
    logic: int,
    total: bool,
    sure: bool,
) -> bool:
    """Write a move down and make it; the list of clues is empty then."""
    asked = proof.question
    move = proof.made[0]
    cells_end = proof.moves[move - 1, CELLS_END] if move else 0
    clues_end = proof.moves[move - 1, CLUES_END] if move else 0
    if clues_end + asked.many[CLUES] > len(proof.clues):
        return False
    for i in range(asked.many[TARGETS]):
        proof.cells[cells_end] = asked.targets[i]
        cells_end += 1
    for i in range(asked.many[CLUES]):
        proof.clues[clues_end] = asked.clues[i]
        clues_end += 1
    asked.many[CLUES] = 0
    proof.moves[move, CELLS_END] = cells_end
    proof.moves[move, CLUES_END] = clues_end
    proof.moves[move, LOGIC] = logic
    proof.moves[move, BY_TOTAL] = total
    proof.moves[move, IRREDUCIBLE] = sure
    proof.made[0] += 1
    opened = True
    for i in range(asked.many[TARGETS]):
        opened = opened and open_cell(grid, numbers, cells, proof, asked.targets[i])
    return opened


@compiled
def open_cell(grid: Grid, numbers: Bytes, cells: Bytes, proof: Proof, cell: int) -> bool:
    """Open a cell, and the area around it if it shows 0; False if there is a mine: a defect."""
    stack = proof.reach.moves.stack
    stack[0] = cell
    top = 1
    while top:
        top -= 1
        at = stack[top]
        if cells[at] >= 0:
            continue
        if numbers[at] == EXPLODED:
            return False
        cells[at] = numbers[at]
        proof.bare[at] = numbers[at]
        look_around(grid, cells, proof, at)
        if numbers[at] == 0:
            for i in range(grid.degree[at]):
                if cells[grid.near[at, i]] < 0:
                    stack[top] = grid.near[at, i]
                    top += 1
        else:
            put_into_queue(proof, at)
    return True


@compiled
def look_around(grid: Grid, cells: Bytes, proof: Proof, cell: int) -> None:
    """Have the clues around a cell looked at again."""
    for i in range(grid.degree[cell]):
        if cells[grid.near[cell, i]] > 0:
            put_into_queue(proof, grid.near[cell, i])


@compiled
def put_into_queue(proof: Proof, clue: int) -> None:
    """Have a clue looked at."""
    if not proof.waiting[clue]:
        proof.waiting[clue] = 1
        proof.queue[proof.made[2]] = clue
        proof.made[2] += 1
