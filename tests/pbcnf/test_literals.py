from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pbcnf import MAX_VAR, Cardinality, Formula, PseudoBoolean, encode_many
from pbcnf.encoders.cardinality.totalizer import Totalizer
from pbcnf.literals import literal, literal_array, negate

ENTRANCES: dict[str, Callable[[Any], object]] = {
    "literal": literal,
    "array": lambda value: literal_array([[value]], dimensions=2),
    "Cardinality": lambda value: Cardinality([value]),
    "PseudoBoolean": lambda value: PseudoBoolean([value], [1]),
    "add_clause": lambda value: Formula(3).add_clause([1, value]),
    "encode_many": lambda value: encode_many([[1, value]], 1, 1, Formula(3)),
    "count": lambda value: Totalizer().count([1, value], 1, Formula(3)),
}


@pytest.mark.parametrize("enter", ENTRANCES.values(), ids=ENTRANCES)
@pytest.mark.parametrize("value", [True, False, np.True_, 1.5, 1.0, np.float64(1), "1", None])
def test_what_is_no_integer_is_refused_at_every_entrance(enter, value):
    with pytest.raises(TypeError, match="must be an int"):
        enter(value)


@pytest.mark.parametrize("enter", ENTRANCES.values(), ids=ENTRANCES)
@pytest.mark.parametrize("value", [0, 2**30, -(2**30), 2**31, -(2**31), 2**63, 2**80])
def test_what_is_out_of_range_is_refused_at_every_entrance(enter, value):
    with pytest.raises(ValueError, match="outside the range"):
        enter(value)


@pytest.mark.parametrize("value", [np.int8(-3), np.int64(-3), np.int32(-3), -3])
def test_numpy_integers_become_plain_ints(value):
    assert type(literal(value)) is int
    assert Cardinality([value]).lits == (-3,)
    formula = Formula(3)
    formula.add_clause([value])
    assert list(formula.clauses()) == [[-3]]


def test_the_largest_variable_is_legal():
    assert literal(MAX_VAR) == 2**30 - 1
    assert literal_array([[-MAX_VAR]], dimensions=2).tolist() == [[-MAX_VAR]]


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int64, np.uint64])
def test_integer_arrays_of_any_width_become_int32(dtype):
    checked = literal_array(np.array([[1, 2]], dtype=dtype), dimensions=2)
    assert checked.dtype == np.int32
    assert checked.tolist() == [[1, 2]]


@pytest.mark.parametrize("value", [0, 2**30, -(2**30), 2**31, 2**32 + 1, -(2**63)])
def test_the_array_guard_sees_one_bad_value_among_good_ones(value):
    values = np.full((10, 3), 7, dtype=np.int64)
    values[4, 1] = value
    with pytest.raises(ValueError, match="outside the range"):
        literal_array(values, dimensions=2)


@pytest.mark.parametrize("dtype", [bool, float, "U1", object])
def test_arrays_of_another_kind_are_refused(dtype):
    with pytest.raises(TypeError, match="must be an int"):
        literal_array(np.ones((2, 2), dtype=dtype), dimensions=2)


@pytest.mark.parametrize("values", [[1, 2], [[[1]]], 5])
def test_another_number_of_dimensions_is_refused(values):
    with pytest.raises(ValueError, match="2 dimensions are needed"):
        literal_array(values, dimensions=2)


def test_ragged_rows_are_refused():
    with pytest.raises(TypeError, match="must be an int, not \\[1, 2\\]"):
        literal_array([[1, 2], [3]], dimensions=2)


def test_negation_keeps_the_order():
    assert negate([3, -1]) == [-3, 1]
