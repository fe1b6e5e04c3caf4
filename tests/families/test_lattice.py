"""Lattices of clues: colours that add up to the same, holes, and what is drawn with a sibling."""

from collections import Counter
from importlib.util import find_spec
from itertools import pairwise, product
from random import Random
from typing import Any

import numpy as np
import pytest

from pbcnf.constraints.problem import Problem
from satsweeper import Position, Status, classify
from satsweeper.answers.options import Options
from satsweeper.engines.compare import EngineProcess
from satsweeper.families.chessboard import checkerboard
from satsweeper.families.lattice import (
    around_hole,
    clue_lattice,
    drawn_zeros,
    hall,
    hall_with_slack,
    hole,
    mines_on_torus,
    ones,
    planted,
    planted_mines,
    planted_on_torus,
    safehole,
    torus_of_ones,
)
from tests.families.equations import Loop, block, brute_force, meets, refuted
from tests.problem_files import models_of


def sums(position: Position) -> tuple[int, int]:
    """Of the clues of either colour, from the board alone."""
    found = Counter[int]()
    for clue in position.clue_cells():
        found[sum(clue) % 4] += int(position.cells[clue])
    assert found.keys() <= {0, 2}
    return found[0], found[2]


@pytest.mark.parametrize("n", [2, 3, 4, 7])
def test_every_layout_adds_as_much_to_black_clues_as_to_white_ones(n):
    side = 2 * n - 1
    squares = dict.fromkeys(product(range(n), repeat=2), 0)
    assert clue_lattice(n, squares).cells.shape == (side, side)
    for cell in clue_lattice(n, squares).covered_cells():
        clues = [(a // 2, b // 2) for a, b in block(cell) if (a % 2, b % 2) == (0, 0)]
        colours = Counter(sum(square) % 2 for square in clues if square in squares)
        assert colours[0] == colours[1] > 0


def some_ones(n: int, seeds: int) -> list[Position]:
    drawn = [ones(n, drawn_zeros(n, seed)) for seed in range(seeds if n > 2 else 0)]
    return [ones(n), *drawn]


@pytest.mark.parametrize("n", range(2, 9))
def test_ones_are_all_1_but_for_two_0s_and_the_colours_differ(n):
    for position in some_ones(n, 3):
        values = Counter(int(position.cells[cell]) for cell in position.clue_cells())
        assert values == {0: 2, 1: n * n - 2}
        assert not position.flag_cells()
        black, white = sums(position)
        assert white - black == (2 if n % 2 == 0 else 1)
        assert refuted(position)
        assert refuted(position, 3)
        assert refuted(position, 2) is (n % 2 == 1)


@pytest.mark.parametrize("n", [2, 3])
def test_brute_force_finds_no_layout_of_ones(n):
    assert not any(map(brute_force, some_ones(n, 4)))
    # With a white zero more the colours agree, and a mine between two squares meets the rest.
    assert brute_force(clue_lattice(2, {(0, 0): 0, (0, 1): 0, (1, 0): 1, (1, 1): 1})) == 1


def test_any_zeros_out_of_balance_leave_no_layout_and_others_are_refused():
    random, refused = Random(1), 0
    squares = list(product(range(4), repeat=2))
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
    position = ones(n, zeros)
    shown = {clue: int(position.cells[clue]) for clue in position.clue_cells()}
    covered = set(position.covered_cells())
    for clue, number in shown.items():
        cells = (block(cell) for cell in block(clue) & covered)
        assert number == 0 or any(all(shown.get(each) != 0 for each in near) for near in cells)


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
    row, column = hole(n, seed)
    middle = 2 * row, 2 * column
    eight = block(middle) - {middle}
    assert set(around_hole(n, seed)) == eight <= set(position.covered_cells())
    plain = Loop(position)
    assert plain.possible()
    assert not any(plain.possible((cell, True)) for cell in eight)
    # No clue counts the hole.
    assert middle not in plain.number
    assert position.cells[middle] == -1
    others = set(plain.number) - eight
    assert any(plain.possible((cell, True)) for cell in others)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n", [4, 5, 8, 11, 30])
def test_black_clues_less_white_ones_count_the_mines_around_the_hole(n, seed):
    for position, difference in ((safehole(n, seed), 0), (hall(n, seed), -1)):
        sign = {cell: 1 if sum(cell) % 4 == 0 else -1 for cell in position.clue_cells()}
        assert sum(sign[cell] * int(position.cells[cell]) for cell in sign) == difference
        around = set(around_hole(n, seed))
        for cell in position.covered_cells():
            assert sum(sign.get(clue, 0) for clue in block(cell)) == (cell in around)


@pytest.mark.parametrize("n", [4, 5, 6])
def test_no_modulus_refutes_hall_and_yet_there_is_no_layout(n):
    for seed in range(3):
        position = hall(n, seed)
        assert not any(refuted(position, modulus) for modulus in (0, 2, 3, 5, 7))
        assert not Loop(position).possible()
        change = position.cells - safehole(n, seed).cells
        assert (np.count_nonzero(change), int(change.sum())) == (1, 1)


def test_brute_force_finds_too_few_black_squares():
    assert not models_of(hall_with_slack(3))


@pytest.mark.parametrize("n", [3, 4, 7, 10])
def test_adding_up_all_constraints_refutes_what_no_modulus_does(n):
    problem = hall_with_slack(n)
    assert not any(refuted(problem, modulus) for modulus in (0, 2, 3, 5))
    least = [each for each in problem.constraints if each.lower]
    most = [each for each in problem.constraints if not each.lower]
    weights = [Counter(lit for each in side for lit in each.lits) for side in (least, most)]
    assert weights[0] == weights[1]
    assert weights[0].keys() == set(range(1, problem.num_vars + 1))
    need, room = ([each.lower or each.upper for each in side] for side in (least, most))
    assert sum(need) > sum(room)


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


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("n", "share"), [(2, 0.3), (3, 0.5), (8, 0.2), (20, 0.3)])
def test_the_planted_layout_meets_every_clue(n, share, seed):
    mines = planted_mines(n, share, seed)
    position = planted(n, share, seed)
    assert meets(position, mines)
    assert len(mines) == round(share * len(position.covered_cells()))
    assert (position.mines, position.flag_cells()) == (None, [])
    assert len(position.clue_cells()) == n * n


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n", [2, 3, 5, 12])
def test_the_sibling_has_one_clue_larger_by_1_and_its_colours_differ_by_1(n, seed):
    sound, bumped = planted(n, seed=seed), planted(n, seed=seed, bump=True)
    change = bumped.cells - sound.cells
    assert np.count_nonzero(change) == change.sum() == 1
    black, white = sums(bumped)
    assert abs(black - white) == 1
    assert not any(refuted(sound, modulus) for modulus in (0, 2, 3))
    assert all(refuted(bumped, modulus) for modulus in (0, 2, 3, 5))


def test_a_larger_clue_still_has_the_cells_to_count():
    for seed in range(40):
        position = planted(2, 0.9, seed, bump=True)
        assert all(position.cells[cell] <= 3 for cell in position.clue_cells())


def cells(problem: Problem) -> dict[int, tuple[int, int]]:
    """Variable to cell, by the names."""
    parts = {var: name.split("_") for var, name in problem.names.items()}
    assert all(part[0] == "m" for part in parts.values())
    return {var: (int(part[1]), int(part[2])) for var, part in parts.items()}


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_constraints_are_clues_of_a_torus(n):
    problem = planted_on_torus(n)
    place, side = cells(problem), range(2 * n)
    assert list(place.values()) == [at for at in product(side, side) if at[0] % 2 or at[1] % 2]
    clues = product(range(0, 2 * n, 2), repeat=2)
    for clue, each in zip(clues, problem.constraints, strict=True):
        near = {(a % (2 * n), b % (2 * n)) for a, b in block(clue)}
        assert {place[var] for var in each.lits} == near - {clue}
        assert each.lower == each.upper
    times = Counter(var for each in problem.constraints for var in each.lits)
    assert set(times.values()) == {2, 4}


@pytest.mark.parametrize("n", [3, 5, 7])
def test_only_parity_refutes_an_odd_torus_of_ones(n):
    problem = torus_of_ones(n)
    assert {(each.lower, each.upper) for each in problem.constraints} == {(1, 1)}
    assert len(problem.constraints) % 2 == 1
    assert refuted(problem, 2)
    assert not any(refuted(problem, modulus) for modulus in (0, 3, 5, 7))
    # An eighth of a mine everywhere meets every clue.
    assert all(len(each.lits) == 8 for each in problem.constraints)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("n", [2, 3, 4, 9])
def test_the_layout_planted_on_a_torus_is_a_solution_and_the_sibling_has_an_odd_sum(n, seed):
    sound, bumped = (planted_on_torus(n, seed=seed, bump=bump) for bump in (False, True))
    mines = mines_on_torus(n, seed=seed)
    assert mines <= set(cells(sound).values())
    assert sound.holds({var if at in mines else -var for var, at in cells(sound).items()})
    pairs = list(zip(sound.constraints, bumped.constraints, strict=True))
    assert sorted([two.upper - one.upper for one, two in pairs]) == [0] * (n * n - 1) + [1]
    uppers: list[int] = [each.upper for each in bumped.constraints]
    assert sum(uppers) % 2 == 1
    assert all(each.lower == each.upper <= 8 for each in bumped.constraints)
    assert refuted(bumped, 2)
    assert not refuted(sound, 2)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n", [1, 2, 7, 12])
def test_a_checkerboard_is_consistent_and_only_one_colour_is_open(n, seed):
    position = checkerboard(n, seed=seed, total=True)
    assert position.mines == round(0.3 * n * n)
    assert all((row + column) % 2 == 0 for row, column in position.clue_cells())
    answer = classify(position)
    assert answer.status is Status.CONSISTENT
    # What is covered of the open colour is a mine in the layout that was drawn.
    drawn = {cell for cell in position.covered_cells() if sum(cell) % 2 == 0}
    assert not drawn & set(answer.safe)
    assert len(drawn) + len(position.clue_cells()) == (n * n + 1) // 2


@pytest.mark.parametrize(("share", "clues"), [(0.0, 13), (1.0, 0)])
def test_all_or_none_of_a_checkerboard_are_mines(share, clues):
    position = checkerboard(5, share)
    assert len(position.clue_cells()) == clues
    assert classify(position).status is Status.CONSISTENT
