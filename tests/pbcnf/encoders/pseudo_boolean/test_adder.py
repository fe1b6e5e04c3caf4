import random
from itertools import product

import pytest

from pbcnf import Formula
from pbcnf.encoders.pseudo_boolean.adder import Adder
from tests.pbcnf.emitted import size_of

ENCODER, EQUIVALENT = Adder(), Adder(equivalent=True)


def encoded(weights, lower, upper, encoder=ENCODER):
    formula = Formula(num_vars=len(weights))
    encoder.encode_weighted(range(1, len(weights) + 1), weights, lower, upper, formula)
    return formula


@pytest.mark.parametrize("encoder", [ENCODER, EQUIVALENT], ids=["one way", "equivalent"])
def test_weights_without_common_form_may_have_constant_and_shared_bits(weighted, encoder):
    weighted.correct(encoder, [6, 1], 1, 6, exact=False)  # bits 1 and 2 are one input
    weighted.correct(encoder, [4, 4, 4], 3, 9, exact=False)  # bits 0 and 1 are 0
    weighted.correct(encoder, [2, 2, 2], 3, 3, exact=False)  # no sum is possible


def test_weights_one_take_fewer_adders_than_inputs():
    for n in range(2, 100):
        for lower, upper in [(1, n - 1), (n // 2, n // 2)]:
            assert ENCODER.size(n, lower, upper).variables <= 2 * (n - n.bit_count())


def test_the_bounds_share_the_adders():
    both, upper = ENCODER.size(20, 8, 9), EQUIVALENT.size(20, 0, 9)
    assert both.variables == upper.variables
    assert both.clauses == upper.clauses + 1  # one clause per one of 8


def test_one_bound_takes_half_the_clauses_of_equivalences():
    for n in (20, 100, 1000):
        one, equivalent = ENCODER.size(n, 0, n // 2), EQUIVALENT.size(n, 0, n // 2)
        assert one.variables == equivalent.variables
        assert 2 * one.clauses <= equivalent.clauses + n.bit_length()


def test_mirrored_bounds_are_equally_large(weighted):
    for n in range(2, 20):
        for lower, upper in weighted.normal_bounds([1] * n):
            assert ENCODER.size(n, lower, upper) == ENCODER.size(n, n - upper, n - lower)


def test_a_bound_that_is_a_clause_is_one():
    assert list(encoded([2, 3, 4], 0, 7).clauses()) == [[-1, -2, -3]]
    assert list(encoded([4, 3, 2], 2, 9).clauses()) == [[1, 2, 3]]


def test_huge_weights_are_added():
    rng = random.Random(2)
    weights = [rng.randint(1, 10**30) for _ in range(200)]
    lower, upper = sum(weights) // 3, sum(weights) // 2
    formula = encoded(weights, lower, upper)
    assert ENCODER.weighted_size(weights, lower, upper) == size_of(formula, 200)


def test_no_stronger_propagation_could_be_claimed(oracle):
    conflicts, _ = oracle.missed(list(encoded([1] * 7, 0, 2).clauses()), 7, 0, 2)
    assert conflicts


def test_a_total_assignment_is_always_decided_by_equivalences(oracle):
    totals = list(product((1, -1), repeat=8))
    for lower, upper in [(0, 2), (1, 2), (3, 3), (5, 8)]:
        clauses = list(encoded([1] * 8, lower, upper, EQUIVALENT).clauses())
        assert oracle.missed(clauses, 8, lower, upper, totals) == ([], [])


def test_ten_thousand_inputs_are_added():
    n = 10_000
    formula = Formula(num_vars=n)
    ENCODER.encode(range(1, n + 1), 0, n // 2, formula)
    assert ENCODER.size(n, 0, n // 2) == size_of(formula, n)
