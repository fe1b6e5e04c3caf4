"""The closed forms that the docstrings print, and figures known from elsewhere."""

from math import comb

import pytest

from pbcnf import ENCODERS, EncodingSize

RANGE = [(n, k) for n in range(2, 41) for k in range(1, n)]


def size(name, n, lower, upper):
    return ENCODERS[name].size(n, lower, upper)


@pytest.mark.parametrize("name", ["knuth_counter", "sequential_counter"])
def test_at_most_has_the_size_that_knuth_published(name):
    for n, r in RANGE:
        found = size(name, n, 0, r)
        expected = (r * (n - r), 2 * r * (n - r) + n - 2 * r)
        assert (found.variables, found.clauses) == expected


@pytest.mark.parametrize("name", ["knuth_counter", "sequential_counter"])
def test_exactly_k_takes_four_clauses_per_auxiliary(name):
    for n, k in RANGE:
        w = k * (n - k)
        assert size(name, n, k, k) == EncodingSize(w, 4 * w, 10 * w - n)


def test_direct_has_binomially_many_clauses():
    exactly = [size("direct", 8, k, k).clauses for k in range(9)]
    assert exactly == [8, 29, 64, 98, 112, 98, 64, 29, 8]
    assert all(size("direct", n, 0, k).clauses == comb(n, k + 1) for n, k in RANGE)


@pytest.mark.parametrize("name", ["sequential_counter", "knuth_counter", "direct"])
def test_at_least_is_as_large_as_its_mirror_image(name):
    assert all(size(name, n, n - k, n) == size(name, n, 0, k) for n, k in RANGE)


def test_the_totalizer_is_bounded():
    assert size("totalizer", 100, 0, 1) == EncodingSize(196, 393, 882)
    assert size("totalizer", 8, 4, 4) == EncodingSize(16, 64, 152)


def test_a_large_size_is_predicted_without_building_anything():
    assert size("totalizer", 100_000, 5, 5).variables < 10**6
    assert size("knuth_counter", 10**6, 0, 5 * 10**5).variables == 25 * 10**10
