"""Sizes as published, and next to those of other tools; (auxiliaries, clauses) throughout."""

from math import ceil, comb, log2, sqrt

import pytest
from pysat.card import CardEnc, EncType

from pbcnf.encoders.at_most_one.bimander import Bimander
from pbcnf.encoders.at_most_one.bitwise import Bitwise
from pbcnf.encoders.at_most_one.commander import Commander
from pbcnf.encoders.at_most_one.ladder import Ladder
from pbcnf.encoders.at_most_one.nested import Nested
from pbcnf.encoders.at_most_one.product import Product
from pbcnf.encoders.at_most_one.sequential import Sequential

INPUTS = [*range(3, 200), 256, 257, 1000, 9999, 10000]


def at_most_one(encoder, n):
    size = encoder.size(n, 0, 1)
    return size.variables, size.clauses


def exactly_one(encoder, n):
    size = encoder.size(n, 1, 1)
    return size.variables, size.clauses


def pysat(encode, n, encoding):
    cnf = encode(list(range(1, n + 1)), bound=1, encoding=encoding)
    return cnf.nv - n, len(cnf.clauses)


def test_sequential_takes_what_sinz_published():
    for n in INPUTS:
        assert at_most_one(Sequential(), n) == (n - 1, 3 * n - 4)


@pytest.mark.parametrize("n", range(3, 21))
def test_sequential_and_bitwise_are_as_large_as_those_of_pysat(n):
    assert at_most_one(Sequential(), n) == pysat(CardEnc.atmost, n, EncType.seqcounter)
    assert exactly_one(Bitwise(), n) == pysat(CardEnc.equals, n, EncType.bitwise)


@pytest.mark.parametrize(
    ("encoder", "pblib"),
    [
        (Bitwise(), {5: (3, 12), 8: (3, 24), 9: (4, 29), 20: (5, 88), 50: (6, 286), 100: (7, 672)}),
        (
            Bimander(),
            {5: (2, 10), 8: (2, 20), 9: (3, 25), 20: (4, 78), 50: (5, 261), 100: (6, 622)},
        ),
    ],
)
def test_at_most_one_is_as_small_as_that_of_pblib(encoder, pblib):
    assert {n: at_most_one(encoder, n) for n in pblib} == pblib


def test_ladder_takes_as_many_rungs_as_gent_and_nightingale_published():
    for n in INPUTS:
        assert exactly_one(Ladder(), n) == (n - 1, 4 * n - 4)
        assert at_most_one(Ladder(), n) == (n - 1, 3 * n - 4)


@pytest.mark.parametrize("n", range(3, 21))
def test_ladder_is_two_auxiliaries_and_a_quarter_of_the_clauses_smaller_than_that_of_pysat(n):
    assert pysat(CardEnc.atmost, n, EncType.ladder) == (n + 1, 4 * n)
    assert pysat(CardEnc.equals, n, EncType.ladder) == (n + 1, 4 * n + 1)


def test_bitwise_takes_no_more_than_published_and_exactly_that_for_powers_of_two():
    for n in INPUTS:
        bits = ceil(log2(n))
        variables, clauses = at_most_one(Bitwise(), n)
        assert variables == bits
        assert clauses == n * bits - (2**bits - n)
        assert exactly_one(Bitwise(), n) == (bits, n * bits + 1)


def test_product_stays_near_the_published_2n_plus_4_sqrt_n():
    for n in INPUTS:
        variables, clauses = at_most_one(Product(), n)
        assert clauses <= 2 * n + 4 * sqrt(n) + 13 * n**0.25
        assert variables <= 2 * sqrt(n) + 9 * n**0.25
    # No encoding has fewer than 2n + sqrt n - O(1) clauses (Kucera, Savicky, Vorel).
    assert at_most_one(Product(), 10000)[1] >= 20000 + 100


def test_product_is_as_small_as_that_of_pblib_or_smaller():
    assert at_most_one(Product(), 20) == (9, 56)
    assert at_most_one(Product(), 100) == (34, 258)
    assert at_most_one(Product(), 50) == (27, 142)  # PBLib, rows and columns pairwise: (15, 149)


def test_product_goes_pairwise_only_where_that_is_fewer_clauses():
    for n in range(3, 60):
        assert at_most_one(Product(), n)[1] <= comb(n, 2)
    assert at_most_one(Product(), 6) == (0, 15)
    assert at_most_one(Product(), 7) == (6, 20)


def test_commander_takes_less_than_half_an_auxiliary_and_seven_halves_clauses_per_input():
    for n in INPUTS:
        variables, clauses = at_most_one(Commander(), n)
        assert variables < n / 2
        assert clauses < 7 * n / 2
    variables, clauses = at_most_one(Commander(), 10000)
    assert variables > 0.49 * 10000
    assert clauses > 3.49 * 10000


def test_commander_by_hand():
    # 20: 6 groups, 2 left over; 8: 2 groups, 2 left over; 4 pairwise.
    assert at_most_one(Commander(), 20) == (8, 6 * 7 + 2 * 7 + 6)
    assert exactly_one(Commander(), 20) == (8, 63)


@pytest.mark.parametrize("group_size", [1, 2, 3, 4, 7])
def test_bimander_takes_what_was_published_for_exactly_one_and_no_more_for_at_most_one(group_size):
    for n in INPUTS:
        groups = [min(group_size, n - start) for start in range(0, n, group_size)]
        bits = ceil(log2(len(groups)))
        published = (bits, n * bits + sum(comb(size, 2) for size in groups))
        assert exactly_one(Bimander(group_size), n) == (bits, published[1] + 1)
        variables, clauses = at_most_one(Bimander(group_size), n)
        assert variables == bits
        assert clauses == published[1] - group_size * (2**bits - len(groups))


def test_bimander_with_groups_of_four_is_smaller_than_that_of_rustsat():
    assert at_most_one(Bimander(group_size=4), 20) == (3, 78)  # rustsat keeps every bit: (3, 90)
    assert exactly_one(Bimander(group_size=4), 20) == (3, 91)


def test_nested_takes_3n_minus_6_clauses_and_half_an_auxiliary_per_input():
    for n in INPUTS:
        assert at_most_one(Nested(), n) == ((n - 3) // 2, 3 * n - 6)


def test_nested_takes_as_many_clauses_as_that_of_pblib_and_no_more_auxiliaries():
    pblib = {5: (1, 9), 6: (1, 12), 8: (3, 18), 20: (9, 54), 50: (31, 144), 100: (63, 294)}
    for n, (variables, clauses) in pblib.items():
        assert at_most_one(Nested(), n)[0] <= variables
        assert at_most_one(Nested(), n)[1] == clauses
