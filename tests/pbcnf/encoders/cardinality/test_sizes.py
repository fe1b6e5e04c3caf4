"""The closed forms that the docstrings print, and figures known from elsewhere."""

from math import comb

import pytest
from pysat.card import CardEnc, EncType

from pbcnf import ENCODERS, EncodingSize
from tests.pbcnf.emitted import encoded, size_of

RANGE = [(n, k) for n in range(2, 41) for k in range(1, n)]


def size(name, n, lower, upper):
    return ENCODERS[name].size(n, lower, upper)


def variables_and_clauses(*arguments):
    found = size(*arguments)
    return found.variables, found.clauses


@pytest.mark.parametrize("name", ["knuth_counter", "sequential_counter"])
def test_counters_have_the_size_that_knuth_published_and_four_clauses_per_auxiliary(name):
    for n, k in RANGE:
        w = k * (n - k)
        assert variables_and_clauses(name, n, 0, k) == (w, 2 * w + n - 2 * k)
        assert size(name, n, k, k) == EncodingSize(w, 4 * w, 10 * w - n)


@pytest.mark.parametrize("n", range(3, 200))
def test_the_parallel_counter_keeps_within_the_published_maxima(n):
    sizes = {k: size("parallel_counter", n, 0, k) for k in range(1, n - 1)}
    power = n.bit_count() == 1
    most = 7 * n - 3 * (n.bit_length() - 1) - 6
    assert {size.variables for size in sizes.values()} == {2 * (n - n.bit_count())}
    assert (max(size.variables for size in sizes.values()) == 2 * n - 2) == power
    for k, found in sizes.items():
        assert found.clauses < most
        assert (found.clauses == most - 1) == (power and k.bit_count() == 1)


def test_two_bounds_take_fourteen_clauses_per_full_adder_and_seven_per_half_adder():
    # 8 inputs: 4 full adders, 3 half adders, results of 4 bits; 3 is 0011.
    assert size("parallel_counter", 8, 3, 3).clauses == 14 * 4 + 7 * 3 + 2 + 2
    # 7 inputs: 4 full adders alone, results of 3 bits; 5 is 101, 2 is 010.
    assert size("parallel_counter", 7, 2, 5).clauses == 14 * 4 + 1 + 1


def test_direct_has_binomially_many_clauses():
    exactly = [size("direct", 8, k, k).clauses for k in range(9)]
    assert exactly == [8, 29, 64, 98, 112, 98, 64, 29, 8]
    assert all(size("direct", n, 0, k).clauses == comb(n, k + 1) for n, k in RANGE)


def test_the_totalizer_is_bounded_and_modulo_totalizers_have_the_documented_sizes():
    assert size("totalizer", 100, 0, 1) == EncodingSize(196, 393, 882)
    assert size("totalizer", 8, 4, 4) == EncodingSize(16, 64, 152)
    assert variables_and_clauses("modulo_totalizer", 8, 4, 4) == (16, 64)
    assert variables_and_clauses("k_modulo_totalizer", 8, 4, 4) == (16, 64)
    assert variables_and_clauses("modulo_totalizer", 20, 10, 10) == (63, 330)
    assert variables_and_clauses("k_modulo_totalizer", 20, 10, 10) == (57, 284)


SYMMETRIC = ["sequential_counter", "knuth_counter", "direct", "parallel_counter", "adder"]
SYMMETRIC += ["modulo_totalizer", "k_modulo_totalizer"]


@pytest.mark.parametrize(
    "sizes", [range(2, 25), pytest.param(range(25, 41), marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("name", SYMMETRIC)
def test_bounds_of_the_negated_inputs_take_the_same_size(name, sizes):
    for n in sizes:
        for lower in range(n + 1):
            for upper in range(lower, n + 1) if name != "parallel_counter" else [n]:
                assert size(name, n, lower, upper) == size(name, n, n - upper, n - lower)


def test_a_large_size_is_predicted_without_building_anything():
    assert size("totalizer", 100_000, 5, 5).variables < 10**6
    assert size("knuth_counter", 10**6, 0, 5 * 10**5).variables == 25 * 10**10
    assert size("cardinality_network", 10_000, 0, 50).variables < 500_000


@pytest.mark.parametrize(
    ("name", "bounds", "most"),
    [
        ("modulo_totalizer", (1000, 1000), (80_000, 3_000_000)),
        ("k_modulo_totalizer", (1000, 1000), (80_000, 3_000_000)),
        ("parallel_counter", (5_000, 5_000), (2 * (10_000 - (10_000).bit_count()), 10**6)),
        ("adder", (0, 5_000), (2 * 10_000, 10**6)),
    ],
)
def test_ten_thousand_inputs_are_encoded_with_the_predicted_size(name, bounds, most):
    predicted = size(name, 10_000, *bounds)
    assert predicted == size_of(encoded(name, 10_000, *bounds), 10_000)
    assert all(map(int.__le__, variables_and_clauses(name, 10_000, *bounds), most))


@pytest.mark.parametrize(
    ("name", "inputs", "theirs"),
    [
        ("sequential_counter", range(4, 31), EncType.seqcounter),
        ("modulo_totalizer", range(3, 21), EncType.mtotalizer),
        ("k_modulo_totalizer", range(3, 21), EncType.kmtotalizer),
        ("sorting_network", [2, 3, 5, 8, 9, 13, 15, 16, 17, 20], EncType.sortnetwrk),
        ("cardinality_network", [2, 3, 5, 8, 9, 13, 15, 16, 17, 20], EncType.cardnetwrk),
    ],
)
def test_exactly_k_takes_at_most_half_the_auxiliaries_of_pysat(name, inputs, theirs):
    # PySAT's counter has no auxiliaries for a bound that is a single clause.
    least = 2 if name == "sequential_counter" else 1
    for n in inputs:
        for k in range(least, n - least + 1):
            found = CardEnc.equals(list(range(1, n + 1)), bound=k, encoding=theirs).nv
            assert 2 * size(name, n, k, k).variables <= max(found, n) - n, (n, k)


@pytest.mark.parametrize(
    ("name", "upto", "theirs"),
    [
        ("sequential_counter", 30, EncType.seqcounter),
        ("modulo_totalizer", 12, EncType.mtotalizer),
        ("k_modulo_totalizer", 12, EncType.kmtotalizer),
    ],
)
def test_at_most_k_takes_no_more_than_pysat_and_the_sequential_counter_as_much(name, upto, theirs):
    for n in range(3, upto + 1):
        for k in range(1, n - 1):
            found = CardEnc.atmost(list(range(1, n + 1)), bound=k, encoding=theirs)
            pysats = max(0, found.nv - n), len(found.clauses)
            ours = variables_and_clauses(name, n, 0, k)
            assert all(map(int.__le__, ours, pysats)), (n, k)
            assert name != "sequential_counter" or ours == pysats
