"""Sizes as published, and next to those of other tools; (auxiliaries, clauses) throughout."""

from math import ceil, comb, log2, sqrt

import pytest
from pysat.card import CardEnc, EncType

from pbcnf import find_encoder
from pbcnf.encoders.at_most_one.bimander import Bimander

INPUTS = [*range(3, 200), 256, 257, 1000, 9999, 10000]


def at_most_one(encoder, n):
    size = find_encoder(encoder).size(n, 0, 1)
    return size.variables, size.clauses


def exactly_one(encoder, n):
    size = find_encoder(encoder).size(n, 1, 1)
    return size.variables, size.clauses


def pysat(encode, n, encoding):
    cnf = encode(list(range(1, n + 1)), bound=1, encoding=encoding)
    return cnf.nv - n, len(cnf.clauses)


def test_sequential_ladder_and_nested_take_what_was_published():
    for n in INPUTS:
        assert at_most_one("sequential", n) == (n - 1, 3 * n - 4)
        assert at_most_one("ladder", n) == (n - 1, 3 * n - 4)
        assert exactly_one("ladder", n) == (n - 1, 4 * n - 4)
        assert at_most_one("nested", n) == ((n - 3) // 2, 3 * n - 6)


def test_bitwise_takes_no_more_than_published_and_exactly_that_for_powers_of_two():
    for n in INPUTS:
        bits = ceil(log2(n))
        assert at_most_one("bitwise", n) == (bits, n * bits - (2**bits - n))
        assert exactly_one("bitwise", n) == (bits, n * bits + 1)


@pytest.mark.parametrize("group_size", [1, 2, 3, 4, 7])
def test_bimander_takes_what_was_published_for_exactly_one_and_no_more_for_at_most_one(group_size):
    for n in INPUTS:
        groups = [min(group_size, n - start) for start in range(0, n, group_size)]
        bits = ceil(log2(len(groups)))
        published = n * bits + sum(comb(size, 2) for size in groups)
        assert exactly_one(Bimander(group_size), n) == (bits, published + 1)
        fewer = group_size * (2**bits - len(groups))
        assert at_most_one(Bimander(group_size), n) == (bits, published - fewer)


def test_product_stays_near_the_published_2n_plus_4_sqrt_n():
    for n in INPUTS:
        variables, clauses = at_most_one("product", n)
        assert clauses <= min(2 * n + 4 * sqrt(n) + 13 * n**0.25, comb(n, 2))
        assert variables <= 2 * sqrt(n) + 9 * n**0.25
    # No encoding has fewer than 2n + sqrt n - O(1) clauses (Kucera, Savicky, Vorel).
    assert at_most_one("product", 10000)[1] >= 20000 + 100


def test_commander_takes_less_than_half_an_auxiliary_and_seven_halves_clauses_per_input():
    for n in INPUTS:
        variables, clauses = at_most_one("commander", n)
        assert variables < n / 2
        assert clauses < 7 * n / 2
    assert variables > 0.49 * 10000
    assert clauses > 3.49 * 10000


@pytest.mark.parametrize(
    ("size", "encoder", "expected"),
    [
        # As small as PBLib's.
        (at_most_one, "bitwise", {5: (3, 12), 8: (3, 24), 9: (4, 29), 20: (5, 88), 100: (7, 672)}),
        (at_most_one, Bimander(), {5: (2, 10), 8: (2, 20), 9: (3, 25), 20: (4, 78), 100: (6, 622)}),
        # Pairwise up to 6 inputs. At 50 PBLib takes rows and columns pairwise: (15, 149).
        (at_most_one, "product", {6: (0, 15), 7: (6, 20), 20: (9, 56), 50: (27, 142)}),
        # By hand. 20: 6 groups, 2 left over; 8: 2 groups, 2 left over; 4 pairwise.
        (at_most_one, "commander", {20: (8, 6 * 7 + 2 * 7 + 6)}),
        (exactly_one, "commander", {20: (8, 63)}),
        # RustSAT keeps every bit: (3, 90).
        (at_most_one, Bimander(4), {20: (3, 78)}),
        (exactly_one, Bimander(4), {20: (3, 91)}),
    ],
)
def test_sizes_are_those_of_other_tools_or_smaller(size, encoder, expected):
    assert {n: size(encoder, n) for n in expected} == expected


def test_nested_takes_as_many_clauses_as_that_of_pblib_and_no_more_auxiliaries():
    for n, pblib in {5: (1, 9), 6: (1, 12), 8: (3, 18), 20: (9, 54), 100: (63, 294)}.items():
        variables, clauses = at_most_one("nested", n)
        assert variables <= pblib[0]
        assert clauses == pblib[1]


@pytest.mark.parametrize("n", range(3, 21))
def test_sequential_and_bitwise_are_as_large_as_those_of_pysat_and_ladder_is_smaller(n):
    assert at_most_one("sequential", n) == pysat(CardEnc.atmost, n, EncType.seqcounter)
    assert exactly_one("bitwise", n) == pysat(CardEnc.equals, n, EncType.bitwise)
    assert pysat(CardEnc.atmost, n, EncType.ladder) == (n + 1, 4 * n)
    assert pysat(CardEnc.equals, n, EncType.ladder) == (n + 1, 4 * n + 1)
