"""Problems refuted by sums of their rows: pigeons, parities and small random ones."""

from random import Random

import pytest

from pbcnf import Cardinality, Parity, Problem, PseudoBoolean
from satsweeper.linear import row_relaxation
from satsweeper.linear.inequalities import inequalities, refutes
from satsweeper.optimisation import Status, solve
from satsweeper.optimisation import linear as strategies
from satsweeper.optimisation.refutation import linear_refutation, quick_refutation, refuted_modulo
from tests.commands import need_highs
from tests.oracles import assignments, true_literals


@pytest.fixture
def without_highs(monkeypatch):
    monkeypatch.setattr(row_relaxation, "available", lambda: False)


def pigeons(number, holes, more=()):
    """Pigeons in holes, as sums; ``more``: other constraints."""
    rooms = [[holes * pigeon + hole + 1 for hole in range(holes)] for pigeon in range(number)]
    housed = [Cardinality(home, lower=1) for home in rooms]
    alone = [Cardinality(hole, upper=1) for hole in zip(*rooms, strict=True)]
    return Problem(number * holes + 3, (*housed, *alone, *more))


@pytest.mark.usefixtures("without_highs")
@pytest.mark.parametrize("number", [2, 13, 40])
def test_pigeons_are_refuted_without_a_linear_program(number):
    last = number * (number - 1)
    more = [
        Cardinality([last + 1, last + 2], lower=1),
        Cardinality([1, last + 1, -(last + 3)], lower=1, upper=2),
        PseudoBoolean([1, 2, last + 2], [3, 2, 7], upper=9),
    ]
    problem = pigeons(number, number - 1, more)
    found = linear_refutation(problem)
    assert found is not None
    assert refutes(inequalities(problem), found)
    assert solve(problem).status is Status.UNSATISFIABLE
    assert quick_refutation(pigeons(number, number, more)) is None
    assert solve(pigeons(number, number, more)).status is Status.SATISFIABLE


def crowds(size):
    """Weighted, so that no sum of rows taken equally often refutes them: only a program does."""
    rooms = [[size * guest + room + 1 for room in range(size)] for guest in range(size + 1)]
    left = size * (size + 1) + 1
    weighed = [
        PseudoBoolean([*room, left + place], [7] * (size + 1) + [5], upper=7)
        for place, room in enumerate(zip(*rooms, strict=True))
    ]
    housed = [
        PseudoBoolean([*home, left + place % size], [11] * size + [1], lower=11)
        for place, home in enumerate(rooms)
    ]
    return Problem(left + size - 1, (*weighed, *housed))


def test_a_relaxation_refutes_what_search_does_not(monkeypatch):
    need_highs()
    monkeypatch.setattr(strategies, "_EASY", 50)
    problem = crowds(11)
    answer = solve(problem)
    assert answer.status is Status.UNSATISFIABLE
    assert answer.conflicts <= 100
    found = linear_refutation(problem)
    assert found is not None
    assert refutes(inequalities(problem), found)


@pytest.mark.parametrize("highs", [True, False])
def test_refutations_of_random_problems_are_right(highs, monkeypatch):
    if highs:
        need_highs()
    else:
        monkeypatch.setattr(row_relaxation, "available", lambda: False)
    refuted = 0
    for seed in range(250):
        random = Random(seed)
        constraints = []
        for _ in range(random.randint(2, 7)):
            lits = [
                random.choice([-v, v]) for v in random.sample(range(1, 6), random.randint(1, 4))
            ]
            if random.random() < 0.3:
                constraints.append(Parity(lits, odd=random.random() < 0.5))
                continue
            weights = [random.randint(-3, 3) for _ in lits]
            value = random.randint(-2, 4)
            upper = random.choice([value, value + 1, 9])
            constraints.append(PseudoBoolean(lits, weights, value, upper))
        problem = Problem(5, tuple(constraints))
        unsolvable = not any(problem.holds(true_literals(bits)) for bits in assignments(5))
        claims = linear_refutation(problem) is not None, refuted_modulo(problem) is not None
        refuted += sum(claims)
        assert unsolvable or not any(claims)
        assert (solve(problem).status is Status.UNSATISFIABLE) == unsolvable
    assert refuted > 40


def test_parities_around_a_circle_are_refuted_modulo_two():
    circle = [Cardinality([i, i % 61 + 1], lower=1, upper=1) for i in range(1, 62)]
    assert refuted_modulo(Problem(61, tuple(circle)))
    assert not refuted_modulo(Problem(61, tuple(circle[1:])))
