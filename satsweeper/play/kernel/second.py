"""Which cells are worth a look one move ahead, and what the look says of each."""

from math import log
from typing import Final, NamedTuple

from satsweeper.play.kernel.ahead import (
    CERTAIN,
    CHANCE,
    SAFEST,
    SECOND,
    VALUES,
    Ahead,
    is_inside,
    room_for_ahead,
    try_cell,
)
from satsweeper.play.kernel.arrays import Bytes, Floats, Ints, floats, ints, octets
from satsweeper.play.kernel.chances import Work
from satsweeper.play.kernel.compiled import compiled
from satsweeper.play.kernel.fifty import Pairs, find_pairs, room_for_pairs
from satsweeper.play.kernel.grid import UNKNOWN, Grid

SAME: Final = 1e-9
"""Numbers that differ by less are equal: in doubles the last digits depend on the way."""


class Second(NamedTuple):
    """Scratch: the candidates, safest first, and a mark for each kind of cell that is listed."""

    ahead: Ahead
    cells: Ints
    listed: Bytes
    safety: Floats
    pairs: Pairs


def room_for_second(cells: int, work: Work) -> Second:
    """Scratch beside that of the position itself."""
    return Second(
        room_for_ahead(cells, work),
        ints(cells),
        octets(9),
        floats(cells),
        room_for_pairs(cells, work),
    )


def list_candidates(
    grid: Grid,
    cells: Bytes,
    second: Second,
    least: float,
    least_inside: float,
) -> int:
    """List living cells that are safe enough, safest first, then row by row; how many.

    Of the cells whose neighbours are all in the interior, those with as many are alike in
    everything, and the first is listed.

    Args:
        grid: the neighbours.
        cells: what is known of each cell.
        second: the list is filled in; ``safety`` is given.
        least: share of the safety of the safest cell that a cell on the frontier must have.
        least_inside: and one in the interior.
    """
    safety = second.safety
    best = 0.0
    for cell in range(len(cells)):
        if cells[cell] == UNKNOWN and not second.ahead.dead[cell]:
            best = max(best, safety[cell])
    second.listed[:] = 0
    many = 0
    for cell in range(len(cells)):
        if cells[cell] != UNKNOWN or second.ahead.dead[cell] or safety[cell] < least * best - SAME:
            continue
        if is_inside(grid, cells, cell):
            if safety[cell] < least_inside * best - SAME:
                continue
            if lies_deep(grid, cells, cell):
                if second.listed[grid.degree[cell]]:
                    continue
                second.listed[grid.degree[cell]] = 1
        at = many
        many += 1
        while at and safety[second.cells[at - 1]] < safety[cell] - SAME:
            second.cells[at] = second.cells[at - 1]
            at -= 1
        second.cells[at] = cell
    return many


def lies_deep(grid: Grid, cells: Bytes, cell: int) -> bool:
    """Whether all neighbours of an unknown cell are in the interior."""
    for i in range(grid.degree[cell]):
        other = grid.near[cell, i]
        if cells[other] != UNKNOWN or not is_inside(grid, cells, other):
            return False
    return True


@compiled
def mark_dead(
    grid: Grid,
    cells: Bytes,
    mines: int,
    work: Work,
    chances: Floats,
    ahead: Ahead,
    least: float,
) -> None:
    """Mark the cells that are free with at least some chance, and would show the same then."""
    ahead.dead[:] = 0
    for cell in range(len(cells)):
        if cells[cell] != UNKNOWN or 1.0 - chances[cell] < least:
            continue
        inside = False
        for i in range(grid.degree[cell]):
            other = grid.near[cell, i]
            if cells[other] == UNKNOWN and is_inside(grid, cells, other):
                inside = True
        # Cells of the interior are hardly ever all alike: that is not looked into.
        if not inside and try_cell(grid, cells, mines, work, chances, ahead, cell) == 1:
            ahead.dead[cell] = 1


@compiled
def best_ahead(
    grid: Grid,
    cells: Bytes,
    mines: int,
    work: Work,
    chances: Floats,
    second: Second,
    weights: Floats,
) -> int:
    """The cell with the best prospects one move ahead.

    Its prospects are the sum, over what it may show, of the chance of that and the safety of the
    next move: ``weights[2]`` of the safest living cell's, the rest of the second safest one's. To
    that comes ``weights[3]`` for the chance that a cell is certain then. The chance that it is free
    is raised by ``weights[4]`` of the chance that it has to be guessed at anyway.

    Args:
        grid: the neighbours.
        cells: what is known; as it was in the end.
        mines: of the whole board.
        work: as ``find_chances`` left it.
        chances: as it filled them.
        second: scratch.
        weights: five numbers; the first two as in ``list_candidates``.
    """
    ahead, safety = second.ahead, second.safety
    safest = 0.0
    for cell in range(len(cells)):
        safety[cell] = 1.0 - chances[cell]
        if cells[cell] == UNKNOWN:
            safest = max(safest, safety[cell])
    mark_dead(grid, cells, mines, work, chances, ahead, safest * weights[0] - SAME)
    find_pairs(grid, cells, mines, work, second.pairs)
    for cell in range(len(cells)):
        if cells[cell] == UNKNOWN:
            safety[cell] += weights[4] * min(second.pairs.guessed[cell], safety[cell])
    many = list_candidates(grid, cells, second, weights[0], weights[1])
    if not many:
        ahead.dead[:] = 0
        list_candidates(grid, cells, second, 1.0, 1.0)
        return int(second.cells[0])
    best, chosen = -1.0, second.cells[0]
    for i in range(many):
        cell = second.cells[i]
        if safety[cell] * (1.0 + weights[3]) <= best + SAME:
            break
        if try_cell(grid, cells, mines, work, chances, ahead, cell) < 0:
            break
        next_safe = progress = 0.0
        for value in range(VALUES):
            chance, seen = ahead.seen[value, CHANCE], ahead.seen[value]
            next_safe += chance * (weights[2] * seen[SAFEST] + (1.0 - weights[2]) * seen[SECOND])
            progress += chance * (seen[CERTAIN] > 0.0)
        prospects = next_safe * (1.0 + weights[3] * progress)
        prospects *= safety[cell] / (1.0 - chances[cell])
        if prospects > best + SAME:
            best, chosen = prospects, cell
    return int(chosen)


@compiled
def most_progress(
    grid: Grid,
    cells: Bytes,
    mines: int,
    work: Work,
    chances: Floats,
    second: Second,
) -> int:
    """Of the safest cells the one that most likely makes another one certain.

    Then the one with the most certain cells to be expected, then the one whose value is the least
    certain (by its entropy); of equal ones the first, row by row. Arguments as ``best_ahead``.
    """
    ahead = second.ahead
    ahead.dead[:] = 0
    for cell in range(len(cells)):
        second.safety[cell] = 1.0 - chances[cell]
    many = list_candidates(grid, cells, second, 1.0, 1.0)
    best_progress, best_number, best_entropy, chosen = -1.0, -1.0, -1.0, second.cells[0]
    for i in range(many):
        cell = second.cells[i]
        if try_cell(grid, cells, mines, work, chances, ahead, cell) < 0:
            break
        progress = number = entropy = 0.0
        for value in range(VALUES):
            chance, certain = ahead.seen[value, CHANCE], ahead.seen[value, CERTAIN]
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
