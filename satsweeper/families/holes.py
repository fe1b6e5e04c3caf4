"""Lattices of clues with one clue left unopened, the hole: safe cells, or no layout.

Cells around the hole, a white square, lack its clue: a mine there adds 1 more to the black clues
than to the white ones, and any other mine as much to both (``lattice``). So the black clues less
the white ones are the mines around the hole: if they are equal, these eight cells are safe, and if
the white ones are more, there is no layout.

Every clue is 1, but for a zero in the corner (0, 0), and in (n - 1, n - 1) if n is odd: then both
colours add up to the same without the hole. There is a layout: walk the squares along a cycle (if
n is odd, along the rows to and fro, from zero to zero). Between the zeros and the hole lie an even
number of squares each way; take them two by two along the walk, with a mine between the two.
"""

from random import Random

from pbcnf.constraints.problem import Problem
from satsweeper.board.codes import Cell
from satsweeper.families.lattice import (
    Square,
    around,
    clue_lattice,
    counting_problem,
    covered_cells,
    is_black,
    squares,
)
from satsweeper.position import Position


def hole(n: int, seed: int = 0) -> Square:
    """Return the unopened square, drawn from the white squares that are not at the border.

    Raises:
        ValueError: n is below 4: then there is none.
    """
    if n < 4:
        raise ValueError(f"n={n}: at least 4 is needed")
    white = [(i, j) for i in range(1, n - 1) for j in range(1, n - 1) if (i + j) % 2]
    return Random(f"hole {n} {seed}").choice(white)


def around_hole(n: int, seed: int = 0) -> list[Cell]:
    """Return the eight cells around the hole, which are safe in `safehole`."""
    return around(n, hole(n, seed))


def safehole(n: int, seed: int = 0) -> Position:
    """Return a board of clues 1 whose balance of colours makes the cells around the hole safe.

    The hole itself is next to no clue, and unknown.

    Args:
        n: squares a side, at least 4; the board has 2n - 1 rows and columns.
        seed: where the hole is; equal arguments give equal boards.

    Raises:
        ValueError: n is below 4.

    >>> print(safehole(4).text(), end="")
    7 7 ?
    0?1?1?1
    ???????
    1?1?1?1
    ???????
    1???1?1
    ???????
    1?1?1?1
    """
    return clue_lattice(n, _clues(n, seed))


def hall(n: int, seed: int = 0) -> Position:
    """Return `safehole` with a drawn white clue 2: the hole would have -1 mines, so no layout.

    White clues need more mines than black ones allow, as in a violation of Hall's condition. No
    elimination refutes that, whatever the modulus, for the clues are independent: a combination
    in which all cells cancel has the factor 0 at a black clue beside the hole, for the cell
    between them, and the negative factor of every clue at the next one, for the cell between those.

    Raises:
        ValueError: n is below 4.

    >>> print(hall(4).text()[-8:], end="")
    1?1?2?1
    """
    clues = _clues(n, seed)
    white = [square for square in clues if not is_black(square)]
    clues[Random(f"hall {n} {seed}").choice(white)] += 1
    return clue_lattice(n, clues)


def hall_with_slack(n: int) -> Problem:
    """Return a lattice with exactly one mine around white squares, at most one around black ones.

    Around two opposite corners, which are black, are none. Then black squares are too few for the
    mines of the white ones: there is no solution. With a slack of its own at every black square no
    modulus refutes it; adding up all constraints does.

    Args:
        n: squares a side, at least 3. Variables are the covered cells, row by row.

    Raises:
        ValueError: n is below 3.

    >>> problem = hall_with_slack(3)
    >>> first = problem.constraints[:2]
    >>> problem.num_vars, [(each.lits, each.lower, each.upper) for each in first]
    (16, [((1, 3, 4), 0, 0), ((1, 2, 4, 5, 6), 1, 1)])
    """
    if n < 3:
        raise ValueError(f"n={n}: at least 3 is needed")
    corners = {(0, 0), (n - 1, n - 1)}
    return counting_problem(
        covered_cells(2 * n - 1),
        [
            (around(n, square), 0 if is_black(square) else 1, 0 if square in corners else 1)
            for square in squares(n)
        ],
    )


def _clues(n: int, seed: int) -> dict[Square, int]:
    zeros = {(0, 0), (n - 1, n - 1)} if n % 2 else {(0, 0)}
    unopened = hole(n, seed)
    return {square: int(square not in zeros) for square in squares(n) if square != unopened}
