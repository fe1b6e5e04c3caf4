"""Maximises the chance to win, exactly, where at most ``LAYOUTS`` layouts are left.

The tree over all layouts says what the best play wins from here on; nothing is ignored. Where more
layouts are left, a region that nothing else can change is played so by itself. Where there is none,
or trees take more than ``EFFORT``, another strategy has to choose; for ``exact`` alone that is
``second_safety``, and any other can be named before ``+exact``.
"""

from typing import Final

from satsweeper.board.codes import Cell
from satsweeper.play.kernel.exact import DEAD, TOO_MANY, best_exact
from satsweeper.play.kernel.isolated import NONE, best_isolated
from satsweeper.play.strategies import safest, second_safety
from satsweeper.play.strategies.strategy import Strategy
from satsweeper.play.view import View

LAYOUTS: Final = 2000
EFFORT: Final = 3 * 10**7
"""Cells of layouts that a tree may look at."""


def with_exact(strategy: Strategy) -> Strategy:
    """A strategy that leaves positions with few layouts to the tree."""

    def choose(view: View) -> Cell:
        scratch = view.scratch
        exact = scratch.exact(LAYOUTS)
        index, _, _ = best_exact(
            scratch.grid, view.codes, view.board.mines, scratch.moves.work, exact, EFFORT
        )
        if index == TOO_MANY:
            work = scratch.moves.work
            index, _, _ = best_isolated(scratch.grid, view.codes, work, exact, EFFORT)
            return strategy(view) if index == NONE else view.cell(index)
        return safest.choose(view) if index == DEAD else view.cell(index)

    return choose


choose = with_exact(second_safety.choose)
