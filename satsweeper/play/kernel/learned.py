"""A learned estimate of the chance to win from a position, and the best cell by it.

``judge_cell`` looks one move ahead: ``describe`` makes ``INPUTS`` numbers of the position after
each value, and a small network makes a chance of them, with one layer of rectified sums. The
numbers of the network come from games (``scripts/train_player.py``). ``best_learned`` looks two
moves ahead, and multiplies the estimate by the prospects that ``best_ahead`` compares: both err,
but not alike.
"""

from math import exp, log
from typing import Final, NamedTuple

from satsweeper.play.kernel.chances import Workspace, find_chances, room_for_work
from satsweeper.play.kernel.compiled import compiled
from satsweeper.play.kernel.grid import (
    DONE,
    KNOWN_MINE,
    UNKNOWN,
    Adjacency,
    Bytes,
    Floats,
    floats,
    is_inside,
)
from satsweeper.play.kernel.lookahead import (
    CERTAIN,
    CHANCE,
    DOUBT,
    EDGES,
    INSIDE,
    INSIDE_SAFE,
    LAYOUTS_LEFT,
    PARTS,
    SAFEST,
    SECOND,
    SPECTRUM,
    VALUES,
    try_cell,
)
from satsweeper.play.kernel.second_safety import (
    SAME,
    Candidates,
    find_candidates,
    list_candidates,
    prospects_of,
    room_for_candidates,
)

BINS: Final = len(EDGES) + 3
INPUTS: Final = 22 + BINS
"""The numbers that describe a position to the network."""
LOOKED_AT: Final = 5
"""The most candidates that are judged two moves deep: those that are best one move deep."""
CLOSE: Final = 0.97
"""The least score of a candidate that is judged two moves deep, as a share of the best score."""
ANSWERS: Final = 5
"""The most candidates for the second move."""


class WinNetwork(NamedTuple):
    """A network, and scratch.

    ``hidden[unit, :INPUTS]``: the weights of a hidden unit, and ``hidden[unit, INPUTS]`` its
    constant. ``output``: the weights of the hidden units, then of the inputs, last the constant.
    ``inputs[value]`` describes the position after a value; ``worth[value]`` is the estimate for it.
    """

    hidden: Floats
    output: Floats
    inputs: Floats
    worth: Floats


def room_for_network(units: int) -> WinNetwork:
    """Room for a network with ``units`` hidden units, whose numbers are all 0."""
    return WinNetwork(
        floats(units, INPUTS + 1),
        floats(units + INPUTS + 1),
        floats(VALUES, INPUTS),
        floats(VALUES),
    )


class SecondMove(NamedTuple):
    """Scratch for the position after a move; ``scores`` of the candidates for the first move."""

    work: Workspace
    chances: Floats
    candidates: Candidates
    network: WinNetwork
    scores: Floats


def room_for_second_move(cells: int, work: Workspace, network: WinNetwork) -> SecondMove:
    """Scratch beside ``work``, the scratch of the position itself, for a network given."""
    after = room_for_work(cells, work.sweep)
    return SecondMove(
        after,
        floats(cells),
        room_for_candidates(cells, after),
        WinNetwork(network.hidden, network.output, floats(VALUES, INPUTS), floats(VALUES)),
        floats(cells),
    )


@compiled
def judge_cell(
    grid: Adjacency,
    cells: Bytes,
    mines: int,
    work: Workspace,
    candidates: Candidates,
    network: WinNetwork,
    cell: int,
) -> float:
    """Estimate the chance to win by opening ``cell``; -1 if a region is too wide.

    Args:
        grid: the neighbours.
        cells: the code of what is known of each cell; restored on return.
        mines: the number of mines of the whole board.
        work: as ``find_chances`` left it for this position.
        candidates: as ``find_candidates`` left them; the cell is tried.
        network: ``inputs`` and ``worth`` are filled for the values that the cell may show.
        cell: an unknown cell that may be free.
    """
    lookahead = candidates.lookahead
    if try_cell(grid, cells, mines, work, lookahead, cell) < 0:
        return -1.0
    describe(grid, cells, mines, candidates, network.inputs, cell)
    total = 0.0
    for value in range(VALUES):
        chance = lookahead.seen[value, CHANCE]
        if chance > 0.0:
            network.worth[value] = estimate(network, network.inputs[value])
            total += chance * network.worth[value]
    return total


