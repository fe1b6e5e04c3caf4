"""A strategy that maximises a weighted sum of five features, and ignores almost all of the layouts.

It is the guess of a solver of 2012 (danamlund's), with the weights of its document. Each
consideration is between 0 and 1 there; how, the document leaves open but for one, and here:

* neighbours that are no mines, that are unknown, and that are known mines: of eight each. No mines
  are open cells, since every cell that is known to be safe is open when a guess is needed.
* the chance of no mine: the worst that a numbered neighbour gives, the share of its unknown
  neighbours that are free; without one, the share of all unknown cells that are free.
* whether the first of its methods, clues one by one, goes on if the cell is free: the mines that a
  numbered neighbour still needs are then all its other unknown neighbours.
"""

from satsweeper.board.codes import Cell
from satsweeper.play.kernel.grid import KNOWN_MINE, UNKNOWN
from satsweeper.play.view import GuessView

FREE, UNSURE, MINED, CHANCE, GOES_ON = 0.3, 0.1, 0.3, 2.5, 1.0
"""The weights of the five features."""


def score_003(view: GuessView) -> Cell:
    """The covered cell with the highest score; of equal ones the first, row by row."""
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
