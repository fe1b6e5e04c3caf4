"""Advice on one position: the certain moves, else where to guess, and how likely it is to win.

Chances are exact fractions. The chance to win is that of the best play there is, over all layouts
that are left: exact where at most ``LAYOUTS`` are and their tree is small enough, else it is not
told. A strategy puts the cells in order where it is not; where a region is too wide for that, they
are in the order of their odds, and the strategy is told to be ``safest``.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np

from pbcnf.wording import counted
from satsweeper.board.codes import Cell
from satsweeper.board.view import Flags
from satsweeper.count.odds import Odds, digits, fraction, odds
from satsweeper.play.at_position import view_at
from satsweeper.play.first_click import FirstClick, usual_start
from satsweeper.play.kernel.exact import TOO_MANY, list_few, worths_of_places
from satsweeper.play.kernel.grid import ints
from satsweeper.play.kernel.layouts import MINE
from satsweeper.play.playing import TooWideError
from satsweeper.play.scratch import Scratch
from satsweeper.play.strategies.strategy import Strategy
from satsweeper.play.strategies.table import find_strategy
from satsweeper.play.view import Outlook, View
from satsweeper.position import Position

LAYOUTS: Final = 10_000
EFFORT: Final = 3 * 10**8
"""Cells of layouts that the tree may look at: some seconds."""
_SHOWN: Final = 5
"""Choices without an exact value that are told."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A cell to guess at: the chance that it is free, and to win from here on, if that is known.

    ``outlook`` is what it may show, and what would be left; empty where it was not looked into.
    """

    cell: Cell
    safe: Fraction
    win: Fraction | None = None
    outlook: tuple[Outlook, ...] = ()

    def __repr__(self) -> str:
        """In doubles: fractions of large boards have thousands of digits."""
        win = "" if self.win is None else f", win {float(self.win):.4f}"
        return f"Choice({self.cell}, safe {float(self.safe):.4f}{win})"

    @property
    def next_safe(self) -> float | None:
        """The chance to survive this move and the next one, that being the safest then."""
        if not self.outlook:
            return None
        return sum(each.chance * each.safest for each in self.outlook)

    @property
    def progress(self) -> float | None:
        """The chance that a cell is certain to be free after this move."""
        if not self.outlook:
            return None
        return sum(each.chance for each in self.outlook if each.certain)


@dataclass(frozen=True, slots=True)
class Advice:
    """``certain``: cells that are free in every layout; else ``choices``, best first.

    ``layouts`` is how many layouts there are.
    """

    position: Position
    strategy: str
    certain: tuple[Cell, ...]
    choices: tuple[Choice, ...]
    layouts: int

    def __repr__(self) -> str:
        """What there is to do, in one line."""
        if self.certain:
            return f"Advice({self.position}, {counted(len(self.certain), 'certain cell')})"
        best = f", best {self.choices[0].cell}" if self.choices else ""
        return f"Advice({self.position}, {counted(len(self.choices), 'choice')}{best})"

    def as_json(self) -> dict[str, Any]:
        """The object that ``advise --json`` prints."""
        return {
            "schema": "satsweeper/advise/1",
            "rows": self.position.rows,
            "columns": self.position.columns,
            "mines": self.position.mines,
            "strategy": self.strategy,
            "layouts": digits(self.layouts),
            "certain": [list(cell) for cell in self.certain],
            "choices": [_as_json(choice) for choice in self.choices],
        }


def advise(
    position: Position,
    strategy: str | Strategy = "exact",
    *,
    first_click: str | FirstClick = FirstClick.NONE,
    flags: Flags = "trust",
) -> Advice:
    """What to do in a position.

    Args:
        position: a board, with its total.
        strategy: who decides where the chance to win is not known exactly.
        first_click: on a board with nothing open: SAFE and OPENING tell the chances that each cell
            has if it is promised to be free, alone or with its neighbours.
        flags: whether flags are trusted to be mines, or ignored.

    Raises:
        ValueError: the total is unknown; a promise of the first click where cells are open, or
            WINDOWS, whose layouts are not equally likely; an unknown strategy.
        NoLayoutError: the position contradicts itself.
        OddsLimitError: counting would take too long.

    >>> best = advise(Position.parse("4 4 4\\n????\\n????\\n????\\n????")).choices[0]
    >>> best.cell, best.safe, best.win
    ((0, 1), Fraction(3, 4), Fraction(961, 1820))
    """
    name = strategy if isinstance(strategy, str) else getattr(strategy, "__name__", "own")
    choose = find_strategy(strategy) if isinstance(strategy, str) else strategy
    promise = FirstClick(first_click)
    if position.mines is None:
        raise ValueError("advice needs the total: mines may be anywhere without it")
    if promise is FirstClick.WINDOWS:
        raise ValueError("under 'windows' layouts are not equally likely: there are no exact odds")
    if promise is not FirstClick.NONE and position.clue_cells():
        raise ValueError(f"first click {str(promise)!r}: cells are open already")
    found = odds(position, flags=flags)
    certain = tuple(cell for cell, chance in found.mine.items() if chance == 0)
    if promise is FirstClick.NONE and (certain or not found.mine):
        return Advice(position, name, certain, (), found.solutions)
    try:
        with view_at(position, found, flags) as view:
            choices = _exact(view, found, promise)
            if choices is None and promise is not FirstClick.NONE:
                choices = _promised(view, promise)
            elif choices is None:
                choices = _by_strategy(view, found, choose)
    except TooWideError:
        name, choices = "safest", _safest(found)
    return Advice(position, name, (), tuple(choices), found.solutions)


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


def _safest(found: Odds) -> list[Choice]:
    """The cells that are safest by their odds alone."""
    cells = sorted(found.mine, key=lambda cell: (found.mine[cell], cell))[:_SHOWN]
    return [Choice(cell, 1 - found.mine[cell]) for cell in cells]


def _as_json(choice: Choice) -> dict[str, Any]:
    told: dict[str, Any] = {"cell": list(choice.cell), "safe": fraction(choice.safe)}
    if choice.win is not None:
        told["win"] = fraction(choice.win)
    if choice.outlook:
        told["next_safe"], told["progress"] = choice.next_safe, choice.progress
        told["outlook"] = [each._asdict() for each in choice.outlook]
    return told
