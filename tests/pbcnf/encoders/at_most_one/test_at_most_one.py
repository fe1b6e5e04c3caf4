"""Encoders of at most one: what their auxiliary variables mean, and what they have in common.

That they keep their contract and predict their sizes is tested for every encoder of the table.
"""

import random
from itertools import combinations

import pytest

from pbcnf import ENCODERS, Cardinality, Formula, encode
from pbcnf.audit import Property, audit_encoder
from pbcnf.encoders.at_most_one.bimander import Bimander
from tests import oracles
from tests.pbcnf.emitted import encoded, size_of

AT_MOST_ONE, EXACTLY_ONE = (0, 1), (1, 1)
both = pytest.mark.parametrize("bounds", [AT_MOST_ONE, EXACTLY_ONE], ids=["at most", "exactly"])
LARGE = [
    ENCODERS[name] for name in ["sequential", "ladder", "bitwise", "product", "commander", "nested"]
]
LARGE += [Bimander(), Bimander(group_size=3)]
"""Encoders that are not quadratic."""
ENCODERS_OF_ONE = [*LARGE, ENCODERS["pairwise"], Bimander(group_size=100)]
every_encoder = pytest.mark.parametrize("encoder", ENCODERS_OF_ONE, ids=str)
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


@pytest.mark.parametrize(
    ("group_size", "error", "message"),
    [
        (0, ValueError, "at least 1, not 0"),
        (-2, ValueError, "at least 1, not -2"),
        (2.0, TypeError, "the group size must be an int"),
        ("2", TypeError, "the group size must be an int"),
        (True, TypeError, "the group size must be an int"),
    ],
)
def test_groups_of_no_size_are_refused(group_size, error, message):
    with pytest.raises(error, match=message):
        Bimander(group_size)


@every_large_encoder
def test_propagation_is_as_strong_on_all_pairs_and_near_misses_of_forty_inputs(oracle, encoder):
    n = 40
    rng = random.Random(n)
    pairs = [tuple(1 if i in p else 0 for i in range(n)) for p in combinations(range(n), 2)]
    ones = [tuple(1 if i == j else 0 for i in range(n)) for j in range(n)]
    last = [tuple(0 if i == j else -1 for i in range(n)) for j in range(n)]
    mixed = [tuple(rng.choices((0, -1), k=n)) for _ in range(40)]
    for lower, upper in [(0, 1), (1, 1)]:
        clauses = list(encoded(encoder, n, lower, upper).clauses())
        scenarios = pairs + ones + last + mixed + [(-1,) * n]
        assert oracle.missed(clauses, n, lower, upper, scenarios) == ([], []), (lower, upper)


@every_encoder
def test_exactly_one_and_exactly_all_but_one_are_parsimonious(encoder):
    assert all(encoder.parsimonious(n, k, k) for n in range(2, 50) for k in (1, n - 1))


@every_large_encoder
@pytest.mark.parametrize("n", [1000, 4097, 10000])
def test_ten_thousand_inputs_take_no_more_clauses_than_fourteen_bits_each(encoder, n):
    for lower, upper in [(0, 1), (1, 1), (n - 1, n)]:
        formula = encoded(encoder, n, lower, upper)
        assert encoder.size(n, lower, upper) == size_of(formula, n)
        assert formula.num_clauses <= 14 * n + 1


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
