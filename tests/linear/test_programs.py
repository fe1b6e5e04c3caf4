"""Linear programs: what they claim is proved by weights, which prove nothing that is false."""

import sys
from fractions import Fraction
from random import Random

import pytest

from satsweeper.linear import relaxation as lp
from tests.commands import need_highs, python
from tests.oracles import exact_sets, random_equations


@pytest.fixture
def highs() -> None:
    need_highs()


with_highs = pytest.mark.usefixtures("highs")


@pytest.mark.parametrize("seed", range(40))
def test_no_weights_prove_what_is_false(seed):
    random = Random(seed)
    variables = random.randint(2, 6)
    every = range(1, variables + 1)
    equations = random_equations(random, variables, random.randint(1, 5), variables, wrong=0)
    true = exact_sets(equations, every)
    for _ in range(200):
        weights = {
            index: random.randint(-2 * lp.DENOMINATOR, 2 * lp.DENOMINATOR)
            for index in range(len(equations))
            if random.random() < 0.7
        }
        chosen = frozenset(random.sample(every, random.randint(1, variables)))
        assert not lp.proves(equations, lp.Weighted(frozenset(), False, weights))
        for ones in (False, True):
            if lp.proves(equations, lp.Weighted(chosen, ones, weights)):
                assert all((v in assigned) is ones for assigned in true for v in chosen)
        cost = {v: random.randint(-3, 3) for v in every}
        least = min(sum(cost[v] for v in assigned) for assigned in true)
        assert lp.bound(equations, cost, weights) <= least


def test_a_pigeonhole_is_refuted_by_its_duals_and_not_by_near_ones():
    # Three pairs of three variables hold one each, all of them two.
    equations = [((0, 1), 1), ((1, 2), 1), ((0, 2), 1), ((0, 1, 2), 2)]
    right = lp.rounded([0.5, 0.5, 0.5, -1.0])
    assert lp.bound(equations, {}, right) == Fraction(-1, 2)
    assert lp.proves(
        equations, lp.Weighted(frozenset(), False, lp.rounded([-0.5, -0.5, -0.5, 1.0]))
    )
    for wrong in ([-0.4, -0.5, -0.5, 1.0 - 0.6], [0, 0, 0, 1], [], [0.5, 0.5, 0.5, -1.0]):
        assert not lp.proves(equations, lp.Weighted(frozenset(), False, lp.rounded(wrong)))


def test_what_the_total_forces_is_proved():
    equations = [((0, 1, 2), 1), ((0, 1), 1)]
    claim = lp.Weighted(frozenset({2}), False, lp.rounded([-1.0, 1.0]))
    assert lp.proves(equations, claim)
    assert not lp.proves(equations, claim._replace(ones=True))
    assert not lp.proves(equations, claim._replace(weights={}))
    assert not lp.proves(equations, claim._replace(variables=frozenset({0, 2})))


@with_highs
def test_claims_are_true_and_some_are_made():
    random = Random(1)
    refuted = decided = missed = 0
    for _ in range(200):
        variables = random.randint(2, 8)
        equations = random_equations(random, variables, random.randint(2, 7), 4, wrong=0.1)
        true = exact_sets(equations)
        claim = lp.refute(equations)
        if claim is not None:
            assert not true
            assert lp.proves(equations, claim)
            refuted += 1
            continue
        if not true:
            missed += 1
            continue
        found = lp.decide(equations)
        for each in found.claims:
            assert lp.proves(equations, each)
            assert all((v in ones) is each.ones for ones in true for v in each.variables)
            decided += len(each.variables)
        assert set(found.solutions) <= set(true)
    assert refuted > 5 * missed
    assert decided > 100


@with_highs
def test_what_duals_do_not_prove_is_dropped(monkeypatch):
    """Whatever the linear program says, nothing leaves that its duals do not prove."""
    from satsweeper.linear import highs

    equations = [((1, 2, 3), 1), ((1, 2), 1)]
    assert [set(claim.variables) for claim in lp.decide(equations).claims] == [{3}]
    honest = highs.LinearProgram.run

    def lying(program, seconds=None):
        outcome = honest(program, seconds)
        return outcome._replace(values=[0.0] * len(outcome.values))

    monkeypatch.setattr(highs.LinearProgram, "run", lying)
    assert [set(claim.variables) for claim in lp.decide(equations).claims] == []

    def turned(program, seconds=None):
        outcome = honest(program, seconds)
        return outcome._replace(duals=[-dual for dual in outcome.duals])

    monkeypatch.setattr(highs.LinearProgram, "run", turned)
    assert lp.refute([((1, 2), 1), ((1, 2), 2)]) is None
    assert lp.decide(equations).claims == []


def test_beside_or_tools_it_is_not_there(monkeypatch):
    monkeypatch.setitem(sys.modules, "ortools", object())
    assert not lp.available()


@with_highs
@pytest.mark.parametrize("integer", [False, True])
def test_a_solution_is_one_and_of_least_cost(integer):
    # x1 and x4, or x2 and x3.
    equations = [((1, 2), 1), ((3, 4), 1), ((2, 4), 1)]
    assert lp.solution(equations, {}, integer=integer) in ({1, 4}, {2, 3})
    assert lp.solution(equations, {2: 2.0, 9: 5.0}, integer=integer) == {1, 4}
    assert lp.solution([((1,), 1), ((1,), 0)], {}, integer=integer) is None
    # Halves are no solution, and branching finds that there is none.
    assert lp.solution([((1, 2), 1), ((2, 3), 1), ((1, 3), 1)], {}, integer=integer) is None


@with_highs
def test_a_variable_is_decided_by_itself_where_its_value_may_be_a_fraction():
    random = Random(3)
    decided = missed = 0
    for _ in range(300):
        equations = random_equations(random, 6, random.randint(2, 7), 4, wrong=0.1)
        true = exact_sets(equations)
        if not true:
            continue
        for variable in {v for equation in equations for v in equation[0]}:
            values = {variable in ones for ones in true}
            for one in (False, True):
                claim = lp.decide_one(equations, variable, one)
                if claim is not None:
                    assert lp.proves(equations, claim)
                    assert values == {one}
                    decided += 1
                else:
                    missed += values == {one}
    assert decided > 10 * missed


PROGRAMS = """
from satsweeper.linear.highs import LinearProgram

for integer in (False, True):
    program = LinearProgram(3, [((0, 1), 1), ((1, 2), 1)], integer=integer)
    for column in (0, 2):
        program.cost(column, 1.0)
    assert [round(value) for value in program.run(60).values] == [0, 1, 0]
"""


@with_highs
def test_a_program_is_made_and_run_without_a_word() -> None:
    # In a process of its own, whose end writes out what C still holds back.
    ended = python("-c", PROGRAMS)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
