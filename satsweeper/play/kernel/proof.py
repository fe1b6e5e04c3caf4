"""The proof of a board: for each move the clues that force the cells that are opened.

The weakest logic is tried first: one clue, two clues, a whole region, and last the total. The clues
of a move force its cells by themselves, with every covered cell taken for unknown: a mine that was
proved before brings the clues that prove the mine.
"""

from typing import Final, NamedTuple

from satsweeper.play.kernel.certain import (
    COMPLETE,
    EXPLODED,
    SINGLE_CLUE,
    SUBSET,
    WIDTH,
    CertainCells,
    bits_of,
    certain_cells,
    is_solved,
    safe_by_total,
    see_clues,
)
from satsweeper.play.kernel.chances import Workspace
from satsweeper.play.kernel.clue_sets import (
    EFFORT,
    LISTED,
    MANY_CLUES,
    MANY_TARGETS,
    MANY_TRIAL,
    MARKS,
    TARGETS,
    TOTAL,
    TRIAL,
    VALUE,
    YES,
    ClueQuestion,
    add_clue,
    add_region,
    forced,
    shrink,
)
from satsweeper.play.kernel.compiled import compiled
from satsweeper.play.kernel.grid import (
    KNOWN_MINE,
    NO_ROOM,
    UNKNOWN,
    Adjacency,
    Bytes,
    Ints,
    ints,
    octets,
    touches,
)

PROVED: Final = 1
UNPROVED: Final = 0
"""Results: a proof to the end, or a position where a guess is needed; else NO_ROOM."""

_EFFORT: Final = 400
_CELLS: Final = 200_000
"""Limits on the counts of the whole board made for one reason: counts, and cells counted."""

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


@compiled
def prove(
    grid: Adjacency,
    numbers: Bytes,
    cells: Bytes,
    mines: int,
    first: int,
    strength: int,
    total: bool,
    log: MoveLog,
    question: ClueQuestion,
    certain: CertainCells,
    work: Workspace,
    small: Workspace,
) -> int:
    """Prove every move of a board after the first one: PROVED, UNPROVED or NO_ROOM.

    Args:
        grid: the neighbours.
        numbers: what each cell shows, ``EXPLODED`` for a mine.
        cells: what is known in the end.
        mines: of the whole board.
        first: the cell that is opened first, without a mine.
        strength: as ``open_provable``.
        total: whether the total may be used.
        log: filled.
        question: scratch.
        certain: scratch.
        work: scratch for whole positions.
        small: scratch for reasons.
    """
    cells.fill(UNKNOWN)
    log.bare.fill(UNKNOWN)
    question.lists[MARKS].fill(0)
    log.by_cell[QUEUED].fill(0)
    log.made.fill(0)
    # Invariants: every cell known to be a mine has a reason in the log, every open cell but those
    # of the first click a move; the queue holds each clue whose neighbourhood has changed since the
    # clue was last looked at; the set of clues is empty. Each round makes one question and
    # concludes it.
    room = open_cell(grid, numbers, cells, log, question.lists, first)
    while room and not is_solved(cells, mines):
        question.values[TOTAL] = -1
        logic = SINGLE_CLUE
        if log.made[WAITING]:
            # A clue whose neighbourhood has changed since it was last looked at.
            log.made[WAITING] -= 1
            clue = log.by_cell[QUEUE, log.made[WAITING]]
            log.by_cell[QUEUED, clue] = 0
            if not ask_clue(grid, cells, question, clue):
                continue
        elif strength >= SUBSET and find_pair(
            grid, cells, certain.found, certain.is_mine, log.made[PAIRED]
        ):
            # No single clue decides a cell; the next search for pairs begins at this one.
            logic = SUBSET
            log.made[PAIRED] = certain.found[0]
            ask_pair(grid, cells, question, certain.found[0], certain.found[1])
        else:
            # No two clues do either: everything that ``strength`` proves, with the total last.
            logic = strength
            many = 0
            for last in range(2):
                if many == 0 and (total or not last):
                    question.values[TOTAL] = mines if last else -1
                    if strength == COMPLETE:
                        many = certain_cells(grid, cells, mines, last != 0, work, certain)
                    elif last:
                        many = safe_by_total(grid, cells, mines, strength, certain)
            if many == 0:
                return UNPROVED
            question.values[MANY_TARGETS] = many
            ask_all(grid, cells, question, certain, small)
        room = conclude(grid, numbers, cells, log, question, logic, small)
    return PROVED if room else NO_ROOM


def ask_clue(grid: Adjacency, cells: Bytes, question: ClueQuestion, clue: int) -> bool:
    """Make the question of one clue and its unknown cells; False if the clue decides none."""
    need = int(cells[clue])
    many = 0
    for i in range(grid.degree[clue]):
        cell = grid.near[clue, i]
        need -= cells[cell] == KNOWN_MINE
        if cells[cell] == UNKNOWN:
            question.lists[TARGETS, many] = cell
            many += 1
    question.values[MANY_TARGETS] = many
    question.values[VALUE] = need != 0
    if many and (need in (0, many)):
        add_clue(question, clue)
        return True
    return False