def describe(
    grid: Adjacency,
    cells: Bytes,
    mines: int,
    candidates: Candidates,
    inputs: Floats,
    cell: int,
) -> None:
    """Fill ``inputs[value]`` for each value that ``cell``, which was tried last, may show.

    Arguments as ``judge_cell``.
    """
    guessed = candidates.pairs.guessed
    unknown = 0
    left = mines
    forced = 0.0
    for other in range(len(cells)):
        if cells[other] == UNKNOWN:
            unknown += 1
            forced += guessed[other]
        elif cells[other] == KNOWN_MINE:
            left -= 1
    known = around = around_inside = 0
    for i in range(grid.degree[cell]):
        other = grid.near[cell, i]
        if cells[other] == KNOWN_MINE:
            known += 1
        elif cells[other] == UNKNOWN:
            around += 1
            around_inside += is_inside(grid, cells, other)
    for value in range(VALUES):
        seen, row = candidates.lookahead.seen[value], inputs[value]
        if seen[CHANCE] <= 0.0:
            continue
        # What is certain is as good as known: ``covered`` cells, with ``rest`` mines, are in
        # question.
        free, mined = seen[SPECTRUM], seen[SPECTRUM + BINS - 1]
        covered = max(unknown - 1 - free - mined, 1.0)
        rest = left - mined
        layouts = max(seen[LAYOUTS_LEFT], 0.0)
        row[0] = log(1.0 + layouts)
        row[1] = layouts / covered
        row[2] = log(covered)
        row[3] = rest / covered
        row[4] = log(1.0 + seen[INSIDE])
        row[5] = seen[INSIDE_SAFE]
        row[6] = seen[SAFEST]
        row[7] = seen[SECOND]
        row[8] = 1.0 if seen[CERTAIN] > 0.0 else 0.0
        row[9] = log(1.0 + seen[CERTAIN])
        row[10] = seen[DOUBT]
        row[11] = seen[PARTS]
        row[12] = forced - 2.0 * guessed[cell]
        row[13] = guessed[cell]
        row[14] = 1.0 if value == known else 0.0
        row[15] = value - known
        row[16] = around
        row[17] = around_inside
        row[18] = covered - (seen[INSIDE] if seen[INSIDE_SAFE] < 1.0 else 0.0)
        row[19] = seen[INSIDE] / covered
        row[20] = rest
        row[21] = layouts
        for i in range(BINS):
            row[22 + i] = seen[SPECTRUM + i]


def estimate(network: WinNetwork, inputs: Floats) -> float:
    """The output of the network for ``INPUTS`` numbers: a chance, by the logistic function."""
    hidden, output = network.hidden, network.output
    units = len(hidden)
    total = output[units + INPUTS]
    for i in range(INPUTS):
        total += output[units + i] * inputs[i]
    for unit in range(units):
        part = hidden[unit, INPUTS]
        for i in range(INPUTS):
            part += hidden[unit, i] * inputs[i]
        if part > 0.0:
            total += output[unit] * part
    return 1.0 / (1.0 + exp(-min(max(total, -30.0), 30.0)))


