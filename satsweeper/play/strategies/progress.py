"""Maximises the chance to survive the guess, then what it makes certain (PSEQ).

Of the safest cells: the one that most likely makes another cell certain; then the one with the most
certain cells to be expected; then the one whose number is the least certain, by its entropy; then
the first, row by row. Ignores that a slightly less safe cell may tell much more.

The order of the four is that of Tu, Li, Chen, Cui: Exploring Efficient Strategies for Minesweeper
(AAAI-17 workshop on what's next for AI in games); there only neighbours count as made certain.
"""

from satsweeper.board.codes import Cell
from satsweeper.play.kernel.second_safety import most_progress
from satsweeper.play.view import View


def choose(view: View) -> Cell:
    """The safest covered cell that promises the most progress."""
    return view.looked_ahead(most_progress)
