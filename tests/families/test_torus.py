"""On a torus all clues add up to an even number: odd sums have no solution."""

from collections import Counter
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from pbcnf.constraints.problem import Problem
from satsweeper.families.lattice import mines_on_torus, planted_on_torus, torus_of_ones

Call = Callable[..., Any]


def cells(problem: Problem) -> dict[int, tuple[int, int]]:
    """Variable to cell, by the names."""
    parts = {var: name.split("_") for var, name in problem.names.items()}
    assert all(part[0] == "m" for part in parts.values())
    return {var: (int(part[1]), int(part[2])) for var, part in parts.items()}


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_constraints_are_clues_of_a_torus(n: int) -> None:
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
def test_only_parity_refutes_an_odd_torus_of_ones(n: int, refuted: Call) -> None:
    problem = torus_of_ones(n)
    assert {(each.lower, each.upper) for each in problem.constraints} == {(1, 1)}
    assert len(problem.constraints) % 2 == 1
    assert refuted(problem, 2)
    assert not any(refuted(problem, modulus) for modulus in (0, 3, 5, 7))
    # An eighth of a mine everywhere meets every clue.
    assert all(len(each.lits) == 8 for each in problem.constraints)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("n", [2, 3, 4, 9])
def test_the_planted_layout_is_a_solution_and_the_sibling_has_an_odd_sum(
    n: int, seed: int, refuted: Call
) -> None:
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


def test_bad_arguments_are_refused() -> None:
    for n in (1, 2, 4):
        with pytest.raises(ValueError, match="an odd number of at least 3"):
            torus_of_ones(n)
    for n, share in ((1, 0.3), (3, -0.1), (3, 1.5)):
        with pytest.raises(ValueError, match="at least 2, and 0 to 1"):
            planted_on_torus(n, share)
    with pytest.raises(ValueError, match="no clue can be larger"):
        planted_on_torus(3, 1.0, bump=True)
