import random

import pytest

from pbcnf import ENCODERS, EncodingSize
from pbcnf.encoders.pseudo_boolean.sequential_weight_counter import SequentialWeightCounter

COUNTER = SequentialWeightCounter()


@pytest.mark.parametrize("n", range(2, 7))
def test_weights_one_are_arc_consistent_for_all_bounds(weighted, n):
    for lower, upper in weighted.normal_bounds([1] * n):
        clauses = weighted.correct(COUNTER, [1] * n, lower, upper)
        assert weighted.missed(clauses, [1] * n, lower, upper) == ([], []), (lower, upper)


@pytest.mark.parametrize("weights", [(3, 3), (2, 2, 2), (2, 2, 2, 2)])
def test_equal_weights_are_arc_consistent_for_all_bounds(weighted, weights):
    for lower, upper in weighted.normal_bounds(weights):
        clauses = weighted.correct(COUNTER, weights, lower, upper)
        assert weighted.missed(clauses, weights, lower, upper) == ([], []), (lower, upper)


def test_each_bound_of_any_weights_is_propagated_in_full(weighted, weighted_sums):
    for weights, lower, upper in weighted_sums:
        clauses = weighted.correct(COUNTER, weights, lower, upper)
        for bounds in [(0, upper), (lower, sum(weights))]:
            assert weighted.missed(clauses, weights, *bounds) == ([], []), (weights, lower, upper)


def test_what_only_both_bounds_imply_may_stay_open(weighted):
    """Nothing is claimed for two bounds: a forced input, and a conflict, that are missed."""
    _, forced = weighted.missed(weighted.correct(COUNTER, (3, 2, 2, 2), 4, 4), (3, 2, 2, 2), 4, 4)
    assert ((0, 0, 0, 0), -1) in forced
    conflicts, _ = weighted.missed(
        weighted.correct(COUNTER, (3, 2, 2, 2, 2), 5, 5), (3, 2, 2, 2, 2), 5, 5
    )
    assert conflicts


def test_bounds_that_no_sum_meets_have_no_model(weighted):
    weighted.correct(COUNTER, (3, 3), 5, 5)
    weighted.correct(COUNTER, (6, 4, 4, 4), 9, 9)
    weighted.correct(COUNTER, (9, 9, 9, 9, 2, 2), 14, 16)


def test_equal_weights_take_what_the_knuth_counter_takes(weighted):
    knuth = ENCODERS["knuth_counter"]
    for n in range(2, 13):
        for lower, upper in weighted.normal_bounds([1] * n):
            weighted.clauses_of(COUNTER, [1] * n, lower, upper)
            clause = (lower, upper) in [(0, n - 1), (1, n)]
            expected = EncodingSize(0, 1, n) if clause else knuth.size(n, lower, upper)
            assert COUNTER.size(n, lower, upper) == expected


def test_the_published_bounds_on_the_size_of_at_most_k_hold():
    rng = random.Random(2)
    for _ in range(200):
        weights = rng.choices(range(1, 30), k=rng.randint(2, 12))
        bound = rng.randint(max(weights), sum(weights))
        size = COUNTER.weighted_size(weights, 0, bound)
        n = len(weights)
        assert size.variables <= (n - 1) * bound
        assert size.clauses <= 2 * size.variables + n


@pytest.mark.parametrize(("lower", "upper"), [(0, 6), (4, 6)])
def test_thousands_of_inputs_with_small_bounds_are_no_recursion(weighted, lower, upper):
    weighted.clauses_of(COUNTER, [1 + i % 4 for i in range(2000)], lower, upper)


def test_huge_weights_cost_nothing_where_few_sums_are_attainable(weighted):
    huge = 10**30
    weights = [huge] * 4 + [1] * 3
    for lower, upper in [(0, 2 * huge + 1), (2 * huge, 2 * huge + 2), (huge, 3 * huge)]:
        assert len(weighted.correct(COUNTER, weights, lower, upper)) < 120


def test_a_count_that_an_input_cannot_change_keeps_its_variable():
    # No sum of 7 and 7 lies in 12..13: an input of weight 2 never makes the difference to 14.
    assert COUNTER.weighted_size((7, 7, 2, 2, 2), 0, 15).variables == 2
