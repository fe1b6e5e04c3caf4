import random
from itertools import product

import pytest

from pbcnf import EncodingSize, Formula
from pbcnf.encoders.cardinality.parallel_counter import ParallelCounter

ENCODER = ParallelCounter()


def bounds(n):
    """The bounds of n inputs that are not trivial."""
    return [
        (lower, upper)
        for lower in range(n)
        for upper in range(max(lower, 1), n + 1)
        if (lower, upper) != (0, n)
    ]


def encoded(n, lower, upper):
    formula = Formula(num_vars=n)
    ENCODER.encode(range(1, n + 1), lower, upper, formula)
    return formula


@pytest.mark.parametrize("n", range(2, 9))
def test_models_are_the_assignments_within_the_bounds_and_unique_where_claimed(oracle, n):
    for lower, upper in bounds(n):
        formula = encoded(n, lower, upper)
        clauses = list(formula.clauses())
        expected = {a for a in product((1, -1), repeat=n) if lower <= a.count(1) <= upper}
        assert oracle.projected_models(clauses, n) == expected, (lower, upper)
        unique = oracle.extends_uniquely(clauses, n, formula.num_vars)
        assert unique == ENCODER.parsimonious(n, lower, upper), (lower, upper)


@pytest.mark.parametrize("n", range(2, 41))
def test_the_predicted_size_is_the_emitted_size(n):
    for lower, upper in bounds(n) if n <= 16 else random.Random(n).sample(bounds(n), 8):
        formula = encoded(n, lower, upper)
        emitted = EncodingSize(formula.num_vars - n, formula.num_clauses, formula.num_literals)
        assert ENCODER.size(n, lower, upper) == emitted, (lower, upper)


@pytest.mark.parametrize("n", range(3, 200))
def test_at_most_k_keeps_within_the_published_maxima(n):
    sizes = {k: ENCODER.size(n, 0, k) for k in range(1, n - 1)}
    power = n.bit_count() == 1
    most = 7 * n - 3 * (n.bit_length() - 1) - 6
    assert {size.variables for size in sizes.values()} == {2 * (n - n.bit_count())}
    assert (max(size.variables for size in sizes.values()) == 2 * n - 2) == power
    for k, size in sizes.items():
        assert size.clauses < most
        assert (size.clauses == most - 1) == (power and k.bit_count() == 1)


def test_at_least_is_as_large_as_its_mirror_image():
    for n in range(2, 30):
        for k in range(1, n):
            assert ENCODER.size(n, n - k, n) == ENCODER.size(n, 0, k)


def test_a_bound_that_is_a_clause_is_one():
    assert list(encoded(4, 0, 3).clauses()) == [[-1, -2, -3, -4]]
    assert list(encoded(4, 1, 4).clauses()) == [[1, 2, 3, 4]]


def test_two_bounds_take_fourteen_clauses_per_full_adder_and_seven_per_half_adder():
    # 8 inputs: 4 full adders, 3 half adders, results of 4 bits; 3 is 0011.
    assert ENCODER.size(8, 3, 3).clauses == 14 * 4 + 7 * 3 + 2 + 2
    # 7 inputs: 4 full adders alone, results of 3 bits; 5 is 101, 2 is 010.
    assert ENCODER.size(7, 2, 5).clauses == 14 * 4 + 1 + 1


def test_no_stronger_propagation_could_be_claimed(oracle):
    conflicts, _ = oracle.missed(list(encoded(4, 0, 1).clauses()), 4, 0, 1)
    assert conflicts
    conflicts, _ = oracle.missed(list(encoded(6, 1, 2).clauses()), 6, 1, 2)
    assert conflicts


def test_a_total_assignment_is_decided_by_two_bounds_but_not_always_by_one(oracle):
    totals = list(product((1, -1), repeat=8))
    for lower, upper in [(1, 2), (2, 2), (3, 6), (5, 5)]:
        clauses = list(encoded(8, lower, upper).clauses())
        assert oracle.missed(clauses, 8, lower, upper, totals) == ([], [])
    conflicts, _ = oracle.missed(list(encoded(8, 0, 1).clauses()), 8, 0, 1, totals)
    assert conflicts


def test_ten_thousand_inputs_are_counted():
    formula = encoded(10_000, 5_000, 5_000)
    size = ENCODER.size(10_000, 5_000, 5_000)
    assert size == EncodingSize(
        formula.num_vars - 10_000, formula.num_clauses, formula.num_literals
    )
    assert size.variables == 2 * (10_000 - (10_000).bit_count())
