"""The linear relaxation: what it claims is proved, and true by brute force."""

import sys
from importlib.util import find_spec
from random import Random

import pytest

from satsweeper.linear import relaxation
from satsweeper.linear.relaxation import decide, decide_one, proves, refute, solution
from tests.oracles import equation_models

pytestmark = pytest.mark.skipif(
    find_spec("highspy") is None, reason="highspy is an extra: pip install satsweeper[ilp]"
)


def random_equations(random, variables):
    hidden = [random.randint(0, 1) for _ in range(variables)]
    found = []
    for _ in range(random.randint(2, 7)):
        which = tuple(random.sample(range(1, variables + 1), random.randint(1, min(4, variables))))
        wrong = random.random() < 0.1
        found.append((which, sum(hidden[v - 1] for v in which) + wrong))
    return found


def test_claims_are_true_and_some_are_made():
    random = Random(1)
    refuted = decided = missed = 0
    for _ in range(200):
        variables = random.randint(2, 8)
        equations = random_equations(random, variables)
        true = equation_models(equations, variables)
        claim = refute(equations)
        if claim is not None:
            assert not true
            assert proves(equations, claim)
            refuted += 1
            continue
        if not true:
            missed += 1
            continue
        found = decide(equations)
        for each in found.claims:
            assert proves(equations, each)
            assert all(ones[v - 1] == each.ones for ones in true for v in each.variables)
            decided += len(each.variables)
        named = {v for equation in equations for v in equation[0]}
        seen = {frozenset(v for v in named if ones[v - 1]) for ones in true}
        assert set(found.solutions) <= seen
    assert refuted > 5 * missed
    assert decided > 100


def test_what_duals_do_not_prove_is_dropped(monkeypatch):
    """Whatever the linear program says, nothing leaves that its duals do not prove."""
    from satsweeper.linear import highs

    equations = [((1, 2, 3), 1), ((1, 2), 1)]
    assert [set(claim.variables) for claim in decide(equations).claims] == [{3}]
    honest = highs.LinearProgram.run

    def lying(program, seconds=None):
        outcome = honest(program, seconds)
        return outcome._replace(values=[0.0] * len(outcome.values))

    monkeypatch.setattr(highs.LinearProgram, "run", lying)
    assert [set(claim.variables) for claim in decide(equations).claims] == []

    def turned(program, seconds=None):
        outcome = honest(program, seconds)
        return outcome._replace(duals=[-dual for dual in outcome.duals])

    monkeypatch.setattr(highs.LinearProgram, "run", turned)
    assert refute([((1, 2), 1), ((1, 2), 2)]) is None
    assert decide(equations).claims == []


def test_beside_or_tools_it_is_not_there(monkeypatch):
    monkeypatch.setitem(sys.modules, "ortools", object())
    assert not relaxation.available()


@pytest.mark.parametrize("integer", [False, True])
def test_a_solution_is_one_and_of_least_cost(integer):
    # x1 and x4, or x2 and x3.
    equations = [((1, 2), 1), ((3, 4), 1), ((2, 4), 1)]
    assert solution(equations, {}, integer=integer) in ({1, 4}, {2, 3})
    assert solution(equations, {2: 2.0, 9: 5.0}, integer=integer) == {1, 4}
    assert solution([((1,), 1), ((1,), 0)], {}, integer=integer) is None


def test_halves_are_no_solution_and_branching_finds_that_there_is_none():
    triangle = [((1, 2), 1), ((2, 3), 1), ((1, 3), 1)]
    assert solution(triangle, {}) is None
    assert solution(triangle, {}, integer=True) is None


def test_a_variable_is_decided_by_itself_where_its_value_may_be_a_fraction():
    random = Random(3)
    decided = missed = 0
    for _ in range(300):
        equations = random_equations(random, 6)
        true = equation_models(equations, 6)
        if not true:
            continue
        for variable in {v for equation in equations for v in equation[0]}:
            values = {ones[variable - 1] for ones in true}
            for one in (False, True):
                claim = decide_one(equations, variable, one)
                if claim is not None:
                    assert proves(equations, claim)
                    assert values == {one}
                    decided += 1
                else:
                    missed += values == {one}
    assert decided > 10 * missed
