from itertools import product

import pytest

from pbcnf.encoders.cardinality.parallel_counter import ParallelCounter
from tests.pbcnf.emitted import encoded, size_of

ENCODER = ParallelCounter()


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


def test_two_bounds_take_fourteen_clauses_per_full_adder_and_seven_per_half_adder():
    # 8 inputs: 4 full adders, 3 half adders, results of 4 bits; 3 is 0011.
    assert ENCODER.size(8, 3, 3).clauses == 14 * 4 + 7 * 3 + 2 + 2
    # 7 inputs: 4 full adders alone, results of 3 bits; 5 is 101, 2 is 010.
    assert ENCODER.size(7, 2, 5).clauses == 14 * 4 + 1 + 1


def test_no_stronger_propagation_could_be_claimed(oracle):
    conflicts, _ = oracle.missed(list(encoded(ENCODER, 4, 0, 1).clauses()), 4, 0, 1)
    assert conflicts
    conflicts, _ = oracle.missed(list(encoded(ENCODER, 6, 1, 2).clauses()), 6, 1, 2)
    assert conflicts


def test_a_total_assignment_is_decided_by_two_bounds_but_not_always_by_one(oracle):
    totals = list(product((1, -1), repeat=8))
    for lower, upper in [(1, 2), (2, 2), (3, 6), (5, 5)]:
        clauses = list(encoded(ENCODER, 8, lower, upper).clauses())
        assert oracle.missed(clauses, 8, lower, upper, totals) == ([], [])
    conflicts, _ = oracle.missed(list(encoded(ENCODER, 8, 0, 1).clauses()), 8, 0, 1, totals)
    assert conflicts


def test_ten_thousand_inputs_are_counted():
    formula = encoded(ENCODER, 10_000, 5_000, 5_000)
    size = ENCODER.size(10_000, 5_000, 5_000)
    assert size == size_of(formula, 10_000)
    assert size.variables == 2 * (10_000 - (10_000).bit_count())
