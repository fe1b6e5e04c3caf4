"""The strategies of the table: functions from a view to a covered cell.

The docstring of each function says which quantity the strategy maximises, and what it ignores.
"""

import json
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Final

import numpy as np

from satsweeper.board.codes import Cell
from satsweeper.play.kernel.exact import DEAD, NONE, TOO_MANY, best_exact, best_isolated
from satsweeper.play.kernel.grid import KNOWN_MINE, UNKNOWN
from satsweeper.play.kernel.learned import WinNetwork, best_learned, room_for_network
from satsweeper.play.kernel.second_safety import best_ahead, most_progress, safest_cell
from satsweeper.play.view import GuessView, Strategy

FREE, UNSURE, MINED, CHANCE, GOES_ON = 0.3, 0.1, 0.3, 2.5, 1.0
"""The weights of the five features of ``score_003``."""

WEIGHTS: Final = np.array([0.9, 0.95, 0.8, 0.001, 0.9])
"""Weights of ``second_safety``, chosen by games on other layouts than those in the published table.

The least safety of a candidate on the frontier, and in the interior, both as a share of the safety
of the safest cell; the weight of the safest cell in the safety of the next move, where the second
safest cell has the rest; the gain by a certain cell; the gain by a forced guess (see
``kernel.second_safety.best_ahead``).
"""
LAYOUTS: Final = 2000
"""The most layouts over which ``exact`` searches a tree."""
EFFORT: Final = 3 * 10**7
"""The most entries of the table of layouts that a tree may read."""


def random(view: GuessView) -> Cell:
    """Maximise nothing: any covered cell, all equally likely.

    The cell is drawn from a digest of the position, so that equal positions get equal guesses.
    """
    drawn = int.from_bytes(sha256(view.codes.tobytes()).digest(), "big")
    return view.covered[drawn % len(view.covered)]


def score_003(view: GuessView) -> Cell:
    """Maximise a weighted sum of five features; ignore almost all of the layouts.

    The strategy is the guess of danamlund's solver of 2012, with the weights of its document. There
    each feature is between 0 and 1; the document defines one of them, and this function all five:

    * the neighbours that are no mines, that are unknown, and that are known mines, each number
      divided by eight. Neighbours that are no mines are open cells, since every cell known to be
      safe is open when a guess is needed.
    * the chance of no mine: for each clue around, the share of free cells among its unknown
      neighbours; the least of these shares. Without a clue around, the share of free cells among
      all unknown cells.
    * whether the solver's first method, single clues, continues if the cell is free: a clue around
      then needs no mine, or as many mines as it has other unknown neighbours.

    Of cells with equal scores the first, row by row, is chosen.
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

    Of equally safe cells the first beside a clue, row by row, is chosen; without one, the cell with
    the fewest neighbours, which most likely shows a 0.
    """
    return view.best_by(safest_cell)


def progress(view: GuessView) -> Cell:
    """Maximise the chance to survive the guess, then the cells that become certain (PSEQ).

    Of the safest cells the cell that most likely makes another cell certain is chosen; then the
    cell with the largest expected number of certain cells; then the cell whose clue has the largest
    entropy; then as by ``safest``. The strategy ignores that a slightly less safe cell may
    give much more information.

    The four criteria, in this order, are those of Tu, Li, Chen, Cui: Exploring Efficient Strategies
    for Minesweeper (AAAI-17 workshop on what's next for AI in games). There, only neighbours of the
    guess count as made certain; here, all cells.
    """
    return view.best_by(most_progress)


def second_safety(view: GuessView) -> Cell:
    """Maximise the chance to survive the guess and the move after it; ignore all later moves.

    For every clue that a cell may show, the layouts of the new position are counted; the next move
    is as safe as its safest living cells. A *dead* cell, which shows one and the same clue in every
    layout in which the cell is free, gives no information and is chosen last. If a forced guess at
    a cell is likely later, the guess may as well be made now: the chance of the forced guess
    offsets a part of the risk.
    """
    return view.best_by(best_ahead, WEIGHTS)


@cache
def shipped_network() -> WinNetwork:
    """The network of ``learned``, which ``scripts/train_player.py`` makes."""
    return network_of((files(__package__) / "learned.json").read_text(encoding="ascii"))


def network_of(text: str) -> WinNetwork:
    """The network of a file: ``hidden``, numbers for each unit, and ``output``, numbers."""
    held = json.loads(text)
    hidden, output = np.array(held["hidden"], float), np.array(held["output"], float)
    network = room_for_network(len(hidden))
    if hidden.shape != network.hidden.shape or output.shape != network.output.shape:
        raise ValueError(f"{network.hidden.shape[1]} numbers for each unit are needed")
    network.hidden[:], network.output[:] = hidden, output
    return network


def by_network(network: WinNetwork) -> Strategy:
    """The strategy that maximises an estimate by ``network`` of the chance to win, two moves ahead.

    The estimate is multiplied by what ``second_safety`` maximises (``kernel.learned``).
    """

    def choose(view: GuessView) -> Cell:
        return view.best_by(best_learned, WEIGHTS, network, view.scratch.second_move(network))

    return choose


def with_exact(strategy: Strategy) -> Strategy:
    """A strategy that plays exactly where at most ``LAYOUTS`` layouts are left, else ``strategy``.

    The tree over all layouts maximises the chance to win from the position on, and ignores nothing.
    Where more layouts are left, a tree over the layouts of an isolated region chooses. Where there
    is no isolated region, or the trees take more than ``EFFORT``, ``strategy`` chooses.
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


def learned(view: GuessView) -> Cell:
    """Maximise an estimate of the chance to win that was learned from games; else as ``exact``.

    The estimate of a network for the position after two moves is multiplied by the prospects that
    ``second_safety`` maximises.
    """
    return with_exact(by_network(shipped_network()))(view)
