"""Problems of sums: Langford's pairs, at most k of n, and problems with an objective.

The objective is the number of mines, of dominoes, of queens, or of broken clues.
"""

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pbcnf.constraints.constraint import Cardinality
from pbcnf.constraints.problem import Objective, Problem
from pbcnf.formats.problems import read_problem
from satsweeper.board.codes import Cell
from satsweeper.families.lattice import Square, around, covered_cells, planted_clues, squares
from satsweeper.families.regular import regular


def langford(n: int) -> Problem:
    """Return Langford's problem: the numbers 1 to n twice each, k others between the two k.

    Variable ``k_p``: the first k is at place p of 1 .. 2n, so that the other is at p + k + 1.
    There is a solution if and only if n or n + 1 is divisible by 4: C. Langford, Problem, The
    Mathematical Gazette 42 (1958) 228; R. Davies, On Langford's problem II, The Mathematical
    Gazette 43 (1959) 253-255. For other n a sum of constraints refutes it: of the n odd places a
    pair of an even k takes one, a pair of an odd k two or none, so that the number of odd k, half
    of n rounded up, must be even.

    Raises:
        ValueError: n is below 1.

    >>> problem = langford(3)
    >>> problem.num_vars, [each.lits for each in problem.constraints[:2]]
    (9, [(1, 2, 3, 4), (5, 6, 7)])
    """
    if n < 1:
        raise ValueError(f"n={n}: at least 1 is needed")
    pairs = [(k, p) for k in range(1, n + 1) for p in range(1, 2 * n - k)]
    numbers: list[list[int]] = [[] for _ in range(n)]
    places: list[list[int]] = [[] for _ in range(2 * n)]
    for var, (k, p) in enumerate(pairs, start=1):
        numbers[k - 1].append(var)
        places[p - 1].append(var)
        places[p + k].append(var)
    names = {var: f"k{k}p{p}" for var, (k, p) in enumerate(pairs, start=1)}
    constraints = tuple(Cardinality(lits, 1, 1) for lits in (*numbers, *places))
    return Problem(len(pairs), constraints, names)


