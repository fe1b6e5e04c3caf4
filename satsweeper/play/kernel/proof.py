"""The proof of a board: move by move, the clues that force the cells that are opened.

The least logic is asked first: one clue, two, all of a region, and last the total.
"""

from typing import Final

from satsweeper.play.kernel.compiled import compiled
from satsweeper.play.kernel.forced import (
    CLUES,
    EFFORT,
    TARGETS,
    YES,
    add_clue,
    add_region,
    forced,
    mark,
    shrink,
    unmark,
)
from satsweeper.play.kernel.grid import KNOWN_MINE, UNKNOWN, Bytes, Grid
from satsweeper.play.kernel.proved import Proof, add_reason, conclude, open_cell, open_targets
from satsweeper.play.kernel.reach import (
    COMPLETE,
    SINGLE_CLUE,
    SUBSET,
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
"""Counts of the whole board that may be made to leave clues out of one reason."""


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
    """
    cells[:] = UNKNOWN
    proof.bare[:] = UNKNOWN
    proof.chosen[:] = 0
    proof.waiting[:] = 0
    proof.made[:] = 0
    room = open_cell(grid, numbers, cells, proof, first)
    while room and not is_solved(cells, mines):
        if proof.made[2]:
            proof.made[2] -= 1
            clue = proof.queue[proof.made[2]]
            proof.waiting[clue] = 0
            room = by_clue(grid, numbers, cells, proof, clue)
            continue
        pair = strength >= SUBSET and find_pair(grid, cells, proof)
        if pair:
            room = by_pair(grid, numbers, cells, proof)
            continue
        many = 0
        if strength == COMPLETE:
            many = certain_cells(grid, cells, mines, False, proof.reach.moves.work, proof.reach)
            if many:
                room = by_region(grid, numbers, cells, proof, many)
                continue
        if not total:
            return UNPROVED
        if strength == COMPLETE:
            many = certain_cells(grid, cells, mines, True, proof.reach.moves.work, proof.reach)
        else:
            many = safe_by_total(grid, cells, mines, strength, proof.reach)
        if not many:
            return UNPROVED
        room = by_total(grid, numbers, cells, mines, proof, many, strength)
    return PROVED if room else NO_ROOM


@compiled
def by_clue(grid: Grid, numbers: Bytes, cells: Bytes, proof: Proof, clue: int) -> bool:
    """What one clue says of its unknown cells; False if there is no room."""
    asked = proof.question
    need = int(cells[clue])
    many = 0
    for i in range(grid.degree[clue]):
        cell = grid.near[clue, i]
        need -= cells[cell] == KNOWN_MINE
        if cells[cell] == UNKNOWN:
            asked.targets[many] = cell
            many += 1
    if not many or need not in (0, many):
        return True
    asked.many[TARGETS] = many
    add_clue(asked, proof.chosen, clue)
    return conclude(grid, numbers, cells, proof, int(need != 0), SINGLE_CLUE)


@compiled
def find_pair(grid: Grid, cells: Bytes, proof: Proof) -> bool:
    """Find two clues that say more together; ``proof.reach.found`` begins with both."""
    near, degree, columns = grid.near, grid.degree, grid.columns
    unknown, needs = proof.reach.moves.seen, proof.reach.moves.needs
    for clue in range(len(cells)):
        unknown[clue] = 0
        if cells[clue] > 0:
            needs[clue] = cells[clue]
            for i in range(degree[clue]):
                unknown[clue] += cells[near[clue, i]] == UNKNOWN
                needs[clue] -= cells[near[clue, i]] == KNOWN_MINE
    rows = len(cells) // columns
    for a in range(len(cells)):
        if not unknown[a]:
            continue
        row, column = a // columns, a % columns
        for r in range(max(row - 2, 0), min(row + 3, rows)):
            for c in range(max(column - 2, 0), min(column + 3, columns)):
                b = r * columns + c
                more = needs[a] - needs[b]
                # All that a has alone are mines: as many as it needs more, and some are shared.
                if b == a or not unknown[b] or more < 0 or more >= unknown[a]:
                    continue
                shared = 0
                for i in range(degree[a]):
                    cell = near[a, i]
                    if cells[cell] == UNKNOWN:
                        shared += abs(cell // columns - r) <= 1 and abs(cell % columns - c) <= 1
                if unknown[a] - shared == more and (more or unknown[b] > shared) and shared:
                    proof.reach.found[0] = a
                    proof.reach.found[1] = b
                    return True
    return False


@compiled
def by_pair(grid: Grid, numbers: Bytes, cells: Bytes, proof: Proof) -> bool:
    """What the two clues that were found say: mines of the one alone, safe cells of the other."""
    a, b = proof.reach.found[0], proof.reach.found[1]
    asked = proof.question
    for value in range(1, -1, -1):
        own, other = (a, b) if value else (b, a)
        many = 0
        for i in range(grid.degree[own]):
            cell = grid.near[own, i]
            if cells[cell] == UNKNOWN and not touches(grid, other, cell):
                asked.targets[many] = cell
                many += 1
        if many:
            asked.many[TARGETS] = many
            add_clue(asked, proof.chosen, a)
            add_clue(asked, proof.chosen, b)
            # The cells of the other are the same as before: what is proved here are mines.
            if not conclude(grid, numbers, cells, proof, value, SUBSET):
                return False
    return True


@compiled
def by_region(grid: Grid, numbers: Bytes, cells: Bytes, proof: Proof, many: int) -> bool:
    """What all clues of a region say: one move if a cell is safe, else all mines."""
    reach, asked = proof.reach, proof.question
    safe = False
    for i in range(many):
        safe = safe or not reach.is_mine[i]
    value = 0 if safe else 1
    for i in range(many):
        cell = reach.found[i]
        if reach.is_mine[i] != value or cells[cell] != UNKNOWN:
            continue
        asked.targets[0] = cell
        asked.many[TARGETS] = 1
        add_region(grid, cells, asked, proof.chosen, value)
        unmark(asked, proof.chosen)
        shrink(grid, cells, -1, asked, value)
        # Whatever else these clues force belongs to the same move.
        sure = asked.many[CLUES]
        also = 1
        for j in range(i + 1, many):
            other = reach.found[j]
            if reach.is_mine[j] == value and cells[other] == UNKNOWN:
                asked.targets[0] = other
                if forced(grid, cells, -1, asked.clues, sure, asked, value) == YES:
                    asked.targets[also] = other
                    also += 1
        asked.targets[0] = cell
        asked.many[TARGETS] = also
        mark(asked, proof.chosen)
        if not conclude(grid, numbers, cells, proof, value, COMPLETE):
            return False
        if safe:
            return True
    return True


@compiled
def by_total(
    grid: Grid, numbers: Bytes, cells: Bytes, mines: int, proof: Proof, many: int, strength: int
) -> bool:
    """What the total says: all cells that it makes safe, in one move."""
    asked = proof.question
    for i in range(many):
        asked.targets[i] = proof.reach.found[i]
    asked.many[TARGETS] = many
    for cell in range(len(cells)):
        if cells[cell] > 0:
            for i in range(grid.degree[cell]):
                if cells[grid.near[cell, i]] == UNKNOWN:
                    add_clue(asked, proof.chosen, cell)
                    break
    unmark(asked, proof.chosen)
    asked.many[EFFORT] = _EFFORT
    shrink(grid, cells, mines, asked, 0)
    mark(asked, proof.chosen)
    for cell in range(len(cells)):
        if cells[cell] == KNOWN_MINE:
            add_reason(proof, cell)
    unmark(asked, proof.chosen)
    asked.many[EFFORT] = _EFFORT
    sure = shrink(grid, proof.bare, mines, asked, 0)
    return open_targets(grid, numbers, cells, proof, strength, True, sure)
