"""Lattices of clues: all even rows and columns opened, every other cell covered, no flags.

Square (i, j) of n x n is the clue at (2i, 2j), black if i + j is even, else white. A covered cell
lies between two squares, a black and a white one, or amid four, two of either colour. Either way a
mine adds as much to the black clues as to the white ones. So in every layout the black clues add
up to what the white ones do; where they do not, there is no layout, although no few of the clues
contradict one another.

Black clues less white ones is a linear combination of the clues in which every cell cancels. So
linear programming refutes them, and so does elimination modulo a number that does not divide the
difference.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from random import Random

import numpy as np

from pbcnf.constraints.constraint import Cardinality
from pbcnf.constraints.problem import Problem
from satsweeper.board.codes import COVERED, Cell
from satsweeper.position import Position

Square = tuple[int, int]
"""Row and column on the lattice of clues, from 0."""


def squares(n: int) -> list[Square]:
    """Return the squares of the lattice, row by row."""
    return [(i, j) for i in range(n) for j in range(n)]


def is_black(square: Square) -> bool:
    """Whether ``square`` has the colour of the corner (0, 0)."""
    return sum(square) % 2 == 0


def covered_cells(side: int) -> list[Cell]:
    """Return the cells of a board of ``side`` rows and columns that are no squares, row by row."""
    places = range(side)
    return [(row, column) for row in places for column in places if row % 2 or column % 2]


def around(n: int, square: Square) -> list[Cell]:
    """Return the covered cells that the clue of ``square`` counts, 3 to 8 of them."""
    row, column = 2 * square[0], 2 * square[1]
    near = [(row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
    return [cell for cell in near if cell != (row, column) and {-1, 2 * n - 1}.isdisjoint(cell)]


def clue_lattice(n: int, clues: Mapping[Square, int]) -> Position:
    """Return the board of 2n - 1 rows and columns with ``clues``; other squares are covered."""
    cells = np.full((2 * n - 1, 2 * n - 1), COVERED, np.int8)
    for (i, j), clue in clues.items():
        cells[2 * i, 2 * j] = clue
    return Position(cells)


def counting_problem(
    cells: Sequence[Cell], sums: Iterable[tuple[Collection[Cell], int, int]]
) -> Problem:
    """Return the bounds ``sums`` over cells, each with its least and its greatest number of mines.

    Variable v, called m_ROW_COLUMN, is the v-th of ``cells``.
    """
    number = {cell: var for var, cell in enumerate(cells, start=1)}
    constraints = [
        Cardinality(sorted(number[cell] for cell in counted), lower, upper)
        for counted, lower, upper in sums
    ]
    names = {var: f"m_{row}_{column}" for (row, column), var in number.items()}
    return Problem(len(cells), tuple(constraints), names)


def ones(n: int, zeros: Iterable[Square] | None = None) -> Position:
    """Return a lattice of clues 1 with zeros that unbalance the colours: there is no layout.

    The 1s of either colour would have to be as many. Two black zeros leave two black ones too few
    if n is even, and one if n is odd.

    Args:
        n: squares a side, at least 2.
        zeros: two opposite corners unless given.

    Raises:
        ValueError: n is below 2, a zero is no square, or as many black 1s as white ones are left.

    >>> print(ones(3).text(), end="")
    5 5 ?
    0?1?1
    ?????
    1?1?1
    ?????
    1?1?0
    """
    out = {(0, 0), (n - 1, n - 1)} if zeros is None else set(zeros)
    every = squares(n)
    if n < 2 or not out <= set(every):
        raise ValueError(f"n={n}, zeros at {sorted(out)}: n is at least 2, squares are 0 to n - 1")
    black = [is_black(square) for square in every if square not in out]
    if 2 * sum(black) == len(black):
        raise ValueError(f"n={n}, zeros at {sorted(out)}: as many black 1s as white ones")
    return clue_lattice(n, {square: int(square not in out) for square in every})


def drawn_zeros(n: int, seed: int) -> list[Square]:
    """Return two drawn black squares for the zeros of `ones`; every 1 keeps a cell beside no zero.

    Raises:
        ValueError: n is below 3: then no two can be drawn.
    """
    if n < 3:
        raise ValueError(f"n={n}: at least 3 is needed")
    random = Random(f"ones {n} {seed}")
    black = [square for square in squares(n) if is_black(square)]
    while True:
        zeros = random.sample(black, 2)
        if _all_have_cells(n, zeros):
            return zeros


def _all_have_cells(n: int, zeros: Collection[Square]) -> bool:
    gone = {cell for zero in zeros for cell in around(n, zero)}
    # Others than the squares next to a zero lose nothing.
    near = {(i + a, j + b) for i, j in zeros for a in (-1, 0, 1) for b in (-1, 0, 1)}
    ones = near.intersection(squares(n)).difference(zeros)
    return all(not gone.issuperset(around(n, square)) for square in ones)
