"""Advice on one position: the certain moves, else where to guess, and how likely it is to win.

Chances are exact fractions. The chance to win is that of the best play there is, over all layouts
that are left: exact where at most ``LAYOUTS`` are and their tree is small enough, else it is not
told. A strategy puts the cells in order where it is not; where a region is too wide for that, they
are in the order of their odds, and the strategy is told to be ``safest``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from satsweeper.board.facts import Flags
from satsweeper.count.odds import odds
from satsweeper.play.choice import Advice, Choice
from satsweeper.play.draw import FirstClick
from satsweeper.play.strategies.table import check_strategy
from satsweeper.position import Position

if TYPE_CHECKING:
    from satsweeper.play.view import Strategy


_SHOWN: Final = 5
"""The number of choices where only the odds put cells in order."""


def advise(
    position: Position,
    strategy: str | Strategy = "exact",
    *,
    first_click: str | FirstClick = FirstClick.NONE,
    flags: Flags = "trust",
) -> Advice:
    """Advise on a position: the certain moves, else choices for a guess.

    Args:
        position: a board; without its total there are certain moves alone, and no choices.
        strategy: who decides where the chance to win is not known exactly.
        first_click: on a board with nothing open: SAFE and OPENING tell the chances that each cell
            has if it is promised to be free, alone or with its neighbours.
        flags: whether flags are trusted to be mines, or ignored.

    Raises:
        ValueError: a promise of the first click where cells are open, or WINDOWS, whose layouts
            are not equally likely; an unknown strategy.
        NoLayoutError: the position contradicts itself.
        OddsLimitError: counting would take too long.

    >>> best = advise(Position.parse("4 4 4\\n????\\n????\\n????\\n????")).choices[0]
    >>> best.cell, best.safe, best.win
    ((0, 1), Fraction(3, 4), Fraction(961, 1820))
    """
    name = strategy if isinstance(strategy, str) else getattr(strategy, "__name__", "own")
    if isinstance(strategy, str):
        check_strategy(strategy)
    promise = FirstClick(first_click)
    if promise is FirstClick.WINDOWS:
        raise ValueError("under 'windows' layouts are not equally likely: there are no exact odds")
    if promise is not FirstClick.NONE and position.clue_cells():
        raise ValueError(f"first click {str(promise)!r}: cells are open already")
    found = odds(position, flags=flags)
    certain = tuple(cell for cell, chance in found.mine.items() if chance == 0)
    if position.mines is None or (promise is FirstClick.NONE and (certain or not found.mine)):
        # A cell that is free whatever the total is stays so; chances and guesses need the total.
        stuck = position.mines is None and not certain and any(x < 1 for x in found.distinct())
        return Advice(position, name, certain, (), found.solutions, stuck)
    # What is certain needs no arrays.
    from satsweeper.play.playing import choices_at

    choices = choices_at(position, found, strategy, promise, flags)
    if choices is None:
        cells = sorted(found.mine, key=lambda cell: (found.mine[cell], cell))[:_SHOWN]
        name, choices = "safest", [Choice(cell, 1 - found.mine[cell]) for cell in cells]
    return Advice(position, name, (), tuple(choices), found.solutions)