def at_most(size: int, seed: int, *, most: bool = False) -> Problem:
    """Return random constraints "at most n/4 of n", and a total that is one too large for them.

    There are 2n variables and n/2 constraints, each variable in n/4 of them. Added up they say that
    at most n/2 variables are true; and n/2 can be, as the constraints are drawn round a solution of
    "exactly n/4 of n".

    Args:
        size: n, literals of a constraint, divisible by 4.
        seed: equal arguments give equal problems.
        most: whether the number of true variables is to be maximised instead of being a constraint:
            the optimum is n/2.
    """
    drawn = regular(size // 2, n=size, k=size // 4, degree=size // 4, seed=seed)
    every = tuple(range(1, drawn.num_vars + 1))
    bounds = tuple(Cardinality(each.lits, upper=size // 4) for each in drawn.constraints)
    if most:
        return Problem(drawn.num_vars, bounds, objective=_count(every, maximise=True))
    return Problem(drawn.num_vars, (*bounds, Cardinality(every, lower=size // 2 + 1)))


def fewest_mines(n: int, seed: int) -> Problem:
    """Return the clues of `planted`, and the number of mines to be minimised."""
    cells, sums = _clue_sums(planted_clues(n, seed=seed), n)
    constraints = tuple(Cardinality(lits, clue, clue) for lits, clue in sums)
    return Problem(len(cells), constraints, _names(cells), _count(range(1, len(cells) + 1)))


def soft_clues(n: int, seed: int) -> Problem:
    """Return the clues of `bump` as soft constraints, the number of broken ones to be minimised.

    The optimum is 1: no layout meets all clues, and the drawn layout breaks the larger clue alone.
    """
    cells, sums = _clue_sums(planted_clues(n, seed=seed, bump=True), n)
    # The reader of WBO makes the relaxation of each clue that the writer of WBO takes off again.
    rows = [f"[1] {' '.join(f'+1 x{var}' for var in lits)} = {clue} ;" for lits, clue in sums]
    text = "\n".join(["soft: ;", *rows, ""])
    read = read_problem(io.BytesIO(text.encode()))
    return replace(read, names={**read.names, **_names(cells)})


def most_dominoes(n: int) -> Problem:
    """Return the mutilated chessboard, and the number of dominoes to be maximised.

    The optimum is the number of black squares, those of the colour of the missing corners: a domino
    covers one of them. All are covered: walk the rows to and fro; each black square but the two
    missing ones comes right after a white one, and the two are a domino.

    Raises:
        ValueError: n is below 2.
    """
    if n < 2:
        raise ValueError(f"n={n}: at least 2 is needed")
    left = dict.fromkeys(squares(n))
    del left[0, 0], left[n - 1, n - 1]
    dominoes = [
        (square, other)
        for square in left
        for other in ((square[0], square[1] + 1), (square[0] + 1, square[1]))
        if other in left
    ]
    at: dict[Square, list[int]] = {square: [] for square in left}
    for var, pair in enumerate(dominoes, start=1):
        for square in pair:
            at[square].append(var)
    constraints = tuple(Cardinality(lits, upper=1) for lits in at.values() if len(lits) > 1)
    names = {
        var: f"d{a}_{b}_{'across' if a == c else 'down'}"
        for var, ((a, b), (c, _)) in enumerate(dominoes, start=1)
    }
    every = range(1, len(dominoes) + 1)
    return Problem(len(dominoes), constraints, names, _count(every, maximise=True))


def squares_left(n: int) -> int:
    """Return the number of black squares of the mutilated chessboard of n x n squares."""
    return (n * n + 1) // 2 - 2 if n % 2 else n * n // 2 - 2


def dominating_queens(n: int) -> Problem:
    """Return n x n squares that queens attack or occupy, the number of queens to be minimised.

    Variable ``i * n + j + 1``: a queen is on the square in row i, column j.

    Raises:
        ValueError: n is below 1.
    """
    near = _attacked(n)
    constraints = tuple(Cardinality([var, *attacked], lower=1) for var, attacked in near.items())
    return Problem(n * n, constraints, _queens(n, "q"), _count(near))


def peaceable_queens(n: int) -> Problem:
    """Return equal armies of white and black queens at peace, their size to be maximised.

    R. Bosch, Peaceably coexisting armies of queens, Optima 60 (1999) 6-9. Variable ``i * n + j +
    1``: a white queen is in row i, column j; the variable of a black one is n * n more.

    Raises:
        ValueError: n is below 1.
    """
    near, black = _attacked(n), n * n
    # No two queens of different colours attack each other or share a square.
    constraints = [
        Cardinality([white, black + other], upper=1)
        for white, attacked in near.items()
        for other in (white, *attacked)
    ]
    # Whites and negated blacks: as many as there are squares, if the armies are of one size.
    constraints.append(Cardinality([*near, *(-(black + var) for var in near)], black, black))
    names = _queens(n, "w") | {black + var: name for var, name in _queens(n, "b").items()}
    return Problem(2 * black, tuple(constraints), names, _count(near, maximise=True))


def _attacked(n: int) -> dict[int, list[int]]:
    """Return the squares that a queen on each square attacks, all as variables."""
    if n < 1:
        raise ValueError(f"n={n}: at least 1 is needed")
    every = squares(n)
    return {
        i * n + j + 1: [
            k * n + m + 1
            for k, m in every
            if (i, j) != (k, m) and (i == k or j == m or abs(i - k) == abs(j - m))
        ]
        for i, j in every
    }


def _queens(n: int, letter: str) -> dict[int, str]:
    return {i * n + j + 1: f"{letter}_{i}_{j}" for i, j in squares(n)}


def _count(variables: Iterable[int], *, maximise: bool = False) -> Objective:
    """Return the number of true variables as an objective."""
    lits = tuple(variables)
    return Objective(lits, (1,) * len(lits), maximise=maximise)


def _names(cells: Sequence[Cell]) -> dict[int, str]:
    return {var: f"m_{row}_{column}" for var, (row, column) in enumerate(cells, start=1)}


def _clue_sums(
    clues: Mapping[Square, int], n: int
) -> tuple[list[Cell], list[tuple[list[int], int]]]:
    """Return the covered cells, and the variables that each clue counts with the clue."""
    cells = covered_cells(2 * n - 1)
    number = {cell: var for var, cell in enumerate(cells, start=1)}
    sums = [(sorted(number[cell] for cell in around(n, at)), clue) for at, clue in clues.items()]
    return cells, sums
