"""Around a hole in a lattice all is safe, and one more in a white clue is too much."""

from collections.abc import Callable
from importlib.util import find_spec
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest

from satsweeper import Position
from satsweeper.answers.options import Options
from satsweeper.engines.compare import EngineProcess
from satsweeper.families.holes import around_hole, hall, hall_with_slack, hole, safehole

Call = Callable[..., Any]
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
def test_dominoes_along_a_walk_are_a_layout(n: int, seed: int, meets: Call) -> None:
    zeros = {(0, 0), (n - 1, n - 1)} if n % 2 else {(0, 0)}
    assert meets(safehole(n, seed), dominoes(n, {*zeros, hole(n, seed)}))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("n", [4, 5, 6])
def test_eight_cells_are_safe_and_the_hole_is_unknown(n: int, seed: int, loop: Call) -> None:
    position = safehole(n, seed)
    row, column = (2 * each for each in hole(n, seed))
    eight = {(row + a, column + b) for a, b in product((-1, 0, 1), repeat=2)} - {(row, column)}
    assert set(around_hole(n, seed)) == eight <= set(position.covered_cells())
    plain = loop(position)
    assert plain.possible()
    assert not any(plain.possible((cell, True)) for cell in eight)
    # No clue counts the hole.
    assert (row, column) not in plain.number
    assert position.cells[row, column] == -1
    others = set(plain.number) - eight
    assert any(plain.possible((cell, True)) for cell in others)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n", [4, 5, 8, 11, 30])
def test_black_clues_less_white_ones_count_the_mines_around_the_hole(n: int, seed: int) -> None:
    for position, difference in ((safehole(n, seed), 0), (hall(n, seed), -1)):
        sign = {cell: 1 if sum(cell) % 4 == 0 else -1 for cell in position.clue_cells()}
        assert sum(sign[cell] * int(position.cells[cell]) for cell in sign) == difference
        around = set(around_hole(n, seed))
        for row, column in position.covered_cells():
            near = [(row + a, column + b) for a, b in product((-1, 0, 1), repeat=2)]
            assert sum(sign.get(clue, 0) for clue in near) == ((row, column) in around)


@pytest.mark.parametrize("n", [4, 5, 6])
def test_no_modulus_refutes_hall_and_yet_there_is_no_layout(
    n: int, refuted: Call, loop: Call
) -> None:
    for seed in range(3):
        position = hall(n, seed)
        assert not any(refuted(position, modulus) for modulus in (0, 2, 3, 5, 7))
        assert not loop(position).possible()
        change = position.cells - safehole(n, seed).cells
        assert (np.count_nonzero(change), int(change.sum())) == (1, 1)


def test_brute_force_finds_too_few_black_squares() -> None:
    problem = hall_with_slack(3)
    for bits in product((1, -1), repeat=problem.num_vars):
        assert not problem.holds({bit * var for var, bit in enumerate(bits, start=1)})


@pytest.mark.parametrize("n", [3, 4, 7, 10])
def test_adding_up_all_constraints_refutes_what_no_modulus_does(n: int, refuted: Call) -> None:
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


def test_without_the_zeros_black_squares_would_do(loop: Call) -> None:
    problem = hall_with_slack(4)
    freed = [each for each in problem.constraints if each.upper]
    assert len(freed) == len(problem.constraints) - 2
    assert loop(type(problem)(problem.num_vars, tuple(freed))).possible()


def answered(engine: str, position: Position) -> Any:
    with EngineProcess(engine) as child:
        return child.ask(position, Options()).answer


def test_two_clues_at_a_time_see_nothing() -> None:
    assert not set(around_hole(8)) & set(answered("subset", safehole(8)).safe)
    assert answered("subset", hall(8)).status != "inconsistent"


@pytest.mark.skipif(find_spec("highspy") is None, reason="an extra: pip install satsweeper[ilp]")
def test_linear_programming_says_the_same_of_larger_ones() -> None:
    assert set(around_hole(10)) <= set(answered("ilp", safehole(10)).safe)
    assert answered("ilp", hall(12)).status == "inconsistent"


def test_seeds_move_the_hole_inside_and_small_sizes_are_refused() -> None:
    holes = {hole(9, seed) for seed in range(60)}
    assert len(holes) > 15
    assert all(sum(at) % 2 and min(at) > 0 and max(at) < 8 for at in holes)
    assert safehole(7, 3) == safehole(7, 3)
    for make in (safehole, hall):
        with pytest.raises(ValueError, match="at least 4"):
            make(3)
    with pytest.raises(ValueError, match="at least 3"):
        hall_with_slack(2)
