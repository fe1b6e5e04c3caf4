"""The candidates of a lookahead by one move, and the choice among them.

A *forced pair* is two neighbouring cells of which only a guess can tell which one is the mine
(often called a 50/50). If all cells that touch exactly one cell of the pair are mines, every other
clue around counts both cells of the pair: if exactly one of both is a mine, no clue tells which.
The cells around the pair are not known to be mines in advance, so the layouts in which they are
mines are counted. The idea is the long-term risk of D. N. Hill's JSMinesweeper.
"""

from math import exp, log
from typing import Final, NamedTuple

from satsweeper.play.kernel.chances import LOG_LAYOUTS, Workspace, find_chances, room_for_work
from satsweeper.play.kernel.compiled import compiled
from satsweeper.play.kernel.grid import (
    DONE,
    KNOWN_MINE,
    KNOWN_SAFE,
    UNKNOWN,
    Adjacency,
    Bytes,
    Floats,
    Ints,
    floats,
    ints,
    is_inside,
    octets,
    touches,
)
from satsweeper.play.kernel.lookahead import (
    CERTAIN,
    CHANCE,
    SAFEST,
    SECOND,
    VALUES,
    Lookahead,
    room_for_lookahead,
    try_cell,
)

SAME: Final = 1e-9
"""Numbers that differ by less count as equal: the last digits of doubles depend on rounding."""
OUTER: Final = 2
"""The most unknown cells that touch exactly one cell of a pair for which layouts are counted."""


class ForcedPairs(NamedTuple):
    """Scratch, and by cell the chance ``guessed`` of a forced guess, added up over its pairs.

    For one pair, this is the chance that the cell is free, the other cell is a mine, and no clue
    tells which of both is the mine.
    """

    work: Workspace
    chances: Floats
    outer: Ints
    guessed: Floats


def room_for_forced_pairs(cells: int, work: Workspace) -> ForcedPairs:
    """Scratch that shares the sweep of ``work``, the scratch of the position itself."""
    return ForcedPairs(room_for_work(cells, work.sweep), floats(cells), ints(OUTER), floats(cells))


class Candidates(NamedTuple):
    """Scratch: the candidate ``cells``, safest first, and ``listed`` kinds of interior cells.

    ``listed[d]`` is 1 once an interior cell with d neighbours, all of them interior, is a
    candidate. ``safety`` by cell: the chance to be free, which ``best_ahead`` may raise.
    """

    lookahead: Lookahead
    cells: Ints
    listed: Bytes
    safety: Floats
    pairs: ForcedPairs


def room_for_candidates(cells: int, work: Workspace) -> Candidates:
    """Scratch beside ``work``, the scratch of the position itself."""
    return Candidates(
        room_for_lookahead(cells, work),
        ints(cells),
        octets(9),
        floats(cells),
        room_for_forced_pairs(cells, work),
    )


def list_candidates(
    grid: Adjacency, cells: Bytes, candidates: Candidates, least: float, least_inside: float
) -> int:
    """List living cells that are safe enough, safest first (``is_ahead``); return how many.

    Interior cells whose neighbours are all interior have equal prospects if they have equally many
    neighbours: only the first cell for each number of neighbours is listed.

    Args:
        grid: the neighbours.
        cells: the code of what is known of each cell.
        candidates: the list ``cells`` is filled in; ``safety`` is given.
        least: the least safety of a frontier cell, as a share of the safety of the safest living
            cell.
        least_inside: the least safety of an interior cell, as a share of the same safety.
    """
    safety = candidates.safety
    best = 0.0
    for cell in range(len(cells)):
        if cells[cell] == UNKNOWN and not candidates.lookahead.dead[cell]:
            best = max(best, safety[cell])
    candidates.listed[:] = 0
    many = 0
    for cell in range(len(cells)):
        if (
            cells[cell] != UNKNOWN
            or candidates.lookahead.dead[cell]
            or safety[cell] < least * best - SAME
        ):
            continue
        if is_inside(grid, cells, cell):
            if safety[cell] < least_inside * best - SAME:
                continue
            # A cell lies deep if all of its neighbours are interior too.
            deep = True
            for i in range(grid.degree[cell]):
                other = grid.near[cell, i]
                if cells[other] != UNKNOWN or not is_inside(grid, cells, other):
                    deep = False
                    break
            if deep:
                if candidates.listed[grid.degree[cell]]:
                    continue
                candidates.listed[grid.degree[cell]] = 1
        # Insertion keeps the list sorted; equal cells keep the order row by row.
        at = many
        many += 1
        while at and is_ahead(grid, cells, safety, cell, candidates.cells[at - 1]):
            candidates.cells[at] = candidates.cells[at - 1]
            at -= 1
        candidates.cells[at] = cell
    return many


