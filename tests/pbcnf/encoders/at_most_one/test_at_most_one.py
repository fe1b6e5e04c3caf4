"""Encoders of at most one: meaning of the auxiliaries, sizes published and of other tools, repeats.

That they keep their contract and predict their sizes is tested for every encoder of the table.
"""

import random
from itertools import combinations
from math import ceil, comb, log2, sqrt

import pytest
from pysat.card import CardEnc, EncType

from pbcnf import ENCODERS, Cardinality, Formula, encode, find_encoder
from pbcnf.audit import Property, audit_encoder
from pbcnf.encoders.at_most_one.bimander import Bimander
from tests import oracles
from tests.pbcnf.emitted import encoded, extending, size_of

AT_MOST_ONE, EXACTLY_ONE = (0, 1), (1, 1)
both = pytest.mark.parametrize("bounds", [AT_MOST_ONE, EXACTLY_ONE], ids=["at most", "exactly"])
NAMES = ["sequential", "ladder", "bitwise", "product", "multipartite", "commander", "nested"]
LARGE = [*map(ENCODERS.get, NAMES), Bimander(), Bimander(group_size=3)]
"""Encoders that are not quadratic."""
every_encoder = pytest.mark.parametrize(
    "encoder", [*LARGE, ENCODERS["pairwise"], Bimander(group_size=100)], ids=str
)
every_large_encoder = pytest.mark.parametrize("encoder", LARGE, ids=str)


def models(encoder, n, bounds):
    """Return every model: the values of the inputs, and those of the auxiliaries."""
    formula = encoded(encoder, n, *bounds)
    found = oracles.models(formula.clauses(), formula.num_vars)
    assert found
    return [(bits[:n], bits[n:]) for bits in found]


@both
def test_sequential_the_memory_is_on_from_the_true_input_on(bounds):
    for inputs, memory in models("sequential", 6, bounds):
        assert all(memory[i] or not any(inputs[: i + 1]) for i in range(5))


@both
def test_ladder_a_rung_is_true_only_if_no_input_up_to_it_is_and_if_with_exactly_one(bounds):
    for inputs, rungs in models("ladder", 6, bounds):
        none_yet = tuple(not any(inputs[: i + 1]) for i in range(5))
        assert all(map(int.__le__, rungs, none_yet))
        assert rungs == none_yet or bounds == AT_MOST_ONE


def test_bitwise_exactly_one_reads_the_number_of_the_true_input():
    for inputs, bits in models("bitwise", 7, EXACTLY_ONE):
        assert sum(bit << k for k, bit in enumerate(bits)) == inputs.index(True)


def test_bitwise_at_most_one_leaves_out_the_highest_bit_of_inputs_without_a_partner():
    for inputs, bits in models("bitwise", 6, AT_MOST_ONE):
        if any(inputs):
            number = inputs.index(True)
            assert bits[:2] == (bool(number & 1), bool(number & 2))
            assert number in (2, 3) or bits[2] == (number >= 4)


def test_bimander_exactly_one_reads_the_number_of_the_true_input_group():
    for inputs, bits in models(Bimander(group_size=2), 7, EXACTLY_ONE):
        assert sum(bit << k for k, bit in enumerate(bits)) == inputs.index(True) // 2


def test_bimander_with_groups_of_one_is_bitwise_and_with_one_group_pairwise():
    for n in range(3, 12):
        for bounds in [(0, 1), (1, 1), (n - 1, n)]:
            found = encoded(Bimander(group_size=1), n, *bounds)
            assert list(found) == list(encoded("bitwise", n, *bounds))
    assert list(encoded(Bimander(group_size=9), 3, 0, 1)) == [[-1, -2], [-1, -3], [-2, -3]]


@both
def test_product_the_row_and_the_column_of_the_true_input_are_marked(bounds):
    for inputs, marks in models("product", 8, bounds):
        if any(inputs):
            row, column = divmod(inputs.index(True), 3)
            assert marks == tuple(i in (row, 3 + column) for i in range(6))


@both
def test_commander_a_commander_is_true_iff_a_literal_of_its_group_is(bounds):
    for inputs, commanders in models("commander", 8, bounds):
        assert commanders == (any(inputs[:3]), any(inputs[3:6]))


@both
def test_nested_the_cut_is_false_for_a_true_input_on_its_left_and_true_on_its_right(bounds):
    for inputs, (cut,) in models("nested", 6, bounds):
        if any(inputs):
            assert cut == any(inputs[3:])


@pytest.mark.parametrize("group_size", [3, 100])
def test_groups_of_other_sizes_keep_the_contract(group_size):
    found = audit_encoder(Bimander(group_size), 8)
    # On record are the clauses of groups of two.
    assert {prop for _, prop, _ in found.breaches()} <= {Property.RECORDED}
    assert found.stronger() == {}
    assert Bimander() == Bimander(group_size=2) != Bimander(group_size)
    assert hash(Bimander(4)) == hash(Bimander(4))


