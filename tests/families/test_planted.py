"""What is drawn: planted boards and tori with their siblings of odd sums, and checkerboards."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

from pbcnf.constraints.problem import Problem
from satsweeper import Status, classify
from satsweeper.families.chessboard import checkerboard
from satsweeper.families.lattice import (
    mines_on_torus,
    planted,
    planted_mines,
    planted_on_torus,
    torus_of_ones,
)
from tests.families.equations import meets, refuted


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
    colours = [0, 0]
    for row, column in bumped.clue_cells():
        colours[(row + column) // 2 % 2] += int(bumped.cells[row, column])
    assert abs(colours[0] - colours[1]) == 1
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
    for (row, column), each in zip(clues, problem.constraints, strict=True):
        steps = product((-1, 0, 1), repeat=2)
        near = {((row + a) % (2 * n), (column + b) % (2 * n)) for a, b in steps}
        assert {place[var] for var in each.lits} == near - {(row, column)}
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
