import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import ENCODERS, Cardinality, Formula, encode, encode_many
from pbcnf.encoders.table import expresses

LITERALS = st.integers(1, 5).flatmap(lambda var: st.sampled_from([var, -var]))
GENERAL = [name for name in ENCODERS if expresses(name, 8, 3, 3)]
ROWS = st.integers(0, 5).flatmap(
    lambda n: st.lists(st.lists(LITERALS, min_size=n, max_size=n), min_size=1, max_size=4)
)


def both_ways(rows, lower, upper, name):
    at_once, one_by_one = Formula(num_vars=5), Formula(num_vars=5)
    encode_many(np.array(rows, dtype=np.int64).reshape(len(rows), -1), lower, upper, at_once, name)
    for row in rows:
        encode(Cardinality(row, lower, upper), one_by_one, name)
    return at_once, one_by_one


@settings(max_examples=150, deadline=None)
@given(ROWS, st.integers(-1, 6), st.integers(-1, 6), st.sampled_from(GENERAL))
def test_many_rows_at_once_mean_the_same_as_one_by_one(oracle, rows, lower, upper, name):
    at_once, one_by_one = both_ways(rows, lower, upper, name)
    assert at_once.num_vars == one_by_one.num_vars
    assert at_once.num_clauses == one_by_one.num_clauses
    assert at_once.num_literals == one_by_one.num_literals
    assert oracle.projected_models(list(at_once.clauses()), 5) == oracle.projected_models(
        list(one_by_one.clauses()), 5
    )


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.permutations([1, -2, 3, -4, 5]), min_size=1, max_size=4),
    st.integers(-1, 6),
    st.integers(-1, 6),
    st.sampled_from(GENERAL),
)
def test_distinct_rows_get_the_same_clauses_with_the_same_auxiliaries(rows, lower, upper, name):
    at_once, one_by_one = both_ways(rows, lower, upper, name)
    assert sorted(at_once.clauses()) == sorted(one_by_one.clauses())


def test_no_rows_add_nothing():
    formula = Formula()
    encode_many(np.zeros((0, 4), dtype=np.int32), 1, 2, formula, "totalizer")
    assert (formula.num_vars, formula.num_clauses) == (0, 0)


def test_rows_without_inputs_are_settled():
    formula = Formula()
    encode_many(np.zeros((3, 0), dtype=np.int32), 1, 1, formula)
    assert list(formula.clauses()) == [[], [], []]


def test_the_array_of_inputs_is_left_alone():
    rows = np.array([[1, 2, 3]], dtype=np.int32)
    encode_many(rows, 1, 1, Formula(3))
    assert rows.tolist() == [[1, 2, 3]]
    assert rows.flags.writeable


def test_an_input_that_was_never_allocated_is_refused():
    with pytest.raises(ValueError, match="variable 4 is not allocated"):
        encode_many([[1, 2], [3, -4]], 1, 1, Formula(3))


def test_a_bound_that_cannot_be_expressed_adds_nothing():
    formula = Formula(4)
    with pytest.raises(ValueError, match="pairwise cannot express"):
        encode_many([[1, 2, 3, 4], [1, 1, 2, 3]], 2, 2, formula, "pairwise")
    assert formula.num_clauses == 0