def test_groups_of_no_size_are_refused():
    for group_size in (0, -2):
        with pytest.raises(ValueError, match=f"at least 1, not {group_size}"):
            Bimander(group_size)
    for no_int in (2.0, "2", True):
        with pytest.raises(TypeError, match="the group size must be an int"):
            Bimander(no_int)


@every_large_encoder
def test_propagation_is_as_strong_on_all_pairs_and_near_misses_of_forty_inputs(oracle, encoder):
    n = 40
    rng = random.Random(n)
    true = [*combinations(range(n), 1), *combinations(range(n), 2)]
    scenarios = [tuple(1 if i in ones else 0 for i in range(n)) for ones in true]
    scenarios += [tuple(0 if i == j else -1 for i in range(n)) for j in range(n + 1)]
    scenarios += [tuple(rng.choices((0, -1), k=n)) for _ in range(40)]
    for bounds in (AT_MOST_ONE, EXACTLY_ONE):
        clauses = list(encoded(encoder, n, *bounds).clauses())
        assert oracle.missed(clauses, n, *bounds, scenarios) == ([], []), bounds


@every_encoder
def test_exactly_one_and_exactly_all_but_one_are_parsimonious(encoder):
    # Beyond that the multipartite encoding has columns that are free.
    most = 22 if encoder.name == "multipartite" else 50
    assert all(encoder.parsimonious(n, k, k) for n in range(2, most + 1) for k in (1, n - 1))


@every_large_encoder
@pytest.mark.parametrize("n", [1000, 4097, 10000])
def test_ten_thousand_inputs_take_no_more_clauses_than_fourteen_bits_each(encoder, n):
    for lower, upper in [(0, 1), (1, 1), (n - 1, n)]:
        formula = encoded(encoder, n, lower, upper)
        assert encoder.size(n, lower, upper) == size_of(formula, n)
        assert formula.num_clauses <= 14 * n + 1


@every_encoder
@pytest.mark.parametrize(
    "lits",
    [[1, 2, 3, 4, 5, 6, 7, 3, 5], [1, -2, 3, 4, 2, 5, 6, -7], [4, 1, -1, 2, 3, 3, -5, -5]],
    ids=["two twice", "one with its complement", "both"],
)
def test_inputs_given_twice_or_with_their_complement_count_as_often(encoder, lits):
    n = len(lits)
    for lower, upper in (AT_MOST_ONE, EXACTLY_ONE, (1, n), (n - 1, n), (n - 1, n - 1), (1, n - 1)):
        formula = Formula(num_vars=7)
        encode(Cardinality(lits, lower, upper), formula, encoder)
        every = oracles.assignments(7)
        expected = [b for b in every if lower <= oracles.weighted_sum(lits, b) <= upper]
        assert extending(formula, 7) == expected, (lower, upper)


@every_encoder
def test_what_clauses_say_takes_clauses_alone_and_all_but_one_is_one_of_the_negations(encoder):
    assert list(encoded(encoder, 2, 1, 1).clauses()) == [[-1, -2], [1, 2]]
    for n in range(3, 12):
        positive, negative = list(range(1, n + 1)), [-v for v in range(1, n + 1)]
        assert list(encoded(encoder, n, 1, n).clauses()) == [positive]
        assert list(encoded(encoder, n, 0, n - 1).clauses()) == [negative]
        assert list(encoded(encoder, n, 1, n - 1).clauses()) == [negative, positive]
        for mirrored, plain in [((n - 1, n), (0, 1)), ((n - 1, n - 1), (1, 1))]:
            formula = Formula(num_vars=n)
            encode(Cardinality(negative, *mirrored), formula, encoder)
            assert list(formula.clauses()) == list(encoded(encoder, n, *plain).clauses())


INPUTS = [*range(3, 200), 256, 257, 1000, 9999, 10000]


def at_most_one(encoder, n):
    size = find_encoder(encoder).size(n, 0, 1)
    return size.variables, size.clauses


def exactly_one(encoder, n):
    size = find_encoder(encoder).size(n, 1, 1)
    return size.variables, size.clauses


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
    def pysat(encode, encoding):
        cnf = encode(list(range(1, n + 1)), bound=1, encoding=encoding)
        return cnf.nv - n, len(cnf.clauses)

    assert at_most_one("sequential", n) == pysat(CardEnc.atmost, EncType.seqcounter)
    assert exactly_one("bitwise", n) == pysat(CardEnc.equals, EncType.bitwise)
    assert pysat(CardEnc.atmost, EncType.ladder) == (n + 1, 4 * n)
    assert pysat(CardEnc.equals, EncType.ladder) == (n + 1, 4 * n + 1)
