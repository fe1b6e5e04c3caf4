import random
from itertools import product

import pytest

from pbcnf import ENCODERS, EncodingSize, Formula
from pbcnf.encoders.pseudo_boolean.generalized_totalizer import GeneralizedTotalizer

TOTALIZER = GeneralizedTotalizer()


@pytest.mark.parametrize("n", range(2, 7))
def test_weights_one_are_arc_consistent_for_all_bounds(weighted, n):
    for lower, upper in weighted.normal_bounds([1] * n):
        clauses = weighted.correct(TOTALIZER, [1] * n, lower, upper)
        assert weighted.missed(clauses, [1] * n, lower, upper) == ([], []), (lower, upper)


@pytest.mark.parametrize("weights", [(3, 3), (2, 2, 2), (2, 2, 2, 2)])
def test_equal_weights_are_arc_consistent_for_all_bounds(weighted, weights):
    for lower, upper in weighted.normal_bounds(weights):
        clauses = weighted.correct(TOTALIZER, weights, lower, upper)
        assert weighted.missed(clauses, weights, lower, upper) == ([], []), (lower, upper)


def test_each_bound_of_any_weights_is_propagated_in_full(weighted, weighted_sums):
    for weights, lower, upper in weighted_sums:
        clauses = weighted.correct(TOTALIZER, weights, lower, upper)
        for bounds in [(0, upper), (lower, sum(weights))]:
            assert weighted.missed(clauses, weights, *bounds) == ([], []), (weights, lower, upper)


def test_what_only_both_bounds_imply_may_stay_open(weighted):
    """Nothing is claimed for two bounds: a forced input, and a conflict, that are missed."""
    _, forced = weighted.missed(weighted.correct(TOTALIZER, (2, 2, 1), 2, 2), (2, 2, 1), 2, 2)
    assert ((0, 0, 0), -3) in forced
    conflicts, _ = weighted.missed(
        weighted.correct(TOTALIZER, (2, 2, 2, 2, 1), 3, 3), (2, 2, 2, 2, 1), 3, 3
    )
    assert conflicts


def test_bounds_that_no_sum_meets_have_no_model(weighted):
    weighted.correct(TOTALIZER, (3, 3), 5, 5)
    weighted.correct(TOTALIZER, (6, 4, 4, 4), 9, 9)
    weighted.correct(TOTALIZER, (9, 9, 9, 9, 2, 2), 14, 16)


def test_only_attainable_sums_become_outputs():
    # The published example: of 3, 3 at most one, 3; below 3, 2 the sums 2, 3 and 5.
    assert TOTALIZER.weighted_size((2, 3, 3, 3), 0, 5).variables == 1 + 3
    # 8 equal halves of a sum, whatever they weigh: as many outputs as there are counts.
    assert {TOTALIZER.weighted_size((w,) * 8, 0, 4 * w) for w in (1, 7, 10**30)} == {
        TOTALIZER.size(8, 0, 4)
    }


def test_weights_one_never_take_more_than_the_totalizer():
    plain = ENCODERS["totalizer"]
    for n in [2, 3, 5, 8, 9, 12, 16, 40]:
        for lower, upper in product(range(n), range(1, n + 1)):
            if lower <= upper and (lower, upper) != (0, n):
                found, other = TOTALIZER.size(n, lower, upper), plain.size(n, lower, upper)
                assert found.variables <= other.variables, (n, lower, upper)


@pytest.mark.parametrize("n", [8, 13, 17])
def test_the_size_for_weights_one_is_the_emitted_one(n):
    for lower, upper in product(range(n), range(1, n + 1)):
        if lower <= upper and (lower, upper) != (0, n):
            formula = Formula(num_vars=n)
            TOTALIZER.encode(range(1, n + 1), lower, upper, formula)
            emitted = EncodingSize(formula.num_vars - n, formula.num_clauses, formula.num_literals)
            assert TOTALIZER.size(n, lower, upper) == emitted


def test_the_size_is_the_emitted_one_for_many_weights(weighted):
    rng = random.Random(6)
    for n in (10, 15, 20):
        weights = rng.choices(range(1, 12), k=n)
        total = sum(weights)
        for lower, upper in [(0, total // 3), (total // 3, total // 2), (total // 2, total // 2)]:
            weighted.clauses_of(TOTALIZER, weights, lower, upper)


@pytest.mark.parametrize(("lower", "upper"), [(0, 6), (4, 6)])
def test_thousands_of_inputs_with_small_bounds_are_no_recursion(weighted, lower, upper):
    weighted.clauses_of(TOTALIZER, [1 + i % 4 for i in range(2000)], lower, upper)


def test_huge_weights_cost_nothing_where_few_sums_are_attainable(weighted):
    huge = 10**30
    weights = [huge] * 4 + [1] * 3
    for lower, upper in [(0, 2 * huge + 1), (2 * huge, 2 * huge + 2), (huge, 3 * huge)]:
        assert len(weighted.correct(TOTALIZER, weights, lower, upper)) < 150
