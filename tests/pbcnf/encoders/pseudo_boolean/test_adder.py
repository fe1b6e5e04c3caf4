import random

import pytest

from pbcnf import Formula
from pbcnf.encoders.pseudo_boolean.adder import Adder

ENCODER, EQUIVALENT = Adder(), Adder(equivalent=True)


@pytest.mark.parametrize("encoder", [ENCODER, EQUIVALENT], ids=["one way", "equivalent"])
def test_weights_without_common_form_may_have_constant_and_shared_bits(weighted, encoder):
    weighted.correct(encoder, [6, 1], 1, 6, exact=False)  # bits 1 and 2 are one input
    weighted.correct(encoder, [4, 4, 4], 3, 9, exact=False)  # bits 0 and 1 are 0
    weighted.correct(encoder, [2, 2, 2], 3, 3, exact=False)  # no sum is possible


def test_weights_one_take_fewer_adders_than_inputs():
    for n in range(2, 100):
        for lower, upper in [(1, n - 1), (n // 2, n // 2)]:
            assert ENCODER.size(n, lower, upper).variables <= 2 * (n - n.bit_count())


def test_the_bounds_share_the_adders_and_one_bound_takes_half_the_clauses_of_equivalences():
    both, upper = ENCODER.size(20, 8, 9), EQUIVALENT.size(20, 0, 9)
    assert both.variables == upper.variables
    assert both.clauses == upper.clauses + 1  # one clause per one of 8
    for n in (20, 100, 1000):
        one, equivalent = ENCODER.size(n, 0, n // 2), EQUIVALENT.size(n, 0, n // 2)
        assert one.variables == equivalent.variables
        assert 2 * one.clauses <= equivalent.clauses + n.bit_length()


@pytest.mark.parametrize(
    ("weights", "lower", "upper", "clause"),
    [([2, 3, 4], 0, 7, [-1, -2, -3]), ([4, 3, 2], 2, 9, [1, 2, 3])],
)
def test_a_bound_that_is_a_clause_is_one(weights, lower, upper, clause):
    formula = Formula(num_vars=3)
    ENCODER.encode_weighted([1, 2, 3], weights, lower, upper, formula)
    assert list(formula.clauses()) == [clause]


def test_huge_weights_are_added(weighted):
    rng = random.Random(2)
    weights = [rng.randint(1, 10**30) for _ in range(200)]
    weighted.clauses_of(ENCODER, weights, sum(weights) // 3, sum(weights) // 2)
