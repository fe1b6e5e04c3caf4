"""Maximises the chance to survive the guess; ignores what is learned by it.

Of equally safe cells the one with the fewest neighbours, as it most likely shows a 0; then the
first, row by row.
"""

import numpy as np

from satsweeper.board.codes import Cell
from satsweeper.play.kernel.second_safety import SAME
from satsweeper.play.view import View


def choose(view: View) -> Cell:
    """The covered cell that is least likely a mine."""
    chances = view.scratch.chances
    equal = np.flatnonzero(chances <= chances.min() + SAME)
    return view.cell(int(equal[np.argmin(view.scratch.grid.degree[equal])]))
