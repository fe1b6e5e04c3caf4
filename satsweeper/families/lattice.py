"""Lattices of clues: all even rows and columns opened, every other cell covered, no flags.

There are lattices of clues 1, with a drawn layout, on a torus, and with a hole; and tiles, which
share no cell. Square (i, j) of
n x n is the clue at (2i, 2j), black if i + j is even, else white. A covered cell lies between two
squares, a black and a white square, or amid four, two of either colour. Either way a mine adds as
much to the black clues as to the white clues. So in every layout the black clues have the sum of
the white clues. If the sums differ there is no layout, although small sets of clues are consistent.

The sum of the black clues less the sum of the white clues is a linear combination in which every
cell cancels. So linear programming refutes such a board, and so does elimination modulo a number
that does not divide the difference.
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
    """Return the problem of ``sums``: counted cells, their least and their greatest mines.

    Variable v, called m_ROW_COLUMN, is the v-th of ``cells``, from 1.
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

    A layout needs equally many black and white 1s. With two black zeros there are two black 1s too
    few if n is even, and one too few if n is odd.

    Args:
        n: squares a side, at least 2.
        zeros: the squares with a clue 0; None: two opposite corners.

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
        ValueError: n is below 3: then there are no two such squares.
    """
    if n < 3:
        raise ValueError(f"n={n}: at least 3 is needed")
    random = Random(f"ones {n} {seed}")
    black = [square for square in squares(n) if is_black(square)]
    while True:
        zeros = random.sample(black, 2)
        gone = {cell for zero in zeros for cell in around(n, zero)}
        # Only squares next to a zero count a cell that the zero makes safe.
        near = {(i + a, j + b) for i, j in zeros for a in (-1, 0, 1) for b in (-1, 0, 1)}
        left = near.intersection(squares(n)).difference(zeros)
        if not any(gone.issuperset(around(n, square)) for square in left):
            return zeros


# Lattices of clues with a drawn layout, which meets every clue. With one clue larger by 1 the sums
# of the black and of the white clues differ by 1, and there is no layout.

SHARE = 0.3
"""Default share of mines among covered cells; it makes few clues 0 or 8, and hard problems."""


def drawn_mines(
    n: int, share: float, seed: int, cells: Sequence[Cell], where: str = ""
) -> frozenset[Cell]:
    """Return mines drawn uniformly from ``cells``.

    Args:
        n: squares a side, for the seed of the draw.
        share: the share of ``cells`` that are mines, 0 to 1.
        seed: equal arguments give equal mines.
        cells: the cells to draw from.
        where: a word in the seed of the draw, so that kinds of boards have different draws.

    Raises:
        ValueError: n is below 2, or share not from 0 to 1.
    """
    if n < 2 or not 0 <= share <= 1:
        raise ValueError(f"n={n}, share={share}: at least 2, and 0 to 1")
    mines = round(share * len(cells))
    return frozenset(Random(f"planted{where} {n} {mines} {seed}").sample(cells, mines))


def one_larger(
    clues: dict[Square, int], counted: Mapping[Square, Sequence[Cell]], share: float, drawn: str
) -> None:
    """Make one of ``clues`` larger by 1, drawn from the clues that count a safe cell.

    Args:
        clues: square -> clue; changed in place.
        counted: square -> the cells that its clue counts.
        share: the share of mines, for the message.
        drawn: the seed of the draw.

    Raises:
        ValueError: no clue can be larger, as the ``share`` of mines is 1.
    """
    larger = [square for square in clues if clues[square] < len(counted[square])]
    if not larger:
        raise ValueError(f"share={share}: every cell is a mine, and no clue can be larger")
    clues[Random(drawn).choice(larger)] += 1


def planted_mines(n: int, share: float = SHARE, seed: int = 0) -> frozenset[Cell]:
    """Return the layout of `planted`; raises ValueError as `planted` does."""
    return drawn_mines(n, share, seed, covered_cells(2 * n - 1))


def planted(n: int, share: float = SHARE, seed: int = 0, *, bump: bool = False) -> Position:
    """Return the board of 2n - 1 rows and columns with the clues of a drawn layout, no flags.

    Args:
        n: clues a side, at least 2.
        share: the share of the covered cells that are mines, 0 to 1.
        seed: equal arguments give equal boards.
        bump: whether a drawn clue that counts a safe cell is larger by 1: then there is no layout.

    Raises:
        ValueError: n or share is out of its range, or no clue can be larger.

    >>> print(planted(3, seed=1).text(), end="")
    5 5 ?
    1?2?1
    ?????
    2?3?1
    ?????
    1?2?1
    >>> print(planted(3, seed=1, bump=True).text()[-6:], end="")
    1?2?2
    """
    return clue_lattice(n, planted_clues(n, share, seed, bump=bump))


def planted_clues(
    n: int, share: float = SHARE, seed: int = 0, *, bump: bool = False
) -> dict[Square, int]:
    """Return the clues of `planted`; raises ValueError as `planted` does."""
    mines = planted_mines(n, share, seed)
    counted = {square: around(n, square) for square in squares(n)}
    clues = {square: len(mines.intersection(cells)) for square, cells in counted.items()}
    if bump:
        one_larger(clues, counted, share, f"bump {n} {len(mines)} {seed}")
    return clues


# Tiles of 3 x 3 cells: the clue of a tile counts the cells of this tile and of no other.


def tiles(n: int, seed: int = 0, *, more: int = 0) -> Position:
    """Return n x n tiles of 3 x 3 cells, their middles opened, with the total of a drawn layout.

    Three tenths of the covered cells are mines. Every covered cell is counted by one clue, so that
    the clues add up to the number of mines: with any other total there is no layout.

    Args:
        n: tiles a side, at least 2.
        seed: equal arguments give equal boards.
        more: how many more mines the board states than there are.

    Raises:
        ValueError: n is below 2.

    >>> print(tiles(2, seed=1).text(), end="")
    6 6 10
    ??????
    ?3??2?
    ??????
    ??????
    ?3??2?
    ??????
    """
    every = [(row, column) for row in range(3 * n) for column in range(3 * n)]
    covered = [cell for cell in every if {cell[0] % 3, cell[1] % 3} != {1}]
    mines = drawn_mines(n, SHARE, seed, covered, " in tiles")
    cells = np.full((3 * n, 3 * n), COVERED, np.int8)
    cells[1::3, 1::3] = 0
    for row, column in mines:
        cells[row - row % 3 + 1, column - column % 3 + 1] += 1
    return Position(cells, len(mines) + more)


# Lattices of clues on a torus of 2n rows and columns, as counting problems. Variables are the
# covered cells, row by row, called m_ROW_COLUMN; constraints are the clues, row by row.

_STEPS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]


def torus_of_ones(n: int) -> Problem:
    """Return the torus with an odd number of clues, all 1: there is no solution.

    A cell lies between two clues or amid four, so that a mine adds 2 or 4 to the sum of all clues,
    which must be even. Only parity refutes an odd sum: with odd n no other modulus has a
    combination in which all cells cancel (neighbours would have opposite factors, all round an odd
    cycle), and an eighth of a mine in every cell satisfies all constraints in linear programming.

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
    """Return the torus with the clues of a drawn layout.

    Args:
        n: clues a side, at least 2.
        share: the share of the covered cells that are mines, 0 to 1.
        seed: equal arguments give equal problems.
        bump: whether a drawn clue that counts a safe cell is larger by 1: then the sum of all clues
            is odd, and there is no solution.

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
    """Return the layout of `planted_on_torus`; raises ValueError as `planted_on_torus` does."""
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


# Lattices of clues with one white square left unopened, the hole. A mine around the hole adds 1
# more to the black clues than to the white clues, any other mine as much to both. So the sum of the
# black clues less that of the white clues is the number of mines around the hole.


def hole(n: int, seed: int = 0) -> Square:
    """Return the unopened square, drawn from the white squares that are not at the border.

    Raises:
        ValueError: n is below 4: then there is no such square.
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

    Every clue is 1, but for a zero in the corner (0, 0), and in (n - 1, n - 1) if n is odd: then
    the clues of both colours have equal sums, and no mine is around the hole. The hole itself is
    next to no clue, and unknown.

    There is a layout: walk the squares along a cycle (if n is odd, along the rows to and fro, from
    zero to zero). An even number of squares lies between the zeros and the hole each way; pair them
    along the walk, with a mine between the two squares of each pair.

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

    White clues need more mines than black clues allow, as in a violation of Hall's condition. No
    elimination refutes the board, whatever the modulus, for the clues are independent. In a
    combination in which all cells cancel, a black clue beside the hole has the factor 0, because of
    the cell between clue and hole; and neighbouring clues have opposite factors, because of the
    cell between the two. So all factors are 0.

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

    Around two opposite corners, which are black, there is no mine. Then black squares are too few
    for the mines of the white squares: there is no solution. No elimination with a modulus refutes
    the problem, as every black square has a slack of its own; adding up all constraints does.

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
