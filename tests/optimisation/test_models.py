"""Builders solved in one call: optima and values by name, as brute force finds them."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import Builder, Problem, maximum
from satsweeper.optimisation import STRATEGIES, Outcome, Settings, Status, solve
from satsweeper.solvers.protocol import SolverError, SolverFailedError

WEIGHTS = st.lists(st.integers(-5, 5), min_size=4, max_size=4)


def weighed(weights, x, y, m, n):
    return weights[0] * x + weights[1] * y + weights[2] * m + weights[3] * n


@settings(max_examples=60)
@given(WEIGHTS, WEIGHTS, st.integers(-9, 9), st.booleans(), st.sampled_from([*STRATEGIES, None]))
def test_the_optimum_and_the_values_are_those_of_brute_force(
    asked, limited, bound, maximise, strategy
):
    builder = Builder()
    x, y = builder.booleans("xy")
    m, n = builder.integer("m", -2, 2), builder.integer("n", domain=[0, 3, 4])
    builder.add(weighed(limited, x, y, m, n) <= bound, x | (m == n))
    ask = builder.maximise if maximise else builder.minimise
    ask(weighed(asked, x, y, m, n) + maximum([m, n]))
    found = []
    best = solve(
        builder, strategy=strategy, seconds=60, found=lambda values, value: found.append(value)
    )
    possible = {
        (p, q, i, j): weighed(asked, p, q, i, j) + max(i, j)
        for p, q, i, j in product((0, 1), (0, 1), range(-2, 3), (0, 3, 4))
        if weighed(limited, p, q, i, j) <= bound and (p or i == j)
    }
    if not possible:
        assert (best.status, best.values, best.value) == (Status.UNSATISFIABLE, {}, None)
        return
    assert best.status is Status.OPTIMUM
    assert best.value == (max if maximise else min)(possible.values())
    assert list(best.values) == ["x", "y", "m", "n"]
    assert possible[tuple(best.values.values())] == best.value
    assert found[-1] == best.value


def test_without_an_objective_it_is_decided():
    builder = Builder()
    x, n = builder.boolean(("x", 1)), builder.integer("n", 0, 9)
    builder.add(~x, n * n == 49)
    assert solve(builder).status is Status.SATISFIABLE
    assert solve(builder, Settings(solver="minisat22")).values == {("x", 1): False, "n": 7}
    builder.add(n != 7)
    assert (solve(builder).status, solve(builder).values) == (Status.UNSATISFIABLE, {})


def test_a_problem_goes_through_as_it_is():
    builder = Builder()
    builder.minimise(3 - 2 * builder.boolean("x"))
    found = solve(builder.problem(), strategy="linear")
    assert isinstance(found, Outcome)
    assert (found.value, found.model) == (1, (1,))


def test_time_that_is_over_is_said():
    builder = Builder()
    builder.add(builder.boolean("x"))
    found = solve(builder, seconds=0)
    assert (found.status, found.reason, found.values) == (Status.UNKNOWN, "time", {})


def test_other_models_and_strategies_are_refused():
    with pytest.raises(TypeError, match="a Problem or a Builder is solved, not list"):
        solve([[1]])  # type: ignore[call-overload]
    with pytest.raises(SolverError, match="did you mean 'linear'"):
        solve(Builder(), strategy="linaer")


def test_values_that_are_wrong_are_never_returned(monkeypatch):
    builder = Builder()
    x, y = builder.booleans("xy")
    builder.add(x | y)
    builder.minimise(x + y)

    def lying(problem: Problem, *rest: object, **others: object) -> Outcome:
        return Outcome(Status.OPTIMUM, (-1, -2), 0)

    monkeypatch.setattr("satsweeper.optimisation.run.solve", lying)
    with pytest.raises(SolverFailedError, match="does not satisfy what the builder says"):
        solve(builder)
