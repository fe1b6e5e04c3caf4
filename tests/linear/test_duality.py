"""Weights prove what they prove: never what an assignment contradicts, however wrong they are."""

from fractions import Fraction
from itertools import product
from random import Random

import pytest

from satsweeper.linear.relaxation import DENOMINATOR, Weighted, bound, proves, rounded


def assignments(equations, variables):
    return [
        ones
        for ones in product((0, 1), repeat=variables)
        if all(sum(ones[v] for v in which) == number for which, number in equations)
    ]


@pytest.mark.parametrize("seed", range(40))
def test_no_weights_prove_what_is_false(seed):
    random = Random(seed)
    variables = random.randint(2, 6)
    hidden = [random.randint(0, 1) for _ in range(variables)]
    equations = []
    for _ in range(random.randint(1, 5)):
        which = tuple(random.sample(range(variables), random.randint(1, variables)))
        equations.append((which, sum(hidden[v] for v in which)))
    true = assignments(equations, variables)
    for _ in range(200):
        weights = {
            index: random.randint(-2 * DENOMINATOR, 2 * DENOMINATOR)
            for index in range(len(equations))
            if random.random() < 0.7
        }
        chosen = frozenset(random.sample(range(variables), random.randint(1, variables)))
        assert not proves(equations, Weighted(frozenset(), False, weights))
        for ones in (False, True):
            if proves(equations, Weighted(chosen, ones, weights)):
                assert all(assigned[v] == ones for assigned in true for v in chosen)
        cost = {v: random.randint(-3, 3) for v in range(variables)}
        least = min(sum(c * assigned[v] for v, c in cost.items()) for assigned in true)
        assert bound(equations, cost, weights) <= least


def test_a_pigeonhole_is_refuted_by_its_duals_and_not_by_near_ones():
    # Three pairs of three variables hold one each, all of them two.
    equations = [((0, 1), 1), ((1, 2), 1), ((0, 2), 1), ((0, 1, 2), 2)]
    right = rounded([0.5, 0.5, 0.5, -1.0])
    assert bound(equations, {}, right) == Fraction(-1, 2)
    assert proves(equations, Weighted(frozenset(), False, rounded([-0.5, -0.5, -0.5, 1.0])))
    for wrong in ([-0.4, -0.5, -0.5, 1.0 - 0.6], [0, 0, 0, 1], [], [0.5, 0.5, 0.5, -1.0]):
        assert not proves(equations, Weighted(frozenset(), False, rounded(wrong)))


def test_what_the_total_forces_is_proved():
    equations = [((0, 1, 2), 1), ((0, 1), 1)]
    claim = Weighted(frozenset({2}), False, rounded([-1.0, 1.0]))
    assert proves(equations, claim)
    assert not proves(equations, claim._replace(ones=True))
    assert not proves(equations, claim._replace(weights={}))
    assert not proves(equations, claim._replace(variables=frozenset({0, 2})))
