"""Parity on a hexagonal lattice, as positions of Minesweeper.

Every vertex of the lattice asks for an even number of mines on its links, a charged one for an odd
number. A link has two ends, so that the numbers of all vertices add up to an even one: with an odd
number of charges there is no layout. G. Tseitin, On the complexity of derivation in propositional
calculus, Studies in Constructive Mathematics and Mathematical Logic 2 (1968) 115-125; hard for
resolution: A. Urquhart, Hard examples for resolution, Journal of the ACM 34 (1987) 209-219, and
for linear programming, as half a mine on every link satisfies every vertex.

Vertex (i, j) is the clue at (6i + 4, 6j + 4). Links go to the left and right neighbour, and to the
one below where i + j is odd, to the one above where it is even: a wall of bricks. A link is three
covered cells with a clue between each two that makes them differ, so that both ends are
equal. A clue sees its links and two more cells that a third one and two clues make equal: together
they hold two mines (three, if charged), so that the links hold an even (odd) number. Everything
else is given mines.
"""

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from satsweeper.board.codes import COVERED, FLAG
from satsweeper.families.chessboard import with_flags_counted
from satsweeper.position import Position

Vertex = tuple[int, int]
_PITCH = 6
_FIRST = 4


def parity_lattice(
    n: int, charges: Collection[Vertex] = ((0, 0),), *, open_end: bool = False
) -> Position:
    """Return the lattice of n x n vertices, a board of 6n + 3 rows and columns.

    With E links and V vertices it has no layout if the number of charges is odd, otherwise
    2 ^ (E - V + 1), as the lattice is connected.

    Args:
        n: at least 2.
        charges: the vertices with an odd number of mines on their links.
        open_end: one more covered cell, (6n - 2, 3), counts as a link of vertex (n - 1, 0) with
            nothing at its other end. It is a mine if the number of charges is odd, and safe if not.

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
    for i in range(n):
        for j in range(n):
            _add_links(cells, clues, n, i, j)
    if open_end:
        row, column = _place(n - 1, 0)
        cells[row, column - 1] = COVERED
    for i in range(n):
        for j in range(n):
            _add_vertex(cells, clues, (i, j), (i, j) in charges)
    return with_flags_counted(cells, clues)


def _place(i: int, j: int) -> tuple[int, int]:
    return _FIRST + _PITCH * i, _FIRST + _PITCH * j


def _free_side(i: int, j: int) -> int:
    """Return the side without a vertical link at the vertex: up (-1) or down (1)."""
    return -1 if (i + j) % 2 else 1


def _add_links(
    cells: NDArray[np.int8], clues: dict[tuple[int, int], int], n: int, i: int, j: int
) -> None:
    """Add the links to the right and down."""
    row, column = _place(i, j)
    if j + 1 < n:
        cells[row, column + 1 : column + 6 : 2] = COVERED
        # Away from the two cells that a vertex has beside its links.
        clues[row - _free_side(i, j), column + 2] = 1
        clues[row - _free_side(i, j + 1), column + 4] = 1
    if i + 1 < n and (i + j) % 2:
        cells[row + 1 : row + 6 : 2, column] = COVERED
        clues[row + 2, column + 1] = clues[row + 4, column + 1] = 1


def _add_vertex(
    cells: NDArray[np.int8], clues: dict[tuple[int, int], int], vertex: Vertex, charged: bool
) -> None:
    row, column = _place(*vertex)
    around = cells[row - 1 : row + 2, column - 1 : column + 2]
    links = int(np.count_nonzero(around == COVERED))
    if links < 2 + charged:
        # One value is left: none or, charged, one.
        clues[row, column] = int(charged)
        return
    side = _free_side(*vertex)
    cells[row + side, column - 1] = cells[row + side, column + 1] = COVERED
    cells[row + 2 * side, column] = COVERED
    clues[row + 2 * side, column - 1] = clues[row + 2 * side, column + 1] = 1
    clues[row, column] = 2 + charged
