"""Lattices of clues on a torus, as counting problems.

The torus has 2n rows and columns, and clues at all even ones. A cell lies between two clues or
amid four, so that a mine adds 2 or 4 to all clues together: in every layout they add up to an even
number. If they do not, only parity says so. With odd n no other modulus has anything to cancel
(neighbours would have opposite factors, all round an odd cycle), and linear programming puts an
eighth of a mine into every cell where all clues are 1.

Variables are the covered cells, row by row, called m_ROW_COLUMN; constraints are the clues, row by
row.
"""

from collections.abc import Sequence
from random import Random

from pbcnf.constraints.constraint import Cardinality
from pbcnf.constraints.problem import Problem
from satsweeper.board.codes import Cell
from satsweeper.families.planted import SHARE

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
    return _problem(n, [1] * (n * n))


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
    clues = [len(mines.intersection(_around(n, i, j))) for i in range(n) for j in range(n)]
    if bump:
        larger = [at for at, clue in enumerate(clues) if clue < len(_STEPS)]
        if not larger:
            raise ValueError(f"share={share}: every cell is a mine, and no clue can be larger")
        clues[Random(f"bump on torus {n} {len(mines)} {seed}").choice(larger)] += 1
    return _problem(n, clues)


def mines_on_torus(n: int, share: float = SHARE, seed: int = 0) -> frozenset[Cell]:
    """Return the layout of `planted_on_torus`: mines drawn uniformly from the covered cells.

    Raises:
        ValueError: n is below 2, or share not from 0 to 1.
    """
    if n < 2 or not 0 <= share <= 1:
        raise ValueError(f"n={n}, share={share}: at least 2, and 0 to 1")
    cells = _covered(n)
    mines = round(share * len(cells))
    return frozenset(Random(f"planted on torus {n} {mines} {seed}").sample(cells, mines))


def _covered(n: int) -> list[Cell]:
    side = range(2 * n)
    return [(row, column) for row in side for column in side if row % 2 or column % 2]


def _around(n: int, i: int, j: int) -> list[Cell]:
    return [((2 * i + down) % (2 * n), (2 * j + right) % (2 * n)) for down, right in _STEPS]


def _problem(n: int, clues: Sequence[int]) -> Problem:
    number = {cell: var for var, cell in enumerate(_covered(n), start=1)}
    constraints = [
        Cardinality(sorted(number[cell] for cell in _around(n, *divmod(at, n))), clue, clue)
        for at, clue in enumerate(clues)
    ]
    names = {var: f"m_{row}_{column}" for (row, column), var in number.items()}
    return Problem(len(number), tuple(constraints), names)
