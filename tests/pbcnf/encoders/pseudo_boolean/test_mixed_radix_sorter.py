import random
from itertools import product

import pytest

from pbcnf.encoders.circuits.mixed_radix import base_of, digits
from pbcnf.encoders.circuits.networks import sorting_network
from pbcnf.encoders.counter import Direction
from pbcnf.encoders.pseudo_boolean.mixed_radix_sorter import MixedRadixSorter

SORTER = MixedRadixSorter()
PRIMES = (2, 3, 5, 7, 11, 13, 17)


def test_total_assignments_are_decided_by_propagation_for_two_bounds_as_well(
    weighted, weighted_sums
):
    for weights, lower, upper in weighted_sums[:40]:
        clauses = weighted.clauses_of(SORTER, weights, lower, upper)
        conflicts, _ = weighted.missed(clauses, weights, lower, upper)
        assert all(0 in scenario for scenario in conflicts), (weights, lower, upper)


@pytest.mark.parametrize("n", [2, 7, 16, 40])
def test_exactly_k_is_one_sorting_network_and_its_two_outputs(n):
    for k in range(1, n):
        network = sorting_network(n, first=k, last=k + 1).size(Direction.BOTH)
        size = SORTER.size(n, k, k)
        assert (size.variables, size.clauses) == (network.variables, network.clauses + 2)


def test_powers_of_two_are_compared_without_auxiliaries(weighted):
    clauses = weighted.correct(SORTER, (1, 2, 4, 8), 5, 11)
    assert {abs(lit) for clause in clauses for lit in clause} == {1, 2, 3, 4}


def test_both_bounds_share_the_sorters():
    weights = [5, 7, 9, 11, 6, 8]
    both = SORTER.weighted_size(weights, 20, 30).variables
    single = [SORTER.weighted_size(weights, 0, 30), SORTER.weighted_size(weights, 20, 46)]
    assert max(size.variables for size in single) <= both < sum(size.variables for size in single)


def test_one_bound_is_watched_by_comparators_of_one_direction():
    rng = random.Random(1)
    weights = [rng.randint(1, 1000) for _ in range(40)]
    one, both = SORTER.weighted_size(weights, 0, 9000), SORTER.weighted_size(weights, 1, 9000)
    assert one.variables < both.variables
    assert 2 * one.clauses < both.clauses


def digit_sum(weights, base):
    return sum(sum(digits(weight, base)) for weight in weights)


def every_base(most):
    """All sequences of primes whose product is at most `most`."""
    yield ()
    for prime in PRIMES:
        if prime <= most:
            yield from ((prime, *rest) for rest in every_base(most // prime))


def test_digits_give_the_number_back():
    for number, base in product(range(100), [(), (2,), (3, 2), (5, 5, 2)]):
        value, product_ = 0, 1
        for digit, radix in zip(digits(number, base), (*base, number + 1), strict=True):
            assert 0 <= digit < radix
            value, product_ = value + digit * product_, product_ * radix
        assert value == number


def test_the_base_has_the_least_sum_of_digits_for_small_weights():
    rng = random.Random(5)
    for _ in range(40):
        weights = [rng.randint(1, 60) for _ in range(rng.randint(1, 6))]
        least = min(digit_sum(weights, base) for base in every_base(max(weights)))
        assert digit_sum(weights, base_of(weights)) == least, weights


def test_the_base_of_many_large_weights_is_found_and_no_worse_than_binary():
    rng = random.Random(6)
    weights = [rng.randint(1, 2**40) for _ in range(300)]
    assert digit_sum(weights, base_of(weights)) <= digit_sum(weights, (2,) * 40)
    assert base_of(weights) == base_of(reversed(weights))
