"""On a lattice of clues both colours add up to the same, or there is no layout; holes leave one."""

from collections import Counter
from importlib.util import find_spec
from itertools import pairwise, product
from random import Random
from typing import Any

import numpy as np
import pytest

from satsweeper import Position
from satsweeper.answers.options import Options
from satsweeper.engines.compare import EngineProcess
from satsweeper.families.lattice import (
    around_hole,
    clue_lattice,
    drawn_zeros,
    hall,
    hall_with_slack,
    hole,
    ones,
    safehole,
)
from tests.families.equations import Loop, brute_force, meets, refuted


def sums(position: Position) -> tuple[int, int]:
    """Of the clues of either colour, from the board alone."""
    black = [int(position.cells[i, j]) for i, j in position.clue_cells() if (i + j) % 4 == 0]
    white = [int(position.cells[i, j]) for i, j in position.clue_cells() if (i + j) % 4 == 2]
    assert len(black) + len(white) == len(position.clue_cells())
    return sum(black), sum(white)


@pytest.mark.parametrize("n", [2, 3, 4, 7])
def test_every_layout_adds_as_much_to_black_clues_as_to_white_ones(n):
    side = 2 * n - 1
    squares = {(i, j): 0 for i in range(n) for j in range(n)}
    assert clue_lattice(n, squares).cells.shape == (side, side)
    for i, j in clue_lattice(n, squares).covered_cells():
        near = [(i + a, j + b) for a in (-1, 0, 1) for b in (-1, 0, 1)]
        clues = [(a // 2, b // 2) for a, b in near if (a % 2, b % 2) == (0, 0)]
        colours = Counter(sum(square) % 2 for square in clues if square in squares)
        assert colours[0] == colours[1] > 0


@pytest.mark.parametrize("n", range(2, 9))
def test_ones_are_all_1_but_for_two_0s_and_the_colours_differ(n):
    for position in [ones(n)] + [
        ones(n, drawn_zeros(n, seed)) for seed in range(3 if n > 2 else 0)
    ]:
        values = Counter(int(position.cells[cell]) for cell in position.clue_cells())
        assert values == {0: 2, 1: n * n - 2}
        assert not position.flag_cells()
        black, white = sums(position)
        assert white - black == (2 if n % 2 == 0 else 1)
        assert refuted(position)
        assert refuted(position, 3)
        assert refuted(position, 2) is (n % 2 == 1)


def ones_of_both_colours(n: int) -> Position:
    squares = [(i, j) for i in range(n) for j in range(n)]
    return clue_lattice(n, {(i, j): int((i, j) not in [(0, 0), (0, 1)]) for i, j in squares})


@pytest.mark.parametrize("n", [2, 3])
def test_brute_force_finds_no_layout_of_ones(n):
    boards = [ones(n)] + [ones(n, drawn_zeros(n, seed)) for seed in range(4 if n > 2 else 0)]
    assert [brute_force(position) for position in boards] == [0] * len(boards)
    # With a white zero more the colours agree, and a mine between two squares meets the rest.
    assert brute_force(ones_of_both_colours(2)) == 1


def test_any_zeros_out_of_balance_leave_no_layout_and_others_are_refused():
    random = Random(1)
    squares = [(i, j) for i in range(4) for j in range(4)]
    refused = 0
    for _ in range(30):
        zeros = random.sample(squares, random.randrange(1, 5))
        blacks = sum(sum(square) % 2 == 0 for square in zeros)
        if 2 * blacks == len(zeros):
            refused += 1
            with pytest.raises(ValueError, match="as many black 1s as white ones"):
                ones(4, zeros)
        else:
            assert not Loop(ones(4, zeros)).possible()
    assert 0 < refused < 30


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("n", [3, 4, 9])
def test_drawn_zeros_are_two_black_squares_and_every_1_keeps_a_cell(n, seed):
    zeros = drawn_zeros(n, seed)
    assert zeros == drawn_zeros(n, seed)
    assert [sum(square) % 2 for square in zeros] == [0, 0]
    cells = np.pad(ones(n, zeros).cells, 1, constant_values=9)

    def near(row: int, column: int) -> Any:
        return cells[row : row + 3, column : column + 3]

    for row, column in ones(n, zeros).clue_cells():
        if cells[row + 1, column + 1] == 1:
            free = [
                (row + a - 1, column + b - 1)
                for a, b in np.argwhere(near(row, column) == -1).tolist()
            ]
            assert any(not (near(*cell) == 0).any() for cell in free)


Square = tuple[int, int]


def walk(n: int) -> list[Square]:
    """All squares, each beside the one before; if n is even, the last beside the first."""
    if n % 2:
        return [(i, j if i % 2 == 0 else n - 1 - j) for i in range(n) for j in range(n)]
    rest = [(i, j if i % 2 == 0 else n - j) for i in range(n) for j in range(1, n)]
    return [(0, 0), *rest, *((i, 0) for i in range(n - 1, 0, -1))]


def dominoes(n: int, out: set[Square]) -> frozenset[tuple[int, int]]:
    """The cells between the squares of a walk, two by two, without those that are out."""
    squares = walk(n)
    assert len(set(squares)) == n * n
    closed = squares if n % 2 else [*squares, squares[0]]
    assert all(abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in pairwise(closed))
    left = [square for square in squares if square not in out]
    pairs = list(zip(left[::2], left[1::2], strict=True))
    assert all(abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in pairs)
    return frozenset((a + c, b + d) for (a, b), (c, d) in pairs)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("n", [4, 5, 6, 9, 14, 31])
def test_dominoes_along_a_walk_are_a_layout(n, seed):
    zeros = {(0, 0), (n - 1, n - 1)} if n % 2 else {(0, 0)}
    assert meets(safehole(n, seed), dominoes(n, {*zeros, hole(n, seed)}))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("n", [4, 5, 6])
def test_eight_cells_are_safe_and_the_hole_is_unknown(n, seed):
    position = safehole(n, seed)
    row, column = (2 * each for each in hole(n, seed))
    eight = {(row + a, column + b) for a, b in product((-1, 0, 1), repeat=2)} - {(row, column)}
    assert set(around_hole(n, seed)) == eight <= set(position.covered_cells())
    plain = Loop(position)
    assert plain.possible()
    assert not any(plain.possible((cell, True)) for cell in eight)
    # No clue counts the hole.
    assert (row, column) not in plain.number
    assert position.cells[row, column] == -1
    others = set(plain.number) - eight
    assert any(plain.possible((cell, True)) for cell in others)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n", [4, 5, 8, 11, 30])
def test_black_clues_less_white_ones_count_the_mines_around_the_hole(n, seed):
    for position, difference in ((safehole(n, seed), 0), (hall(n, seed), -1)):
        sign = {cell: 1 if sum(cell) % 4 == 0 else -1 for cell in position.clue_cells()}
        assert sum(sign[cell] * int(position.cells[cell]) for cell in sign) == difference
        around = set(around_hole(n, seed))
        for row, column in position.covered_cells():
            near = [(row + a, column + b) for a, b in product((-1, 0, 1), repeat=2)]
            assert sum(sign.get(clue, 0) for clue in near) == ((row, column) in around)


@pytest.mark.parametrize("n", [4, 5, 6])
def test_no_modulus_refutes_hall_and_yet_there_is_no_layout(n):
    for seed in range(3):
        position = hall(n, seed)
        assert not any(refuted(position, modulus) for modulus in (0, 2, 3, 5, 7))
        assert not Loop(position).possible()
        change = position.cells - safehole(n, seed).cells
        assert (np.count_nonzero(change), int(change.sum())) == (1, 1)


def test_brute_force_finds_too_few_black_squares():
    problem = hall_with_slack(3)
    for bits in product((1, -1), repeat=problem.num_vars):
        assert not problem.holds({bit * var for var, bit in enumerate(bits, start=1)})


@pytest.mark.parametrize("n", [3, 4, 7, 10])
def test_adding_up_all_constraints_refutes_what_no_modulus_does(n):
    problem = hall_with_slack(n)
    assert not any(refuted(problem, modulus) for modulus in (0, 2, 3, 5))
    weight = dict.fromkeys(range(1, problem.num_vars + 1), 0)
    room = need = 0
    for each in problem.constraints:
        if each.lower:
            need += each.lower
        else:
            room += each.upper
        for lit in each.lits:
            weight[lit] += 1 if each.lower else -1
    assert set(weight.values()) == {0}
    assert need > room


def test_without_the_zeros_black_squares_would_do():
    problem = hall_with_slack(4)
    freed = [each for each in problem.constraints if each.upper]
    assert len(freed) == len(problem.constraints) - 2
    assert Loop(type(problem)(problem.num_vars, tuple(freed))).possible()


def answered(engine: str, position: Position) -> Any:
    with EngineProcess(engine) as child:
        return child.ask(position, Options()).answer


def test_two_clues_at_a_time_see_nothing():
    assert not set(around_hole(8)) & set(answered("subset", safehole(8)).safe)
    assert answered("subset", hall(8)).status != "inconsistent"


@pytest.mark.skipif(find_spec("highspy") is None, reason="an extra: pip install satsweeper[ilp]")
def test_linear_programming_says_the_same_of_larger_ones():
    assert set(around_hole(10)) <= set(answered("ilp", safehole(10)).safe)
    assert answered("ilp", hall(12)).status == "inconsistent"


def test_seeds_move_the_hole_inside():
    holes = {hole(9, seed) for seed in range(60)}
    assert len(holes) > 15
    assert all(sum(at) % 2 and min(at) > 0 and max(at) < 8 for at in holes)
    assert safehole(7, 3) == safehole(7, 3)
