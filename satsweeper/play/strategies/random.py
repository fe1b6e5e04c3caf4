"""Maximises nothing: any covered cell, each as likely as the others.

The cell is drawn from the position itself, so that a game is played the same way again.
"""

from hashlib import sha256

from satsweeper.board.codes import Cell
from satsweeper.play.view import View


def choose(view: View) -> Cell:
    """A covered cell by chance."""
    drawn = int.from_bytes(sha256(view.codes.tobytes()).digest(), "big")
    return view.covered[drawn % len(view.covered)]
