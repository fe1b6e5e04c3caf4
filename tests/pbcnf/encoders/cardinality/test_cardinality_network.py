import pytest

from pbcnf import Cardinality, EncodingSize, Formula, encode
from pbcnf.encoders.cardinality.cardinality_network import CardinalityNetwork
from pbcnf.encoders.cardinality.sorting_network import SortingNetwork


def size(n, lower, upper):
    return CardinalityNetwork().size(n, lower, upper)


def test_at_most_one_takes_a_disjunction_per_pair_of_blocks():
    for n in range(3, 41):
        assert size(n, 0, 1) == EncodingSize(n - 2, 3 * n - 5, 6 * n - 10)
    assert size(2, 0, 1) == EncodingSize(0, 1, 2)


def test_it_grows_linearly_with_the_inputs():
    for k in (1, 3, 7, 15):
        p = k + 1
        blocks = [size(m * p, 0, k).variables for m in (16, 32, 64)]
        assert blocks[2] - blocks[1] == 2 * (blocks[1] - blocks[0])


def test_it_is_never_much_larger_than_a_sorting_network():
    for n in [5, 9, 15, 17, 24, 33, 48]:
        for k in range(1, n, 1 + n // 12):
            for lower, upper in [(0, k), (k, n), (k, k)]:
                ours, sorted_ = size(n, lower, upper), SortingNetwork().size(n, lower, upper)
                assert ours.variables <= 1.1 * sorted_.variables + 2
                assert ours.clauses <= 1.1 * sorted_.clauses + 2


def test_a_small_bound_is_much_smaller_than_a_sorting_network():
    assert size(1000, 3, 3).variables < SortingNetwork().size(1000, 3, 3).variables / 6


@pytest.mark.parametrize(("lower", "upper"), [(0, 2), (9, 11), (2, 2), (1, 3)])
def test_a_bound_and_its_complement_are_equally_large(lower, upper):
    assert size(11, lower, upper).variables == size(11, 11 - upper, 11 - lower).variables


def test_a_bound_beyond_the_half_counts_the_negated_inputs():
    above, below = Formula(num_vars=9), Formula(num_vars=9)
    encode(Cardinality(range(1, 10), lower=7, upper=7), above, CardinalityNetwork())
    encode(Cardinality(range(-1, -10, -1), lower=2, upper=2), below, CardinalityNetwork())
    assert list(above.clauses()) == list(below.clauses())


def test_the_size_of_many_inputs_is_predicted():
    assert size(10_000, 0, 50).variables < 500_000
