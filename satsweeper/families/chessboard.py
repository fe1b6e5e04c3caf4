"""Boards with given mines: chessboards to be covered by dominoes, and parity on a lattice.

Chessboards. A square of the chessboard is a clue, the place of a domino (two squares side by side)
is the covered cell between the two squares, and every other cell is a mine given by a flag. A clue
counts one mine more than the flags around it, so that exactly one of the dominoes at its square is
laid. Layouts are coverings by dominoes.

A chessboard without two opposite corners has no covering: both corners have one colour, and a
domino covers a square of either colour. (There is none either if any other squares are left out
such that one colour has more squares.) Every refutation in resolution is exponential:
M. Alekhnovich, Mutilated chessboard problem is exponentially hard for resolution, Theoretical
Computer Science 310 (2004) 513-525. In linear programming the sum of the black clues less the sum
of the white clues is a refutation.
"""

from collections.abc import Collection, Iterable, Mapping
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
        missing: the squares that are left out; None: two opposite corners.

    Raises:
        ValueError: as many black as white squares are left, or a square without a neighbour.

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

    Both cells, (0, 0) and (2n, 2n), are safe: with a mine in one or both of them, dominoes would
    have to cover a chessboard that lacks one corner, or two corners of one colour. The layouts are
    the coverings of n x n squares by dominoes.

    Raises:
        ValueError: n is odd or below 2; with an odd n a covering needs one of the two cells.

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
    """Return an array of flags but for the covered cells, a domino each, between n x n squares."""
    cells = np.full((2 * n + 1, 2 * n + 1), FLAG, np.int8)
    inside = cells[1:-1, 1:-1]
    inside[::2, 1::2] = COVERED
    inside[1::2, ::2] = COVERED
    return cells


def with_flags_counted(cells: NDArray[np.int8], clues: Mapping[Cell, int]) -> Position:
    """Return the board where the clue at ``cell`` is ``clues[cell]`` plus the flags around it."""
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

    The cells of the other colour stay covered, and each is counted by four clues at most. The drawn
    layout is a layout of the position, so that the position is consistent.

    Args:
        n: rows and columns, at least 1.
        share: the share of the cells that are mines, 0 to 1.
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
    # Random hashes a text seed by SHA-512, so draws are equal on all platforms.
    laid = np.zeros((n + 2, n + 2), np.int8)
    drawn = Random(f"checkerboard {n} {mines} {seed}").sample(range(cells), mines)
    row, column = np.divmod(np.array(drawn, np.intp), n)
    laid[row + 1, column + 1] = 1
    shown = np.full((n, n), COVERED, np.int8)
    for row, column in np.ndindex(n, n):
        if (row + column) % 2 == 0 and not laid[row + 1, column + 1]:
            shown[row, column] = int(np.sum(laid[row : row + 3, column : column + 3]))
    return Position(shown, mines if total else None)


# Parity on a hexagonal lattice (Tseitin formulas), as positions of Minesweeper.

Vertex = tuple[int, int]
"""Row and column on the lattice, from 0."""
_PITCH = 6
_FIRST = 4


def parity_lattice(
    n: int, charges: Collection[Vertex] = ((0, 0),), *, open_end: bool = False
) -> Position:
    """Return the lattice of n x n vertices, a board of 6n + 3 rows and columns.

    Every vertex requires an even number of mines on its links, a charged vertex an odd number. A
    link has two ends, so the numbers of all vertices add up to an even number: with an odd number
    of charges there is no layout. Otherwise E links and V vertices have 2 ^ (E - V + 1) layouts, as
    the lattice is connected. G. Tseitin, On the complexity of derivation in propositional calculus,
    Studies in Constructive Mathematics and Mathematical Logic 2 (1968) 115-125; hard for
    resolution: A. Urquhart, Hard examples for resolution, Journal of the ACM 34 (1987) 209-219, and
    for linear programming, as half a mine on every link satisfies every vertex.

    Vertex (i, j) is the clue at (6i + 4, 6j + 4). Links go to the left and right neighbour, and to
    the neighbour below if i + j is odd, above if i + j is even, as in a wall of bricks. A link is
    three covered cells; a clue between each two makes them differ, so that both ends are equal. The
    clue of a vertex counts the ends of its links and two more cells, which a third cell and two
    clues make equal. There are two mines in these cells (three, if the vertex is charged), so that
    the links hold an even (odd) number. Every other cell is a mine given by a flag.

    Args:
        n: at least 2.
        charges: the vertices with an odd number of mines on their links.
        open_end: whether one more covered cell, (6n - 2, 3), is a link of vertex (n - 1, 0) without
            a second end. The cell is a mine if the number of charges is odd, else safe.

    Raises:
        ValueError: n is below 2, or a charge is at no vertex.
    """
    if n < 2:
        raise ValueError(f"n={n}: at least 2 is needed")
    for i, j in charges:
        if not (0 <= i < n and 0 <= j < n):
            raise ValueError(f"a charge at {(i, j)}: vertices are (0, 0) to {(n - 1, n - 1)}")
    cells = np.full((_PITCH * n + 3, _PITCH * n + 3), FLAG, np.int8)
    clues: dict[tuple[int, int], int] = {}
    vertices = [(i, j) for i in range(n) for j in range(n)]
    # Links to the right and down; their clues lie away from the two more cells of each vertex.
    for i, j in vertices:
        row, column = _parity_place(i, j)
        if j + 1 < n:
            cells[row, column + 1 : column + 6 : 2] = COVERED
            clues[row - _free_side(i, j), column + 2] = 1
            clues[row - _free_side(i, j + 1), column + 4] = 1
        if i + 1 < n and (i + j) % 2:
            cells[row + 1 : row + 6 : 2, column] = COVERED
            clues[row + 2, column + 1] = clues[row + 4, column + 1] = 1
    if open_end:
        row, column = _parity_place(n - 1, 0)
        cells[row, column - 1] = COVERED
    for i, j in vertices:
        row, column = _parity_place(i, j)
        charged = (i, j) in charges
        links = np.count_nonzero(cells[row - 1 : row + 2, column - 1 : column + 2] == COVERED)
        if links < 2 + charged:
            # Up to one link (two, if charged) allows a single even (odd) number: 0 (1).
            clues[row, column] = int(charged)
            continue
        # The two equal cells, then the third cell and the two clues that make them equal.
        side = _free_side(i, j)
        cells[row + side, column - 1] = cells[row + side, column + 1] = COVERED
        cells[row + 2 * side, column] = COVERED
        clues[row + 2 * side, column - 1] = clues[row + 2 * side, column + 1] = 1
        clues[row, column] = 2 + charged
    return with_flags_counted(cells, clues)


def _parity_place(i: int, j: int) -> tuple[int, int]:
    return _FIRST + _PITCH * i, _FIRST + _PITCH * j


def _free_side(i: int, j: int) -> int:
    """Return the side without a vertical link at the vertex: up (-1) or down (1)."""
    return -1 if (i + j) % 2 else 1