def is_ahead(grid: Adjacency, cells: Bytes, safety: Floats, cell: int, other: int) -> bool:
    """Whether ``cell`` comes before ``other``, which stands before it row by row.

    The safer cell comes first; of equally safe cells a cell of the frontier, and in the interior
    the one with fewer neighbours, which most likely shows a 0. Games showed this order to win most:
    a clue on the frontier tells of cells that other clues touch, too.
    """
    if abs(safety[cell] - safety[other]) > SAME:
        return bool(safety[cell] > safety[other])
    if not is_inside(grid, cells, other):
        return False
    return not is_inside(grid, cells, cell) or bool(grid.degree[cell] < grid.degree[other])


@compiled
def safest_cell(
    grid: Adjacency,
    cells: Bytes,
    mines: int,
    work: Workspace,
    chances: Floats,
    candidates: Candidates,
) -> int:
    """The safest cell, of equally safe cells the first by ``is_ahead``.

    Arguments as ``best_ahead``.
    """
    candidates.lookahead.dead[:] = 0
    for cell in range(len(cells)):
        candidates.safety[cell] = 1.0 - chances[cell]
    list_candidates(grid, cells, candidates, 1.0, 1.0)
    return int(candidates.cells[0])


@compiled
def mark_dead(
    grid: Adjacency,
    cells: Bytes,
    mines: int,
    work: Workspace,
    chances: Floats,
    lookahead: Lookahead,
    least: float,
) -> None:
    """Mark the dead cells among the cells that are free with a chance of ``least`` or more."""
    lookahead.dead[:] = 0
    for cell in range(len(cells)):
        if cells[cell] != UNKNOWN or 1.0 - chances[cell] < least:
            continue
        inside = False
        for i in range(grid.degree[cell]):
            other = grid.near[cell, i]
            if cells[other] == UNKNOWN and is_inside(grid, cells, other):
                inside = True
        # Beside interior cells, whose mines vary in number, a cell is hardly ever dead, so it is
        # not tried. A cell that may show just one value is dead by definition.
        if not inside and try_cell(grid, cells, mines, work, lookahead, cell) == 1:
            lookahead.dead[cell] = 1


@compiled
def best_ahead(
    grid: Adjacency,
    cells: Bytes,
    mines: int,
    work: Workspace,
    chances: Floats,
    candidates: Candidates,
    weights: Floats,
) -> int:
    """The cell with the best prospects one move ahead.

    The prospects of a cell are a sum over the values that the cell may show: the chance of the
    value times the safety of the next move. The safety of the next move is the mean of the safeties
    of the safest and of the second safest living cell; the weight of the former is ``weights[2]``.
    The sum is multiplied by 1 plus ``weights[3]`` times the chance that the next position has a
    certain cell. The safety of the cell itself is raised by ``weights[4]`` times the chance of a
    forced guess at the cell (``ForcedPairs``).

    Args:
        grid: the neighbours.
        cells: the code of what is known of each cell; restored on return.
        mines: the number of mines of the whole board.
        work: as ``find_chances`` left it for this position.
        chances: as ``find_chances`` filled them.
        candidates: scratch.
        weights: five numbers; the first two are ``least`` and ``least_inside`` of
            ``list_candidates``.
    """
    many = find_candidates(grid, cells, mines, work, chances, candidates, weights)
    best, chosen = -1.0, candidates.cells[0]
    for i in range(many):
        cell = candidates.cells[i]
        if candidates.safety[cell] * (1.0 + weights[3]) <= best + SAME:
            # The prospects of a cell are at most its safety times ``1 + weights[3]``, because the
            # next move is safe with 1 at most. Later candidates are no safer, so none is better.
            break
        if try_cell(grid, cells, mines, work, candidates.lookahead, cell) < 0:
            break
        prospects = prospects_of(chances, candidates, weights, cell)
        if prospects > best + SAME:
            best, chosen = prospects, cell
    return int(chosen)


def find_candidates(
    grid: Adjacency,
    cells: Bytes,
    mines: int,
    work: Workspace,
    chances: Floats,
    candidates: Candidates,
    weights: Floats,
) -> int:
    """List the candidates of ``best_ahead``, with raised safeties; return how many.

    If all are dead, the result is 0, and the first of the list is the safest cell. Arguments as
    ``best_ahead``.
    """
    lookahead, safety = candidates.lookahead, candidates.safety
    safest = 0.0
    for cell in range(len(cells)):
        safety[cell] = 1.0 - chances[cell]
        if cells[cell] == UNKNOWN:
            safest = max(safest, safety[cell])
    mark_dead(grid, cells, mines, work, chances, lookahead, safest * weights[0] - SAME)
    find_forced_pairs(grid, cells, mines, work, candidates.pairs)
    for cell in range(len(cells)):
        if cells[cell] == UNKNOWN:
            safety[cell] += weights[4] * min(candidates.pairs.guessed[cell], safety[cell])
    many = list_candidates(grid, cells, candidates, weights[0], weights[1])
    if not many:
        # Every cell that is safe enough is dead: the first of the safest cells is as good as any.
        lookahead.dead[:] = 0
        list_candidates(grid, cells, candidates, 1.0, 1.0)
    return many


