"""Checkerboards: the safe cells of one colour opened, a single region with very many layouts."""

from random import Random

import numpy as np

from satsweeper.board.codes import COVERED
from satsweeper.position import Position


def checkerboard(n: int, share: float = 0.3, seed: int = 0, *, total: bool = False) -> Position:
    """Return a board of n x n cells: mines drawn uniformly, the safe cells of one colour opened.

    The cells of the other colour stay covered, and each is seen by four clues at most. The drawn
    layout is one of the position's, so that it is consistent.

    Args:
        n: rows and columns, at least 1.
        share: of the cells that are mines, 0 to 1.
        seed: equal arguments give equal boards.
        total: whether the board states the number of mines.

    Raises:
        ValueError: n or share is out of its range.

    >>> print(checkerboard(4, seed=1).text(), end="")
    4 4 ?
    1?0?
    ?1?0
    3?3?
    ????
    """
    if n < 1 or not 0 <= share <= 1:
        raise ValueError(f"n={n}, share={share}: at least 1, and 0 to 1")
    cells = n * n
    mines = round(share * cells)
    # A text seeds by its SHA-512: the same everywhere.
    laid = np.zeros((n + 2, n + 2), np.int8)
    drawn = Random(f"checkerboard {n} {mines} {seed}").sample(range(cells), mines)
    row, column = np.divmod(np.array(drawn, np.intp), n)
    laid[row + 1, column + 1] = 1
    shown = np.full((n, n), COVERED, np.int8)
    for row, column in np.ndindex(n, n):
        if (row + column) % 2 == 0 and not laid[row + 1, column + 1]:
            shown[row, column] = int(np.sum(laid[row : row + 3, column : column + 3]))
    return Position(shown, mines if total else None)
