import dataclasses
from itertools import product

import numpy as np
import pytest

from pbcnf import Cardinality, PseudoBoolean


def test_bounds_default_to_zero_and_the_number_of_literals():
    constraint = Cardinality([1, -2, 2])
    assert (constraint.lower, constraint.upper) == (0, 3)


def test_a_cardinality_holds_iff_the_count_is_within_bounds():
    lits = [1, -2, 3, 3]
    for signs in product((1, -1), repeat=3):
        model = {sign * var for var, sign in enumerate(signs, start=1)}
        count = (1 in model) + (-2 in model) + 2 * (3 in model)
        for lower, upper in product(range(-1, 6), repeat=2):
            assert Cardinality(lits, lower, upper).holds(model) == (lower <= count <= upper)


def test_a_pseudo_boolean_holds_iff_the_weighted_sum_is_within_bounds():
    for x, y in product((1, -1), repeat=2):
        total = 3 * (x > 0) - 2 * (y < 0)
        for lower, upper in product(range(-3, 5), repeat=2):
            constraint = PseudoBoolean([1, -2], [3, -2], lower, upper)
            assert constraint.holds([x, 2 * y]) == (lower <= total <= upper)


def test_pseudo_boolean_bounds_default_to_the_reachable_range():
    constraint = PseudoBoolean([1, 2, 3], [3, -2, -4])
    assert (constraint.lower, constraint.upper) == (-6, 3)


def test_an_undecided_variable_is_an_error_not_a_false_one():
    with pytest.raises(ValueError, match="neither -2 nor 2"):
        Cardinality([1, -2]).holds({1})


def test_constraints_are_frozen_values():
    assert Cardinality([1, 2], 1) == Cardinality((1, 2), lower=1, upper=2)
    assert hash(Cardinality([1])) == hash(Cardinality([1]))
    with pytest.raises(dataclasses.FrozenInstanceError):
        Cardinality([1]).lower = 1  # type: ignore[misc]


@pytest.mark.parametrize("bound", [True, 1.0, "1"])
def test_a_bound_that_is_no_integer_is_refused(bound):
    with pytest.raises(TypeError, match="upper must be an int"):
        Cardinality([1], upper=bound)
    with pytest.raises(TypeError, match="lower must be an int"):
        PseudoBoolean([1], [1], lower=bound)


def test_numpy_bounds_and_weights_become_plain_ints():
    assert type(Cardinality([1], upper=np.int64(1)).upper) is int
    assert type(PseudoBoolean([1], [np.int8(4)]).weights[0]) is int


def test_a_weight_is_needed_for_every_literal():
    with pytest.raises(ValueError, match=r"2 literals but 1 weight$"):
        PseudoBoolean([1, 2], [1])
