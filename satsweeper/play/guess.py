"""Where to guess, if a guess is needed: choices by exact chances to win, else by a strategy."""

from fractions import Fraction
from typing import Final

import numpy as np

from satsweeper.board.view import Flags
from satsweeper.count.odds import Odds
from satsweeper.play.at_position import view_at
from satsweeper.play.choice import Choice
from satsweeper.play.first_click import FirstClick, usual_start
from satsweeper.play.kernel.arrays import ints
from satsweeper.play.kernel.exact import TOO_MANY, list_few, worths_of_places
from satsweeper.play.kernel.layouts import MINE
from satsweeper.play.playing import TooWideError
from satsweeper.play.scratch import Scratch
from satsweeper.play.strategies.strategy import Strategy
from satsweeper.play.strategies.table import find_strategy
from satsweeper.play.view import View
from satsweeper.position import Position

LAYOUTS: Final = 10_000
EFFORT: Final = 3 * 10**8
"""Cells of layouts that the tree may look at: some seconds."""
_SHOWN: Final = 5
"""Choices without an exact value that are told."""


def choices_at(
    position: Position, found: Odds, strategy: str | Strategy, promise: FirstClick, flags: Flags
) -> list[Choice] | None:
    """The choices in a position of these odds, best first; None: too wide for any strategy."""
    choose = find_strategy(strategy) if isinstance(strategy, str) else strategy
    try:
        with view_at(position, found, flags) as view:
            choices = _exact(view, found, promise)
            if choices is None and promise is not FirstClick.NONE:
                choices = _promised(view, promise)
            elif choices is None:
                choices = _by_strategy(view, found, choose)
    except TooWideError:
        return None
    return choices


def _exact(view: View, found: Odds, promise: FirstClick) -> list[Choice] | None:
    """Every covered cell with its exact chance to win, best first; None if it is not known."""
    scratch, board = view.scratch, view.board
    if found.solutions > LAYOUTS:
        return None
    exact = scratch.exact(LAYOUTS)
    many = list_few(scratch.grid, view.codes, board.mines, scratch.moves.work, exact)
    if many == TOO_MANY:
        return None
    shows, places = exact.layouts.shows, len(view.covered)
    if promise is FirstClick.OPENING:
        return _after_openings(view, scratch, many)
    worths = ints(places)
    if not worths_of_places(shows, exact.tree, places, many, EFFORT, worths):
        return None
    choices = []
    for place in range(places):
        cell = view.cell(int(exact.layouts.place_cell[place]))
        free = int(np.count_nonzero(shows[place, :many] != MINE))
        if free:
            safe = Fraction(1) if promise is FirstClick.SAFE else Fraction(free, many)
            among = free if promise is FirstClick.SAFE else many
            choices.append(Choice(cell, safe, Fraction(int(worths[place]), among)))
    return sorted(choices, key=lambda choice: (-(choice.win or 0), -choice.safe, choice.cell))


def _after_openings(view: View, scratch: Scratch, many: int) -> list[Choice] | None:
    exact = scratch.exact(LAYOUTS)
    shows, places = exact.layouts.shows, len(view.covered)
    worths, choices = ints(places), []
    for place in range(places):
        zeros = np.flatnonzero(shows[place, :many] == 0)
        if not len(zeros):
            continue
        part = np.ascontiguousarray(shows[:, zeros])
        if not worths_of_places(part, exact.tree, places, len(zeros), EFFORT, worths):
            return None
        win = Fraction(int(worths[place]), len(zeros))
        choices.append(Choice(view.cell(int(exact.layouts.place_cell[place])), Fraction(1), win))
    return sorted(choices, key=lambda choice: (-(choice.win or 0), choice.cell))


def _promised(view: View, promise: FirstClick) -> list[Choice]:
    """Where published games start."""
    return [Choice(usual_start(view.board, promise), Fraction(1))]


def _by_strategy(view: View, found: Odds, choose: Strategy) -> list[Choice]:
    """The strategy's cell and the safest others, each with what it may show."""
    chosen = choose(view)
    safest = sorted(view.covered, key=lambda cell: (found.mine[cell], cell))
    cells = [chosen, *(cell for cell in safest if cell != chosen)][:_SHOWN]
    return [Choice(cell, 1 - found.mine[cell], None, tuple(view.ahead(cell))) for cell in cells]
