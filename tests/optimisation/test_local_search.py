"""Local search: every solution meets all rows, and where it ends no better one may be claimed."""

from itertools import product
from random import Random

import numpy as np
import pytest

from pbcnf import Cardinality, Objective, Parity, Problem, PseudoBoolean
from satsweeper.optimisation import local_search as module
from satsweeper.optimisation import run
from satsweeper.optimisation.local_search import local_search
from satsweeper.optimisation.run import Settings, solve
from satsweeper.optimisation.search import PAUSE, Cost, LiveSink, Search, SolveStatus
from satsweeper.solvers.sink import open_solver

VARIABLES = 9


def random_problem(random):
    """A problem with exactly-one rows, weighted rows, a parity now and then, and an objective."""
    constraints = [Cardinality([1, 2, 3], 1, 1), Cardinality([4, 5, 6, 7], 1, 1)]
    for _ in range(random.randint(1, 4)):
        lits = [random.choice((1, -1)) * var for var in random.sample(range(1, VARIABLES + 1), 4)]
        weights = [random.randint(-6, 9) for _ in lits]
        constraints.append(PseudoBoolean(lits, weights, lower=random.randint(-3, 4)))
    if random.random() < 0.3:
        constraints.append(Parity([1, 5, 8], odd=True))
    paid = tuple(random.choice((1, -1)) * var for var in range(1, VARIABLES + 1))
    prices = tuple(random.randint(-9, 20) for _ in paid)
    objective = Objective(paid, prices, 3, maximise=random.random() < 0.5)
    return Problem(VARIABLES, tuple(constraints), objective=objective)


def values_of(problem):
    """The objective in each assignment that meets all constraints, by brute force."""
    found = []
    for signs in product((1, -1), repeat=VARIABLES):
        model = {sign * var for var, sign in enumerate(signs, 1)}
        if problem.holds(model):
            found.append(problem.objective.value(model))
    return found


def searched(problem, slices):
    """The costs of the solutions that local search alone finds, and the search."""
    found = []
    sink = LiveSink(open_solver("minisat22"))
    cost = Cost.of(problem.objective)
    search = Search(problem, cost, sink, lambda model, price: found.append((list(model), price)))
    strategy = local_search(search)
    for _ in range(slices):
        if next(strategy, None) is not PAUSE:
            break
    sink.solver.close()
    return found, search


def test_solutions_meet_all_constraints_become_better_and_are_among_those_of_brute_force(
    monkeypatch,
):
    monkeypatch.setattr(module, "_SLICE", 15)
    random, solved, best = Random(5), 0, 0
    for _ in range(60):
        problem = random_problem(random)
        values = values_of(problem)
        found, search = searched(problem, 40)
        prices = [price for _, price in found]
        assert prices == sorted({*prices}, reverse=True)
        for model, price in found:
            assert problem.holds({*model})
            assert problem.objective.value({*model}) == search.cost.objective(price)
            assert search.cost.objective(price) in values
        if not values:
            assert not found
            continue
        solved += bool(found)
        least = max(values) if problem.objective.maximise else min(values)
        best += bool(found) and search.cost.objective(prices[-1]) == least
        assert not search.exhausted
        assert search.lower == 0
    assert solved >= 40
    assert best >= 36


def test_sums_and_violations_that_are_kept_are_those_of_the_assignment():
    random = Random(2)
    for grouped in (True, False):
        problem = random_problem(random)
        sink = LiveSink(open_solver("minisat22"))
        search = Search(problem, Cost.of(problem.objective), sink, lambda model, price: None)
        state = module._Flips(search)
        state.start(np.array([random.random() for _ in range(state.variables)]), grouped)
        state.aim(-100.0, -100.0)
        for _ in range(30):
            state.run(7)
            place = -1
            for row in search.rows:
                place += not row.paired
                total = sum(f * state.values[var - 1] for var, f in row.terms.items())
                assert total == (-state._sums[place] if row.paired else state._sums[place])
                assert row.paired or (total < row.least) <= (state._violations[place] > 0)
            for group in ([1, 2, 3], [4, 5, 6, 7]):
                assert not grouped or sum(state.values[var - 1] for var in group) == 1
        sink.solver.close()


def test_it_finds_what_search_and_the_relaxation_need_long_for():
    # Forty groups of ten, and capacities: the cheapest of each group does not fit.
    random = Random(1)
    groups = [[10 * group + place + 1 for place in range(10)] for group in range(40)]
    rows = [Cardinality(group, 1, 1) for group in groups]
    lits = [lit for group in groups for lit in group]
    sizes = [random.randint(100, 999) for _ in lits]
    rows.append(PseudoBoolean(lits, sizes, upper=40 * 300))
    cost = tuple(1000 - size for size in sizes)
    problem = Problem(400, tuple(rows), objective=Objective(tuple(lits), cost))
    found, search = searched(problem, 10)
    assert found
    assert search.problem.holds({*search.model})


def test_sums_that_doubles_do_not_hold_are_left_to_others():
    large = 2**60
    rows = (PseudoBoolean([1, 2, 3], [large + 1, large, large], lower=2 * large + 1),)
    problem = Problem(3, rows, objective=Objective((1, 2, 3), (1, 1, 1)))
    assert searched(problem, 10)[0] == []
    assert solve(problem).value == 2


@pytest.mark.parametrize("strategy", ["auto"])
def test_large_problems_begin_before_their_encoding_and_have_the_optima_of_others(
    monkeypatch, strategy
):
    monkeypatch.setattr(run, "_LARGE", 0)
    random = Random(8)
    for _ in range(25):
        problem = random_problem(random)
        values = values_of(problem)
        outcome = solve(problem, Settings(strategy=strategy))
        if not values:
            assert outcome.status is SolveStatus.UNSATISFIABLE
            continue
        assert outcome.status is SolveStatus.OPTIMUM
        assert outcome.value == (max(values) if problem.objective.maximise else min(values))