@compiled
def find_pair(grid: Adjacency, cells: Bytes, seen: Ints, needs: Bytes, start: int) -> bool:
    """Find two clues that decide a cell together, as in ``two_clues``.

    Args:
        grid: the neighbours.
        cells: what is known of each cell.
        seen: scratch as in ``two_clues``; its first two places are the clues if there are any.
        needs: scratch as in ``two_clues``.
        start: the cell where the search begins.

    Returns whether there are two such clues.
    """
    see_clues(grid, cells, seen, needs)
    columns = grid.columns
    rows = len(cells) // columns
    for i in range(len(cells)):
        a = (start + i) % len(cells)
        if not seen[a]:
            continue
        row, column = a // columns, a % columns
        own = seen[a] << (2 * WIDTH + 2)
        for r in range(max(row - 2, 0), min(row + 3, rows)):
            for c in range(max(column - 2, 0), min(column + 3, columns)):
                b = r * columns + c
                more = needs[a] - needs[b]
                if b == a or not seen[b] or more < 0:
                    continue
                other = seen[b] << ((r - row + 2) * WIDTH + c - column + 2)
                # All that a has alone are mines, or what b has alone is safe: see ``two_clues``;
                # and there is a cell to decide, as a set of no cells says nothing.
                if own & other and more == bits_of(own & ~other) and (more or other & ~own):
                    seen[0] = a
                    seen[1] = b
                    return True
    return False


def ask_pair(grid: Adjacency, cells: Bytes, question: ClueQuestion, a: int, b: int) -> None:
    """Make the question of two clues: the cells of ``a`` alone are mines, or of ``b`` safe."""
    add_clue(question, a)
    add_clue(question, b)
    many = 0
    for value in range(1, -1, -1):
        if many == 0:
            own, other = (a, b) if value else (b, a)
            for i in range(grid.degree[own]):
                cell = grid.near[own, i]
                if cells[cell] == UNKNOWN and not touches(grid, other, cell):
                    question.lists[TARGETS, many] = cell
                    many += 1
            question.values[VALUE] = value
    question.values[MANY_TARGETS] = many


@compiled
def ask_all(
    grid: Adjacency, cells: Bytes, question: ClueQuestion, certain: CertainCells, work: Workspace
) -> None:
    """Make the question why the ``certain`` cells, MANY_TARGETS in number, are certain.

    The targets are safe cells if there are any, else mines. Without the total: the first of them,
    an irreducible set of clues that forces it, and all others that this set forces. With the total:
    all of them, and all clues with unknown cells.
    """
    values, targets = question.values, question.lists[TARGETS]
    many = values[MANY_TARGETS]
    values[VALUE] = 1
    for i in range(many):
        if not certain.is_mine[i]:
            values[VALUE] = 0
    found = 0
    for i in range(many):
        if certain.is_mine[i] == values[VALUE]:
            certain.found[found] = certain.found[i]
            found += 1
    for i in range(found):
        targets[i] = certain.found[i]
    if values[TOTAL] >= 0:
        values[MANY_TARGETS] = found
        values[EFFORT] = min(_EFFORT, _CELLS // len(cells))
        for cell in range(len(cells)):
            if cells[cell] == UNKNOWN:
                for i in range(grid.degree[cell]):
                    if cells[grid.near[cell, i]] > 0:
                        add_clue(question, grid.near[cell, i])
    else:
        values[MANY_TARGETS] = 1
        add_region(grid, cells, question, work)
    shrink(grid, cells, question, work)
    if values[TOTAL] >= 0:
        return
    # The irreducible set was found for the first target. What else it forces comes with the same
    # move: each other cell is tried on that very set.
    values[MANY_TRIAL] = values[MANY_CLUES]
    for i in range(values[MANY_CLUES]):
        question.lists[TRIAL, i] = question.lists[LISTED, i]
    also = 1
    for i in range(1, found):
        targets[0] = certain.found[i]
        if forced(grid, cells, question, work) == YES:
            targets[also] = targets[0]
            also += 1
    targets[0] = certain.found[0]
    values[MANY_TARGETS] = also


@compiled
def conclude(
    grid: Adjacency,
    numbers: Bytes,
    cells: Bytes,
    log: MoveLog,
    question: ClueQuestion,
    logic: int,
    work: Workspace,
) -> bool:
    """Note the targets, forced by the set of clues and the clues that prove the mines they touch.

    With the total all known mines matter. The set is empty afterwards. Returns False if there is no
    room in the log.
    """
    values = question.values
    # A clue of the set counts known mines around it: add the clues that prove these mines. Each
    # reason is a set of clues that forces its mines with no mine known: adding it once is enough.
    own = values[MANY_CLUES]
    for mine in range(len(cells)):
        if cells[mine] != KNOWN_MINE:
            continue
        counted = values[TOTAL] >= 0
        for i in range(own):
            counted = counted or touches(grid, question.lists[LISTED, i], mine)
        if counted:
            for i in range(log.by_cell[REASON, mine], log.by_cell[REASON_END, mine]):
                add_clue(question, log.pool[i])
    values[EFFORT] = min(_EFFORT, _CELLS // len(cells))
    # Now the set forces the targets with no mine known, and may have become reducible.
    sure = values[MANY_CLUES] == 1 and values[TOTAL] < 0
    if not sure:
        sure = shrink(grid, log.bare, question, work)
    if values[VALUE]:
        room = note_mines(grid, cells, log, question)
    else:
        room = open_targets(grid, numbers, cells, log, question, logic, sure)
    for i in range(values[MANY_CLUES]):
        question.lists[MARKS, question.lists[LISTED, i]] = 0
    values[MANY_CLUES] = 0
    return room


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
