"""Lattices of clues on a torus, as counting problems.

The torus has 2n rows and columns, and clues at all even ones. A cell lies between two clues or
amid four, so that a mine adds 2 or 4 to all clues together: in every layout they add up to an even
number. If they do not, only parity says so. With odd n no other modulus has anything to cancel
(neighbours would have opposite factors, all round an odd cycle), and linear programming puts an
eighth of a mine into every cell where all clues are 1.

Variables are the covered cells, row by row, called m_ROW_COLUMN; constraints are the clues, row by
row.
"""

from collections.abc import Mapping

from pbcnf.constraints.problem import Problem
from satsweeper.board.codes import Cell
from satsweeper.families.lattice import Square, counting_problem, covered_cells, squares
from satsweeper.families.planted import SHARE, drawn_mines, one_larger

_STEPS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]


def torus_of_ones(n: int) -> Problem:
    """Return clues 1 only, an odd number of them: there is no solution.

    Args:
        n: clues a side, odd, at least 3.

    Raises:
        ValueError: n is even or below 3.

    >>> problem = torus_of_ones(3)
    >>> problem.num_vars, len(problem.constraints), problem.constraints[0].lits
    (27, 9, (1, 3, 4, 5, 9, 22, 23, 27))
    """
    if n < 3 or n % 2 == 0:
        raise ValueError(f"n={n}: an odd number of at least 3 is needed")
    return _problem(n, dict.fromkeys(squares(n), 1))


def planted_on_torus(n: int, share: float = SHARE, seed: int = 0, *, bump: bool = False) -> Problem:
    """Return the clues of a drawn layout; with ``bump`` one is larger by 1: then no solution.

    Args:
        n: clues a side, at least 2.
        share: of the covered cells that are mines, 0 to 1.
        seed: equal arguments give equal problems.
        bump: whether one of the clues that count a safe cell is larger.

    Raises:
        ValueError: n or share is out of its range, or no clue can be larger.
    """
    mines = mines_on_torus(n, share, seed)
    counted = _counted(n)
    clues = {square: len(mines.intersection(cells)) for square, cells in counted.items()}
    if bump:
        one_larger(clues, counted, share, f"bump on torus {n} {len(mines)} {seed}")
    return _problem(n, clues)


def mines_on_torus(n: int, share: float = SHARE, seed: int = 0) -> frozenset[Cell]:
    """Return the layout of `planted_on_torus`; ValueError as there."""
    return drawn_mines(n, share, seed, covered_cells(2 * n), " on torus")


def _counted(n: int) -> dict[Square, list[Cell]]:
    """Return the eight cells that the clue of each square counts."""
    return {
        (i, j): [((2 * i + down) % (2 * n), (2 * j + right) % (2 * n)) for down, right in _STEPS]
        for i, j in squares(n)
    }


def _problem(n: int, clues: Mapping[Square, int]) -> Problem:
    sums = [(cells, clues[square], clues[square]) for square, cells in _counted(n).items()]
    return counting_problem(covered_cells(2 * n), sums)
