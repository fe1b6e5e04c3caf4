"""The proof of a board: move by move, the clues that force the cells that are opened.

The least logic is asked first: one clue, two, all of a region, and last the total. The clues of a
move force its cells by themselves, with every covered cell taken for unknown: mines that were
proved before bring the clues that prove them.
"""

from typing import Final

from satsweeper.play.kernel.arrays import Bytes
from satsweeper.play.kernel.chances import Work
from satsweeper.play.kernel.compiled import compiled
from satsweeper.play.kernel.forced import (
    CLUES,
    EFFORT,
    MANY_CLUES,
    MANY_TARGETS,
    MANY_TRIAL,
    MARKS,
    TARGETS,
    TOTAL,
    TRIAL,
    VALUE,
    YES,
    Asked,
    add_clue,
    add_region,
    drop_clues,
    forced,
    shrink,
)
from satsweeper.play.kernel.grid import KNOWN_MINE, UNKNOWN, Grid
from satsweeper.play.kernel.pairs import find_pair
from satsweeper.play.kernel.proved import (
    PAIRED,
    QUEUE,
    QUEUED,
    REASON,
    REASON_END,
    WAITING,
    Proof,
    note_mines,
    open_cell,
    open_targets,
)
from satsweeper.play.kernel.reach import (
    COMPLETE,
    SINGLE_CLUE,
    SUBSET,
    Reach,
    certain_cells,
    is_solved,
    safe_by_total,
    touches,
)

PROVED: Final = 1
UNPROVED: Final = 0
NO_ROOM: Final = -1
"""What came of it: a proof to the end, a position where a guess is needed, or too little room."""

_EFFORT: Final = 400
_CELLS: Final = 200_000
"""Counts of the whole board that may be made to leave clues out of one reason, and cells in all."""


@compiled
def prove(
    grid: Grid,
    numbers: Bytes,
    cells: Bytes,
    mines: int,
    first: int,
    strength: int,
    total: bool,
    proof: Proof,
    asked: Asked,
    reach: Reach,
    work: Work,
    small: Work,
) -> int:
    """Prove every move of a board after the first one: PROVED, UNPROVED or NO_ROOM.

    Args:
        grid: the neighbours.
        numbers: what each cell shows, ``EXPLODED`` for a mine.
        cells: what is known in the end.
        mines: of the whole board.
        first: the cell that is opened first, without a mine.
        strength: as ``open_provable``.
        total: whether the total may be asked.
        proof: filled.
        asked: scratch.
        reach: scratch.
        work: scratch for whole positions.
        small: scratch for reasons.
    """
    cells.fill(UNKNOWN)
    proof.bare.fill(UNKNOWN)
    asked.lists[MARKS].fill(0)
    proof.by_cell[QUEUED].fill(0)
    proof.made.fill(0)
    room = open_cell(grid, numbers, cells, proof, asked.lists, first)
    while room and not is_solved(cells, mines):
        asked.said[TOTAL] = -1
        logic = SINGLE_CLUE
        if proof.made[WAITING]:
            proof.made[WAITING] -= 1
            clue = proof.by_cell[QUEUE, proof.made[WAITING]]
            proof.by_cell[QUEUED, clue] = 0
            if not ask_clue(grid, cells, asked, clue):
                continue
        elif strength >= SUBSET and find_pair(
            grid, cells, reach.found, reach.is_mine, proof.made[PAIRED]
        ):
            logic = SUBSET
            proof.made[PAIRED] = reach.found[0]
            ask_pair(grid, cells, asked, reach.found[0], reach.found[1])
        else:
            logic = strength
            many = 0
            for last in range(2):
                if many == 0 and (total or not last):
                    asked.said[TOTAL] = mines if last else -1
                    if strength == COMPLETE:
                        many = certain_cells(grid, cells, mines, last != 0, work, reach)
                    elif last:
                        many = safe_by_total(grid, cells, mines, strength, reach)
            if many == 0:
                return UNPROVED
            asked.said[MANY_TARGETS] = many
            ask_all(grid, cells, asked, reach, small)
        room = conclude(grid, numbers, cells, proof, asked, logic, small)
    return PROVED if room else NO_ROOM