def prospects_of(chances: Floats, candidates: Candidates, weights: Floats, cell: int) -> float:
    """The prospects of ``cell``, which was tried last; arguments as ``best_ahead``."""
    next_safe = progress = 0.0
    for value in range(VALUES):
        seen = candidates.lookahead.seen[value]
        safe = weights[2] * seen[SAFEST] + (1.0 - weights[2]) * seen[SECOND]
        next_safe += seen[CHANCE] * safe
        progress += seen[CHANCE] * (seen[CERTAIN] > 0.0)
    prospects = next_safe * (1.0 + weights[3] * progress)
    # The chances of the values add up to ``1 - chances[cell]``: scale the sum to the raised safety
    # of the cell.
    return float(prospects * (candidates.safety[cell] / (1.0 - chances[cell])))


@compiled
def most_progress(
    grid: Adjacency,
    cells: Bytes,
    mines: int,
    work: Workspace,
    chances: Floats,
    candidates: Candidates,
) -> int:
    """The safest cell that most likely makes another cell certain.

    Among the safest cells the chance that some cell becomes certain decides; then the expected
    number of certain cells, then the entropy of the clue that the cell shows, then the order of
    ``is_ahead``. Arguments as ``best_ahead``.
    """
    lookahead = candidates.lookahead
    lookahead.dead[:] = 0
    for cell in range(len(cells)):
        candidates.safety[cell] = 1.0 - chances[cell]
    many = list_candidates(grid, cells, candidates, 1.0, 1.0)
    best_progress, best_number, best_entropy, chosen = -1.0, -1.0, -1.0, candidates.cells[0]
    for i in range(many):
        cell = candidates.cells[i]
        if try_cell(grid, cells, mines, work, lookahead, cell) < 0:
            break
        progress = number = entropy = 0.0
        for value in range(VALUES):
            chance, certain = lookahead.seen[value, CHANCE], lookahead.seen[value, CERTAIN]
            if chance > 0.0:
                progress += chance * (certain > 0.0)
                number += chance * certain
                entropy -= chance * log(chance)
        if (
            progress > best_progress + SAME
            or (progress > best_progress - SAME and number > best_number + SAME)
            or (
                progress > best_progress - SAME
                and number > best_number - SAME
                and entropy > best_entropy + SAME
            )
        ):
            best_progress, best_number, best_entropy, chosen = progress, number, entropy, cell
    return int(chosen)


@compiled
def find_forced_pairs(
    grid: Adjacency, cells: Bytes, mines: int, work: Workspace, pairs: ForcedPairs
) -> None:
    """Fill in ``pairs.guessed``.

    Args:
        grid: the neighbours.
        cells: the code of what is known of each cell; restored on return.
        mines: the number of mines of the whole board.
        work: as ``find_chances`` left it for this position.
        pairs: filled.
    """
    outer, guessed = pairs.outer, pairs.guessed
    guessed[:] = 0.0
    for one in range(len(cells)):
        if cells[one] != UNKNOWN:
            continue
        for i in range(grid.degree[one]):
            other = grid.near[one, i]
            if other < one or cells[other] != UNKNOWN:
                continue
            many = list_outer(grid, cells, one, other, outer)
            if many < 0:
                continue
            # Count the layouts with a mine at ``one``, none at ``other``, and mines all around.
            cells[one] = KNOWN_MINE
            cells[other] = KNOWN_SAFE
            for j in range(many):
                cells[outer[j]] = KNOWN_MINE
            done = find_chances(grid, cells, mines, pairs.work, pairs.chances)
            cells[one] = UNKNOWN
            cells[other] = UNKNOWN
            for j in range(many):
                cells[outer[j]] = UNKNOWN
            if done == DONE:
                # Every cell that touches exactly one of both is a mine in these layouts, so moving
                # the mine from ``one`` to ``other`` changes no clue: equally many layouts have the
                # mine at ``other``, and both cells get the same chance.
                chance = exp(pairs.work.mixed.sums[LOG_LAYOUTS] - work.mixed.sums[LOG_LAYOUTS])
                guessed[one] += chance
                guessed[other] += chance


def list_outer(grid: Adjacency, cells: Bytes, one: int, other: int, outer: Ints) -> int:
    """List the unknown cells that touch exactly one of two cells; return their number.

    The result is -1 if there are more than ``OUTER``, or if a cell that touches exactly one of the
    two is open or known to be safe: then a clue may tell both cells apart.
    """
    many = 0
    for side in range(2):
        first, second = (one, other) if side == 0 else (other, one)
        for i in range(grid.degree[first]):
            cell = grid.near[first, i]
            if cell == second or cells[cell] == KNOWN_MINE or touches(grid, cell, second):
                continue
            if cells[cell] != UNKNOWN or many == OUTER:
                return -1
            outer[many] = cell
            many += 1
    return many
