"""Chessboards to be covered by dominoes, as positions of Minesweeper.

A square of the chessboard is a clue, a domino's place (two squares side by side) is the covered
cell between them, everything else is a mine that is given by a flag. A clue says: one more mine
than the flags around, so that one of the dominoes at this square is laid. Layouts are coverings.

Without two opposite corners there is none: both have the colour of the diagonal, and a domino
covers one square of either colour. (So it is wherever more squares of a colour are left.) Every
refutation in resolution is exponential: M. Alekhnovich, Mutilated chessboard problem is
exponentially hard for resolution, Theoretical Computer Science 310 (2004) 513-525. In linear
programming it is one line: black squares less white ones.
"""

from collections.abc import Iterable, Mapping
from random import Random

import numpy as np
from numpy.typing import NDArray

from satsweeper.board.codes import COVERED, FLAG, Cell
from satsweeper.position import Position

Square = tuple[int, int]
"""Row and column on the chessboard, from 0."""


def mutilated_chessboard(n: int, missing: Iterable[Square] | None = None) -> Position:
    """Return the chessboard of n x n squares without ``missing``; it has no layout.

    The board has 2n + 1 rows and columns; square (i, j) is the clue at (2i + 1, 2j + 1).

    Args:
        n: squares a side.
        missing: the squares that are left out, two opposite corners unless given.

    Raises:
        ValueError: as many black as white squares are left, or one is left without a neighbour.

    >>> print(mutilated_chessboard(3).text(), end="")
    7 7 ?
    FFFFFFF
    FFF7?7F
    FFF?F?F
    F7?5?7F
    F?F?FFF
    F7?7FFF
    FFFFFFF
    """
    out = {(0, 0), (n - 1, n - 1)} if missing is None else set(missing)
    left = {(i, j) for i in range(n) for j in range(n)} - out
    if 2 * sum((i + j) % 2 for i, j in left) == len(left):
        raise ValueError(f"n={n} without {sorted(out)}: as many black squares as white ones")
    for i, j in left:
        if not left & {(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)}:
            raise ValueError(f"n={n} without {sorted(out)}: {(i, j)} has no neighbour")
    cells = _dominoes(n)
    for row, column in [_place(square) for square in out]:
        cells[row, column - 1 : column + 2] = FLAG
        cells[row - 1 : row + 2, column] = FLAG
    return with_flags_counted(cells, dict.fromkeys(map(_place, left), 1))


def chessboard_with_private_cells(n: int) -> Position:
    """Return the whole chessboard with one more covered cell at each of two opposite corners.

    Both cells, (0, 0) and (2n, 2n), are safe: were one a mine, the rest would be a chessboard that
    lacks one square, or two of a colour. The layouts are the coverings of n x n by dominoes.

    Raises:
        ValueError: n is odd or below 2; then a covering needs one of the two cells.

    >>> print(chessboard_with_private_cells(2).text(), end="")
    5 5 ?
    ?FFFF
    F6?7F
    F?F?F
    F7?6F
    FFFF?
    """
    if n < 2 or n % 2:
        raise ValueError(f"n={n}: an even number of at least 2 is needed")
    cells = _dominoes(n)
    cells[0, 0] = cells[-1, -1] = COVERED
    squares = [(i, j) for i in range(n) for j in range(n)]
    return with_flags_counted(cells, dict.fromkeys(map(_place, squares), 1))


def _place(square: Square) -> tuple[int, int]:
    return 2 * square[0] + 1, 2 * square[1] + 1


def _dominoes(n: int) -> NDArray[np.int8]:
    """Return the cells of dominoes, between squares at odd rows and columns."""
    cells = np.full((2 * n + 1, 2 * n + 1), FLAG, np.int8)
    inside = cells[1:-1, 1:-1]
    inside[::2, 1::2] = COVERED
    inside[1::2, ::2] = COVERED
    return cells


def with_flags_counted(cells: NDArray[np.int8], clues: Mapping[Cell, int]) -> Position:
    """Return the board where a clue counts the flags around it, and ``clues[cell]`` mines more."""
    for row, column in clues:
        cells[row, column] = COVERED
    shown = cells.copy()
    for (row, column), mines in clues.items():
        around = cells[row - 1 : row + 2, column - 1 : column + 2]
        shown[row, column] = mines + int(np.count_nonzero(around == FLAG))
    return Position(shown)


# Checkerboards: the safe cells of one colour opened, a single region with very many layouts.

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
