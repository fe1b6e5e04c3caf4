import random
from itertools import combinations_with_replacement, product

import pytest

from pbcnf import EncodingSize, Formula
from pbcnf.encoders.pseudo_boolean.adder import Adder

ENCODER, EQUIVALENT = Adder(), Adder(equivalent=True)


def normal_bounds(weights):
    """The bounds that are not trivial and force no input."""
    total = sum(weights)
    return [
        (lower, upper)
        for lower in range(total - max(weights) + 1)
        for upper in range(max(lower, *weights), total + 1)
        if (lower, upper) != (0, total)
    ]


def encoded(weights, lower, upper, encoder=ENCODER):
    formula = Formula(num_vars=len(weights))
    encoder.encode_weighted(range(1, len(weights) + 1), weights, lower, upper, formula)
    return formula


def emitted_size(formula, n):
    return EncodingSize(formula.num_vars - n, formula.num_clauses, formula.num_literals)


def check(oracle, weights, lower, upper):
    for encoder in (ENCODER, EQUIVALENT):
        check_one(oracle, encoder, weights, lower, upper)


def check_one(oracle, encoder, weights, lower, upper):
    n = len(weights)
    formula = encoded(weights, lower, upper, encoder)
    clauses = list(formula.clauses())
    expected = {
        a
        for a in product((1, -1), repeat=n)
        if lower <= sum(w for w, v in zip(weights, a, strict=True) if v > 0) <= upper
    }
    case = (encoder, weights, lower, upper)
    assert oracle.projected_models(clauses, n) == expected, case
    if encoder.weighted_parsimonious(weights, lower, upper):
        assert oracle.extends_uniquely(clauses, n, formula.num_vars), case
    assert encoder.weighted_size(weights, lower, upper) == emitted_size(formula, n), case
    assert all(len({abs(lit) for lit in clause}) == len(clause) for clause in clauses), case
    used = {abs(lit) for clause in clauses for lit in clause}
    assert used >= set(range(n + 1, formula.num_vars + 1)), case


@pytest.mark.parametrize("n", range(2, 8))
def test_weights_one_have_the_right_models_unique_where_claimed_and_the_predicted_size(oracle, n):
    for lower, upper in normal_bounds([1] * n):
        check(oracle, [1] * n, lower, upper)
        assert EQUIVALENT.parsimonious(n, lower, upper)
        assert ENCODER.parsimonious(n, lower, upper) or lower == 0 or upper == n


@pytest.mark.parametrize("n", [2, 3])
def test_small_weights_have_the_right_models_unique_where_claimed_and_the_predicted_size(oracle, n):
    for weights in combinations_with_replacement(range(1, 6), n):
        for lower, upper in normal_bounds(weights):
            check(oracle, weights, lower, upper)


def test_a_sample_of_weights_has_the_right_models_unique_where_claimed_and_the_predicted_size(
    oracle,
):
    rng = random.Random(11)
    for number in range(120):
        n, most = (4, 5) if number < 70 else (rng.randint(4, 7), 50)
        weights = [rng.randint(1, most) for _ in range(n)]
        for lower, upper in rng.sample(normal_bounds(weights), 3):
            check(oracle, weights, lower, upper)


def test_weights_without_common_form_may_have_constant_and_shared_bits(oracle):
    check(oracle, [6, 1], 1, 6)  # bits 1 and 2 are one input
    check(oracle, [4, 4, 4], 3, 9)  # bits 0 and 1 are 0
    check(oracle, [2, 2, 2], 3, 3)  # no sum is possible


@pytest.mark.parametrize("n", range(2, 41))
def test_the_predicted_size_is_the_emitted_size_for_weights_one(n):
    bounds = normal_bounds([1] * n)
    for lower, upper in bounds if n <= 14 else random.Random(n).sample(bounds, 8):
        formula = Formula(num_vars=n)
        ENCODER.encode(range(1, n + 1), lower, upper, formula)
        assert ENCODER.size(n, lower, upper) == emitted_size(formula, n), (lower, upper)


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


def test_mirrored_bounds_are_equally_large():
    for n in range(2, 20):
        for lower, upper in normal_bounds([1] * n):
            assert ENCODER.size(n, lower, upper) == ENCODER.size(n, n - upper, n - lower)


def test_a_bound_that_is_a_clause_is_one():
    assert list(encoded([2, 3, 4], 0, 7).clauses()) == [[-1, -2, -3]]
    assert list(encoded([4, 3, 2], 2, 9).clauses()) == [[1, 2, 3]]


def test_huge_weights_are_added():
    rng = random.Random(2)
    weights = [rng.randint(1, 10**30) for _ in range(200)]
    lower, upper = sum(weights) // 3, sum(weights) // 2
    formula = encoded(weights, lower, upper)
    assert ENCODER.weighted_size(weights, lower, upper) == emitted_size(formula, 200)


def test_huge_weights_have_the_right_models(oracle):
    big = 10**30
    check(oracle, [big, big + 1, 2 * big, 3], big + 2, 3 * big + 1)


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
    assert ENCODER.size(n, 0, n // 2) == emitted_size(formula, n)
