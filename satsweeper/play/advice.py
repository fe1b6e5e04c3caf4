"""Advice on one position: the certain moves, else where to guess, and how likely it is to win.

Chances are exact fractions. The chance to win is the share of all remaining layouts that the best
play wins. It is given, exactly, only where at most ``playing.LAYOUTS`` layouts are left and their
tree is small enough; elsewhere a strategy puts the cells in order. Where a region is too wide for a
strategy, the cells are in the order of their odds, and ``Advice.strategy`` is ``safest``.
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
"""The most choices where only the odds put cells in order."""


def advise(
    position: Position,
    strategy: str | Strategy = "exact",
    *,
    first_click: str | FirstClick = FirstClick.NONE,
    flags: Flags = "trust",
) -> Advice:
    """Advise on a position: the certain moves, else choices for a guess.

    Args:
        position: a board; without a total the advice has certain moves only, and no choices.
        strategy: puts cells in order where the chance to win is not known exactly: a name as for
            ``find_strategy``, or a function.
        first_click: the promise about the next move, on a board with nothing open. Under SAFE the
            choices give for each cell the chance to win if the cell is free; under OPENING, if the
            cell and its neighbours are free.
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
    # The answer names a function by its own name, and a nameless callable as "own".
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
        # Without the total, only cells that are free for every total are certain, and no guess can
        # be advised. With it, certain cells make a guess needless, unless the first click changes
        # the chances.
        stuck = position.mines is None and not certain and any(x < 1 for x in found.distinct())
        return Advice(position, name, certain, (), found.solutions, stuck)
    # Imported here, as advice of certain cells needs no numpy.
    from satsweeper.play.playing import choices_at

    choices = choices_at(position, found, strategy, promise, flags)
    if choices is None:
        cells = sorted(found.mine, key=lambda cell: (found.mine[cell], cell))[:_SHOWN]
        name, choices = "safest", [Choice(cell, 1 - found.mine[cell]) for cell in cells]
    return Advice(position, name, (), tuple(choices), found.solutions)
