"""Enumerated optima are those of brute force, also where a limit ends the enumeration."""

from random import Random

import pytest

from pbcnf import Objective, Parity, Problem, PseudoBoolean
from satsweeper.linear import row_relaxation
from satsweeper.optimisation import Settings, Status, branching, enumeration, solve
from tests.commands import need_highs
from tests.oracles import assignments, true_literals, weighted_sum

VARIABLES = 9


def random_problem(seed, most):
    """Random sums and parities, every third problem without an objective."""
    random = Random(seed)
    constraints = []
    for _ in range(random.randint(1, 6)):
        lits = [random.choice([-v, v]) for v in random.sample(range(1, VARIABLES + 1), 5)]
        weights = [random.randint(1, most) for _ in lits]
        value = random.randint(0, sum(weights))
        constraints.append(
            PseudoBoolean(lits, weights, value, random.choice([value, sum(weights)]))
        )
    if random.random() < 0.3:
        constraints.append(Parity([1, -4, 7, 9], odd=random.random() < 0.5))
    objective = None
    if seed % 3:
        terms = [random.choice([-v, v]) for v in range(1, VARIABLES + 1)]
        costs = tuple(random.randint(-most, most) for _ in terms)
        objective = Objective(tuple(terms), costs, 3, random.random() < 0.3)
    return Problem(VARIABLES, tuple(constraints), objective=objective)


def values_of_solutions(problem):
    objective = problem.objective
    return [
        objective.constant + weighted_sum(objective.lits, bits, objective.weights)
        if objective
        else None
        for bits in assignments(VARIABLES)
        if problem.holds(true_literals(bits))
    ]


def check(problem, found):
    values = values_of_solutions(problem)
    if not values:
        assert found.status is Status.UNSATISFIABLE
    elif problem.objective is None:
        assert found.status is Status.SATISFIABLE
    else:
        best = (max if problem.objective.maximise else min)(values)
        assert (found.status, found.value, found.bound) == (Status.OPTIMUM, best, best)


@pytest.mark.parametrize("block", [1, 200, 10**6])
@pytest.mark.parametrize("most", [1, 9, 10**12])
def test_what_is_enumerated_alone_has_the_answer_of_brute_force(most, block, monkeypatch):
    # Without a relaxation branching does nothing else. Few at once, so that others wait.
    monkeypatch.setattr(enumeration, "_BLOCK", block)
    monkeypatch.setattr(row_relaxation, "available", lambda: False)
    monkeypatch.setattr(enumeration, "_FIRST", 2)
    monkeypatch.setattr(enumeration, "_EASY", 500_000)
    monkeypatch.setattr(enumeration, "_CHUNK", 5)
    monkeypatch.setattr(enumeration, "_WORD", 4)
    monkeypatch.setattr(branching, "_FEW_WORK", 10**9)
    alone = 0
    for seed in range(60):
        problem = random_problem(seed, most)
        found = solve(problem, Settings("branching"))
        check(problem, found)
        alone += found.questions == 0
    assert alone >= 33


@pytest.mark.parametrize("work", [1, 100_000])
def test_a_limit_that_ends_an_enumeration_changes_no_answer(work, monkeypatch):
    need_highs()
    for name in ("_FEW_WORK", "_ROOT_WORK", "_NODE_WORK"):
        monkeypatch.setattr(branching, name, work)
    for seed in range(40):
        problem = random_problem(seed, 50)
        check(problem, solve(problem, Settings("branching")))


def test_numbers_beyond_sixty_bits_are_not_enumerated():
    huge = Problem(
        2,
        (PseudoBoolean([1, 2], [1 << 61, 1 << 61], 1 << 61),),
        objective=Objective((1, 2), (2, 3)),
    )
    found = solve(huge, Settings("branching"))
    assert (found.status, found.value) == (Status.OPTIMUM, 2)
