"""Problems without an objective: a row stands for it, and clauses and counts are tried first."""

from random import Random
from unittest.mock import patch

import pytest

from pbcnf import Cardinality, Parity, Problem, PseudoBoolean
from satsweeper.optimisation import Settings, Status, linear, solve
from satsweeper.optimisation.linear import widest_row
from tests.oracles import assignments, true_literals

VARIABLES = 9


def random_problem(seed):
    random = Random(seed)
    constraints = []
    for _ in range(random.randint(3, 7)):
        number = random.randint(3, 8)
        lits = [random.choice([-v, v]) for v in random.sample(range(1, VARIABLES + 1), number)]
        kind = random.randrange(4)
        if kind == 0:
            constraints.append(Cardinality(lits, lower=1))
        elif kind == 1:
            constraints.append(Cardinality(lits, random.randint(0, 2), random.randint(1, 3)))
        elif kind == 2 and seed % 5 == 0:
            constraints.append(Parity(lits, odd=True))
        else:
            weights = [random.choice([-1, 1]) * random.randint(1, 9) for _ in lits]
            value = random.randint(-6, 6)
            constraints.append(
                PseudoBoolean(lits, weights, value, random.choice([value, 99, 99, 99]))
            )
    return Problem(VARIABLES, tuple(constraints))


def solutions(problem):
    return [true for bits in assignments(VARIABLES) if problem.holds(true := true_literals(bits))]


@pytest.mark.parametrize("seed", range(60))
def test_every_solution_costs_less_than_the_bound_of_the_row_that_stands_for_the_objective(seed):
    problem = random_problem(seed)
    row = widest_row(problem)
    if row is not None:
        cost, bound = row
        assert min(cost.terms.values()) > 0
        assert all(cost.in_model(true) < bound for true in solutions(problem))


@pytest.mark.parametrize(("lower", "upper"), [(None, 7), (5, None)])
def test_the_cost_is_below_the_bound_where_the_row_holds_and_nowhere_else(lower, upper):
    constraint = PseudoBoolean([1, -2, 3, -4], [2, -3, 4, 5], lower, upper)
    row = widest_row(Problem(4, (constraint,)))
    assert row is not None
    cost, bound = row
    for bits in assignments(4):
        true = true_literals(bits)
        assert (cost.in_model(true) < bound) == constraint.holds(true)


def test_no_row_stands_for_the_objective_where_weights_are_equal_or_both_bounds_given():
    equal, both = Cardinality([1, 2, 3], 2), PseudoBoolean([1, 2, 3], [1, 2, 3], 2, 4)
    assert widest_row(Problem(3, (equal, both, Parity([1, 2], odd=True)))) is None


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("native", [True, False])
def test_the_answer_is_that_of_brute_force(seed, native):
    problem = random_problem(seed)
    with patch.object(linear, "_SIMPLE", 500 if native else 0):
        found = solve(problem)
    if solutions(problem):
        assert found.status is Status.SATISFIABLE
        assert problem.holds({*found.model})
        assert (found.value, found.bound) == (None, None)
    else:
        assert found.status is Status.UNSATISFIABLE


def test_a_named_solver_is_the_one_that_is_asked():
    problem = Problem(3, (Cardinality([1, 2, 3], 1, 1),))
    assert solve(problem).questions == 0
    assert solve(problem, Settings(solver="minisat22")).questions == 1