@compiled
def best_learned(
    grid: Adjacency,
    cells: Bytes,
    mines: int,
    work: Workspace,
    chances: Floats,
    candidates: Candidates,
    weights: Floats,
    network: WinNetwork,
    second: SecondMove,
) -> int:
    """The candidate with the largest product of estimate and prospects.

    Of candidates with equal scores one that is better one move deep is chosen, then the first in
    the order of ``list_candidates``.

    Args:
        grid: the neighbours.
        cells: the code of what is known of each cell; restored on return.
        mines: the number of mines of the whole board.
        work: as ``find_chances`` left it for this position.
        chances: as ``find_chances`` filled them.
        candidates: scratch.
        weights: as ``best_ahead``.
        network: its numbers are given.
        second: scratch, with the same network.
    """
    many = find_candidates(grid, cells, mines, work, chances, candidates, weights)
    chosen = candidates.cells[0]
    top = -1.0
    for i in range(many):
        cell = candidates.cells[i]
        judged = judge_cell(grid, cells, mines, work, candidates, network, cell)
        if judged < 0.0:
            return int(chosen)
        second.scores[i] = judged * prospects_of(chances, candidates, weights, cell)
        top = max(top, second.scores[i])
    best = -1.0
    for _ in range(min(many, LOOKED_AT)):
        # The best one move deep that was not looked at yet: scores are positive.
        at = 0
        for i in range(1, many):
            if second.scores[i] > second.scores[at] + SAME:
                at = i
        if second.scores[at] < CLOSE * top:
            break
        second.scores[at] = -1.0
        cell = candidates.cells[at]
        judged = judge_two_deep(
            grid, cells, mines, work, candidates, weights, network, second, cell
        )
        score = judged * prospects_of(chances, candidates, weights, cell)
        if score > best + SAME:
            best, chosen = score, cell
    return int(chosen)


def judge_two_deep(
    grid: Adjacency,
    cells: Bytes,
    mines: int,
    work: Workspace,
    candidates: Candidates,
    weights: Floats,
    network: WinNetwork,
    second: SecondMove,
    cell: int,
) -> float:
    """Estimate as ``judge_cell``, but after a second move; arguments as ``best_learned``."""
    judged = judge_cell(grid, cells, mines, work, candidates, network, cell)
    if judged < 0.0:
        return judged
    total = 0.0
    for value in range(VALUES):
        chance = candidates.lookahead.seen[value, CHANCE]
        if chance > 0.0:
            cells[cell] = value
            answer = judge_answer(grid, cells, mines, candidates, weights, second)
            cells[cell] = UNKNOWN
            total += chance * (network.worth[value] if answer < 0.0 else answer)
    return total


def judge_answer(
    grid: Adjacency,
    cells: Bytes,
    mines: int,
    candidates: Candidates,
    weights: Floats,
    second: SecondMove,
) -> float:
    """Estimate the chance to win by the best second move; -1 if there is none to judge.

    ``cells`` is the position after the first move, ``candidates`` are those of the first move. Dead
    cells and forced pairs are taken from there: dead cells stay dead.
    """
    if find_chances(grid, cells, mines, second.work, second.chances) != DONE:
        return -1.0
    after = second.candidates
    certain, most = -1, 0
    for cell in range(len(cells)):
        after.lookahead.dead[cell] = candidates.lookahead.dead[cell]
        after.pairs.guessed[cell] = candidates.pairs.guessed[cell]
        after.safety[cell] = 1.0 - second.chances[cell]
        if cells[cell] == UNKNOWN and second.chances[cell] == 0.0:
            # A certain cell is opened in any case. The one with the most neighbours in question
            # comes first: which one is first does not change the chance to win, and this one tells
            # the most.
            doubtful = 0
            for i in range(grid.degree[cell]):
                other = grid.near[cell, i]
                doubtful += cells[other] == UNKNOWN and 0.0 < second.chances[other] < 1.0
            if doubtful > most:
                certain, most = cell, doubtful
    if certain >= 0:
        return judge_cell(grid, cells, mines, second.work, after, second.network, certain)
    best = -1.0
    for i in range(min(list_candidates(grid, cells, after, weights[0], weights[1]), ANSWERS)):
        cell = after.cells[i]
        # If all other cells are dead, certain mines are listed.
        if second.chances[cell] < 1.0:
            judged = judge_cell(grid, cells, mines, second.work, after, second.network, cell)
            best = max(best, judged)
    return best