def ask_clue(grid: Grid, cells: Bytes, asked: Asked, clue: int) -> bool:
    """Ask what one clue says of its unknown cells; whether it says anything."""
    need = int(cells[clue])
    many = 0
    for i in range(grid.degree[clue]):
        cell = grid.near[clue, i]
        need -= cells[cell] == KNOWN_MINE
        if cells[cell] == UNKNOWN:
            asked.lists[TARGETS, many] = cell
            many += 1
    asked.said[MANY_TARGETS] = many
    asked.said[VALUE] = need != 0
    if many and (need in (0, many)):
        add_clue(asked, clue)
        return True
    return False


def ask_pair(grid: Grid, cells: Bytes, asked: Asked, a: int, b: int) -> None:
    """Ask what two clues say: ``a`` has mines alone, or else what ``b`` has alone is safe."""
    add_clue(asked, a)
    add_clue(asked, b)
    many = 0
    for value in range(1, -1, -1):
        if many == 0:
            own, other = (a, b) if value else (b, a)
            for i in range(grid.degree[own]):
                cell = grid.near[own, i]
                if cells[cell] == UNKNOWN and not touches(grid, other, cell):
                    asked.lists[TARGETS, many] = cell
                    many += 1
            asked.said[VALUE] = value
    asked.said[MANY_TARGETS] = many


@compiled
def ask_all(grid: Grid, cells: Bytes, asked: Asked, reach: Reach, work: Work) -> None:
    """Ask why cells that were found are certain: the first one that is safe, else the first mine.

    How many were found stands in the place of the targets.

    All others that the same clues force are asked about with it. With the total it is all of them,
    and all clues with unknown cells.
    """
    said, targets = asked.said, asked.lists[TARGETS]
    many = said[MANY_TARGETS]
    said[VALUE] = 1
    for i in range(many):
        if not reach.is_mine[i]:
            said[VALUE] = 0
    found = 0
    for i in range(many):
        if reach.is_mine[i] == said[VALUE]:
            reach.found[found] = reach.found[i]
            found += 1
    for i in range(found):
        targets[i] = reach.found[i]
    if said[TOTAL] >= 0:
        said[MANY_TARGETS] = found
        said[EFFORT] = min(_EFFORT, _CELLS // len(cells))
        for cell in range(len(cells)):
            if cells[cell] == UNKNOWN:
                for i in range(grid.degree[cell]):
                    if cells[grid.near[cell, i]] > 0:
                        add_clue(asked, grid.near[cell, i])
    else:
        said[MANY_TARGETS] = 1
        add_region(grid, cells, asked, work)
    shrink(grid, cells, asked, work)
    if said[TOTAL] >= 0:
        return
    said[MANY_TRIAL] = said[MANY_CLUES]
    for i in range(said[MANY_CLUES]):
        asked.lists[TRIAL, i] = asked.lists[CLUES, i]
    also = 1
    for i in range(1, found):
        targets[0] = reach.found[i]
        if forced(grid, cells, asked, work) == YES:
            targets[also] = targets[0]
            also += 1
    targets[0] = reach.found[0]
    said[MANY_TARGETS] = also


@compiled
def conclude(
    grid: Grid,
    numbers: Bytes,
    cells: Bytes,
    proof: Proof,
    asked: Asked,
    logic: int,
    work: Work,
) -> bool:
    """Note the targets, by the clues in the list and what proves the mines that they touch.

    With the total, all mines are counted. The list is empty afterwards. False if there is no room.
    """
    said = asked.said
    own = said[MANY_CLUES]
    for mine in range(len(cells)):
        if cells[mine] != KNOWN_MINE:
            continue
        counted = said[TOTAL] >= 0
        for i in range(own):
            counted = counted or touches(grid, asked.lists[CLUES, i], mine)
        if counted:
            for i in range(proof.by_cell[REASON, mine], proof.by_cell[REASON_END, mine]):
                add_clue(asked, proof.pool[i])
    said[EFFORT] = min(_EFFORT, _CELLS // len(cells))
    sure = said[MANY_CLUES] == 1 and said[TOTAL] < 0
    if not sure:
        sure = shrink(grid, proof.bare, asked, work)
    if said[VALUE]:
        room = note_mines(grid, cells, proof, asked)
    else:
        room = open_targets(grid, numbers, cells, proof, asked, logic, sure)
    drop_clues(asked)
    return room
