"""The strategies of the table: functions from a view to a covered cell.

Each function says what it maximises, and what it ignores.
"""

from hashlib import sha256
from typing import Final

import numpy as np

from satsweeper.board.codes import Cell
from satsweeper.play.kernel.exact import DEAD, NONE, TOO_MANY, best_exact, best_isolated
from satsweeper.play.kernel.grid import KNOWN_MINE, UNKNOWN
from satsweeper.play.kernel.second_safety import SAME, best_ahead, most_progress
from satsweeper.play.view import GuessView, Strategy

FREE, UNSURE, MINED, CHANCE, GOES_ON = 0.3, 0.1, 0.3, 2.5, 1.0
"""The weights of the five features of ``score_003``."""

WEIGHTS: Final = np.array([0.9, 0.95, 0.8, 0.001, 0.9])
"""Weights of ``second_safety``, chosen by games on other layouts than those in the published table.

The least safety of a candidate, as a share of the safest cell's, on the frontier and in the
interior; the weight of the safest cell in the next move, the rest being the second safest one's;
the gain by a certain cell; and the gain by a guess that cannot be avoided.
"""
LAYOUTS: Final = 2000
"""The most layouts over which ``exact`` searches a tree."""
EFFORT: Final = 3 * 10**7
"""The most values of cells in layouts that a tree may look at."""


def random(view: GuessView) -> Cell:
    """Maximise nothing: any covered cell, all equally likely.

    The cell is drawn from the position itself, so that a game is played the same way again.
    """
    drawn = int.from_bytes(sha256(view.codes.tobytes()).digest(), "big")
    return view.covered[drawn % len(view.covered)]


def score_003(view: GuessView) -> Cell:
    """Maximise a weighted sum of five features; ignore almost all of the layouts.

    It is the guess of a solver of 2012 (danamlund's), with the weights of its document. Each
    feature is between 0 and 1 there; how, the document leaves open but for one, and here:

    * neighbours that are no mines, that are unknown, and that are known mines: of eight each. No
      mines are open cells, since every cell known to be safe is open when a guess is needed.
    * the chance of no mine: the worst that a numbered neighbour gives, the share of its unknown
      neighbours that are free; without one, the share of all unknown cells that are free.
    * whether the first of its methods, clues one by one, goes on if the cell is free: the mines
      that a numbered neighbour still needs are then all its other unknown neighbours.

    Of cells with equal scores the first, row by row.
    """
    codes, near = view.codes.tolist(), view.scratch.grid.near.tolist()
    unknown = codes.count(UNKNOWN)
    everywhere = 1 - (view.board.mines - codes.count(KNOWN_MINE)) / unknown
    best, chosen = -1.0, -1
    for cell, code in enumerate(codes):
        if code == UNKNOWN:
            score = _score(codes, near, cell, everywhere)
            if score > best:
                best, chosen = score, cell
    return view.cell(chosen)


def _score(codes: list[int], near: list[list[int]], cell: int, everywhere: float) -> float:
    around = [codes[other] for other in near[cell] if other >= 0]
    unknown, mined = around.count(UNKNOWN), around.count(KNOWN_MINE)
    chance, goes_on = 1.0, False
    for clue in near[cell]:
        if clue >= 0 and codes[clue] >= 0:
            beside = [codes[other] for other in near[clue] if other >= 0]
            left, need = beside.count(UNKNOWN), codes[clue] - beside.count(KNOWN_MINE)
            chance = min(chance, 1 - need / left)
            goes_on = goes_on or (left > 1 and need in (0, left - 1))
    if unknown + mined == len(around):
        chance = everywhere
    score = FREE * (len(around) - unknown - mined) / 8 + UNSURE * unknown / 8 + MINED * mined / 8
    return score + CHANCE * chance + GOES_ON * goes_on


def safest(view: GuessView) -> Cell:
    """Maximise the chance to survive the guess; ignore the information gained.

    Of equally safe cells the cell with the fewest neighbours, which most likely shows a 0; then the
    first, row by row.
    """
    chances = view.scratch.chances
    equal = np.flatnonzero(chances <= chances.min() + SAME)
    return view.cell(int(equal[np.argmin(view.scratch.grid.degree[equal])]))


def progress(view: GuessView) -> Cell:
    """Maximise the chance to survive the guess, then the cells that become certain (PSEQ).

    Of the safest cells the cell that most likely makes another cell certain; then the cell with the
    most certain cells to be expected; then the cell whose clue has the largest entropy; then the
    first, row by row. Ignores that a slightly less safe cell may tell much more.

    The order of the four is that of Tu, Li, Chen, Cui: Exploring Efficient Strategies for
    Minesweeper (AAAI-17 workshop on what's next for AI in games); there only neighbours count as
    made certain.
    """
    return view.best_by(most_progress)


def second_safety(view: GuessView) -> Cell:
    """Maximise the chance to survive the guess and the move after it; ignore all later moves.

    For every clue that a cell may show, the position is counted afresh: the next move is as safe as
    the safest living cell is then. A *dead* cell, which shows the same clue wherever it is free,
    tells nothing, and comes last. Where a guess between two cells may be all that is left for them
    in the end, the guess may as well be made now: its chance makes up for a part of the risk.
    """
    return view.best_by(best_ahead, WEIGHTS)


def with_exact(strategy: Strategy) -> Strategy:
    """A strategy that plays exactly where at most ``LAYOUTS`` layouts are left, else ``strategy``.

    The tree over all layouts maximises the chance to win from here on, and ignores nothing. Where
    more layouts are left, an isolated region is played so by itself. Where there is none, or trees
    take more than ``EFFORT``, ``strategy`` chooses.
    """

    def choose(view: GuessView) -> Cell:
        scratch, work = view.scratch, view.scratch.moves.work
        room = scratch.exact(LAYOUTS)
        index, _, _ = best_exact(scratch.grid, view.codes, view.board.mines, work, room, EFFORT)
        if index == TOO_MANY:
            index, _, _ = best_isolated(scratch.grid, view.codes, work, room, EFFORT)
            return strategy(view) if index == NONE else view.cell(index)
        return safest(view) if index == DEAD else view.cell(index)

    return choose


exact: Final = with_exact(second_safety)
