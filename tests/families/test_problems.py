"""Pigeonholes and regular problems have a solution exactly where counting allows one."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbcnf.constraints.problem import Problem
from satsweeper.families.pigeonhole import pigeonhole
from satsweeper.families.regular import regular


def solvable(problem: Problem) -> bool:
    """By trying every assignment."""
    return any(
        problem.holds({var if true else -var for var, true in enumerate(values, start=1)})
        for values in product((False, True), repeat=problem.num_vars)
    )


@pytest.mark.parametrize("pigeons", [1, 2, 3, 4])
@pytest.mark.parametrize("holes", [1, 2, 3])
@pytest.mark.parametrize("capacity", [1, 2])
def test_pigeons_fit_if_there_are_places(pigeons, holes, capacity):
    problem = pigeonhole(pigeons, holes, capacity)
    assert solvable(problem) is (pigeons <= holes * capacity)
    assert problem.num_vars == pigeons * holes
    assert dict(problem.variables())[holes] == f"p0h{holes - 1}"


@given(st.data())
def test_every_variable_is_in_degree_constraints_and_every_constraint_has_n_variables(data):
    degree = data.draw(st.integers(1, 5), label="degree")
    constraints = data.draw(st.integers(degree, 9), label="constraints")
    n = degree * data.draw(st.integers(1, 5), label="n / degree")
    k = data.draw(st.integers(0, n), label="k")
    seed = data.draw(st.integers(0, 99), label="seed")
    problem = regular(constraints, n, k, degree, seed)
    times = Counter(lit for each in problem.constraints for lit in each.lits)
    assert times == dict.fromkeys(range(1, constraints * n // degree + 1), degree)
    assert problem.num_vars == constraints * n // degree
    assert len(problem.constraints) == constraints
    for each in problem.constraints:
        assert (len(each.lits), each.lower, each.upper) == (n, k, k)
        assert list(each.lits) == sorted(set(each.lits))
    assert problem == regular(constraints, n, k, degree, seed)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("constraints", "n", "k", "degree"),
    [(3, 4, 1, 2), (3, 4, 2, 2), (4, 6, 3, 2), (5, 6, 3, 2), (4, 6, 2, 3), (5, 6, 4, 3),
     (2, 5, 2, 2)],
)  # fmt: skip
def test_there_is_a_solution_where_the_degree_divides_the_sum(constraints, n, k, degree, seed):
    problem = regular(constraints, n, k, degree, seed)
    assert solvable(problem) is (constraints * k % degree == 0)
