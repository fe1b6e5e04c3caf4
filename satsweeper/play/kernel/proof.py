"""The proof of a board: for each move the clues that force the cells that are opened.

The weakest logic is tried first: one clue, two clues, a whole region, and last the total. The clues
of a move force the cells of the move by themselves, with every covered cell taken for unknown:
where they count a mine that was proved before, the clues that prove the mine are added.
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
"""Results of ``prove``: every move is proved; a position needs a guess. A third is NO_ROOM."""

_EFFORT: Final = 400
_CELLS: Final = 200_000
"""Limits on the counts of the whole board made for one reason: the number of counts, and this
number times the cells of the board."""

CELLS_END, CLUES_END, LOGIC, BY_TOTAL, IRREDUCIBLE = range(5)
FIELDS: Final = 5
"""Columns of ``moves``: where the cells and the clues of a move end in ``cells`` and ``clues``; the
logic by which the move follows from all earlier verdicts; 1 if the total is needed; 1 if no clue
can be left out."""

MOVES, POOLED, WAITING, PAIRED = range(4)
"""Places in ``made``: the number of moves; the used length of ``pool``; the number of clues in the
queue; the cell where the next search for pairs of clues begins."""
REASON, REASON_END, QUEUE, QUEUED = range(4)
"""Rows of ``by_cell``: indexed by mine, where the clues that prove the mine begin and end in
``pool``; the queue of clues to look at; indexed by cell, 1 if the clue of the cell is in the
queue."""


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
        numbers: the clue of each cell of the layout, ``EXPLODED`` for a mine.
        cells: filled with the codes of what is known after the last move.
        mines: the number of mines of the whole board.
        first: the cell that is opened first, without a mine.
        strength: as for ``open_provable``.
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
    # Invariants of the loop: every known mine has a reason in the log; every open cell outside the
    # opening of the first click belongs to a move; the queue holds every clue around which a cell
    # has changed since the clue was last looked at; the set of clues is empty. Each round states
    # one question and concludes the question.
    room = open_cell(grid, numbers, cells, log, question.lists, first)
    while room and not is_solved(cells, mines):
        question.values[TOTAL] = -1
        logic = SINGLE_CLUE
        if log.made[WAITING]:
            # The cheapest question: does one queued clue decide its unknown neighbours?
            log.made[WAITING] -= 1
            clue = log.by_cell[QUEUE, log.made[WAITING]]
            log.by_cell[QUEUED, clue] = 0
            if not ask_clue(grid, cells, question, clue):
                continue
        elif strength >= SUBSET and find_pair(
            grid, cells, certain.found, certain.is_mine, log.made[PAIRED]
        ):
            # The queue is empty, so no single clue decides a cell. The next search for pairs begins
            # at the first clue of this pair.
            logic = SUBSET
            log.made[PAIRED] = certain.found[0]
            ask_pair(grid, cells, question, certain.found[0], certain.found[1])
        else:
            # No pair of clues decides a cell: try everything that ``strength`` proves without the
            # total, then with the total.
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
    # The clue says that ``need`` of its ``many`` unknown neighbours are mines.
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
        cells: the code of what is known of each cell.
        seen: scratch as in ``two_clues``; places 0 and 1 are the two clues if the result is True.
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
                # The cells of a alone are mines and the cells of b alone are safe: see
                # ``two_clues``. At least one of both sets must have a cell; ``more`` is the size of
                # the former.
                if own & other and more == bits_of(own & ~other) and (more or other & ~own):
                    seen[0] = a
                    seen[1] = b
                    return True
    return False


def ask_pair(grid: Adjacency, cells: Bytes, question: ClueQuestion, a: int, b: int) -> None:
    """Make the question of two clues: the cells of ``a`` alone are mines, or of ``b`` alone safe.

    If ``a`` has no cells alone, the targets are the cells of ``b`` alone.
    """
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

    The targets are safe cells if there are any, else mines. Without the total, the question has an
    irreducible set of clues that forces the first of these cells, and all of these cells that the
    set forces. With the total, the question has all of these cells, and those clues with unknown
    neighbours that ``shrink`` has kept.
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
    # The irreducible set was found for the first target. Every further cell that the same set
    # forces becomes a target of the same move.
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

    With the total the clues that prove any known mine are added. The set of clues is empty
    afterwards. Returns False if there is no room in the log.
    """
    values = question.values
    # The set forces the targets given the known mines. Add the clues that prove each known mine
    # around a clue of the set. These clues force the mine with no mine known (``note_mines`` stores
    # only such reasons), so the mines around the added clues need no further clues.
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
    # Now the set forces the targets with no mine known (``log.bare``), but perhaps not every clue
    # is needed: a clue that proves one mine may make another clue redundant.
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
    """Log a move and make it; False if there is no room, or a target is a mine, a defect.

    ``logic``: the logic of the move, as in ``moves``; ``sure``: whether the clues are irreducible.
    """
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
    # Row TRIAL of the lists is free between questions, so it serves as the stack.
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
