"""The documented meaning of every auxiliary variable, checked in all models by brute force."""

import pytest

from pbcnf import Cardinality, Formula, encode
from pbcnf.encoders.at_most_one.bimander import Bimander
from pbcnf.encoders.at_most_one.bitwise import Bitwise
from pbcnf.encoders.at_most_one.commander import Commander
from pbcnf.encoders.at_most_one.ladder import Ladder
from pbcnf.encoders.at_most_one.nested import Nested
from pbcnf.encoders.at_most_one.product import Product
from pbcnf.encoders.at_most_one.sequential import Sequential
from tests import oracles

AT_MOST_ONE, EXACTLY_ONE = (0, 1), (1, 1)
both = pytest.mark.parametrize("bounds", [AT_MOST_ONE, EXACTLY_ONE], ids=["at most", "exactly"])


def models(encoder, n, bounds):
    """Return every model: the values of the inputs, and those of the auxiliaries."""
    formula = Formula(num_vars=n)
    encode(Cardinality(range(1, n + 1), *bounds), formula, encoder)
    found = oracles.models(formula.clauses(), formula.num_vars)
    assert found
    return [(bits[:n], bits[n:]) for bits in found]


@both
def test_sequential_the_memory_is_on_from_the_true_input_on(bounds):
    for inputs, memory in models(Sequential(), 6, bounds):
        assert all(memory[i] or not any(inputs[: i + 1]) for i in range(5))


def test_ladder_a_rung_is_true_iff_no_input_up_to_it_is():
    for inputs, rungs in models(Ladder(), 6, EXACTLY_ONE):
        assert rungs == tuple(not any(inputs[: i + 1]) for i in range(5))


def test_ladder_at_most_one_a_rung_is_false_from_the_true_input_on():
    for inputs, rungs in models(Ladder(), 6, AT_MOST_ONE):
        assert not any(rungs[i] and any(inputs[: i + 1]) for i in range(5))


def test_bitwise_exactly_one_reads_the_number_of_the_true_input():
    for inputs, bits in models(Bitwise(), 7, EXACTLY_ONE):
        assert sum(bit << k for k, bit in enumerate(bits)) == inputs.index(True)


def test_bitwise_at_most_one_leaves_out_the_highest_bit_of_inputs_without_a_partner():
    for inputs, bits in models(Bitwise(), 6, AT_MOST_ONE):
        if any(inputs):
            number = inputs.index(True)
            assert bits[:2] == (bool(number & 1), bool(number & 2))
            assert number in (2, 3) or bits[2] == (number >= 4)


def test_bimander_exactly_one_reads_the_number_of_the_true_input_group():
    for inputs, bits in models(Bimander(group_size=2), 7, EXACTLY_ONE):
        assert sum(bit << k for k, bit in enumerate(bits)) == inputs.index(True) // 2


@both
def test_product_the_row_and_the_column_of_the_true_input_are_marked(bounds):
    for inputs, marks in models(Product(), 8, bounds):
        if any(inputs):
            row, column = divmod(inputs.index(True), 3)
            assert marks == tuple(i in (row, 3 + column) for i in range(6))


@both
def test_commander_a_commander_is_true_iff_a_literal_of_its_group_is(bounds):
    for inputs, commanders in models(Commander(), 8, bounds):
        assert commanders == (any(inputs[:3]), any(inputs[3:6]))


@both
def test_nested_the_cut_is_false_for_a_true_input_on_its_left_and_true_on_its_right(bounds):
    for inputs, (cut,) in models(Nested(), 6, bounds):
        if any(inputs):
            assert cut == any(inputs[3:])
