"""Constraints one by one and in rows: what they mean, and what is settled before any encoder."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import (
    ENCODERS,
    Builder,
    Cardinality,
    Formula,
    Literal,
    Propagation,
    PseudoBoolean,
    choose,
    encode,
    encode_many,
)
from pbcnf.encoders.table import expresses

LITERALS = st.integers(1, 4).flatmap(lambda var: st.sampled_from([var, -var]))
NAMES = st.sampled_from(list(ENCODERS))


def encoded(lits, lower, upper, encoder="direct", num_vars=4):
    formula = Formula(num_vars=num_vars)
    encode(Cardinality(lits, lower, upper), formula, encoder)
    return formula


@settings(max_examples=200, deadline=None)
@given(st.lists(LITERALS, max_size=7), st.integers(-2, 9), st.integers(-2, 9), NAMES)
def test_repeated_and_opposite_literals_count_as_they_stand(oracle, lits, lower, upper, name):
    try:
        formula = encoded(lits, lower, upper, name)
    except ValueError as error:
        if f"{name} cannot express" not in str(error):
            raise
        return
    clauses = list(formula.clauses())
    expected = {
        model
        for model in product((1, -1), repeat=4)
        if lower <= sum(model[abs(lit) - 1] * lit > 0 for lit in lits) <= upper
    }
    assert oracle.projected_models(clauses, 4) == expected
    for clause in clauses:
        assert len({abs(lit) for lit in clause}) == len(clause)


class Untouched:
    """An encoder that must not be asked for anything."""

    name = "untouched"
    propagation = Propagation.NONE

    def parsimonious(self, *bounds):
        raise AssertionError("an encoder was asked")

    size = encode = encode_weighted = weighted_size = parsimonious


settled = pytest.mark.parametrize("encoder", [Untouched(), None], ids=["untouched", "by size"])
"""Settled before any encoder is asked, whichever it would be: `Untouched` stands for all."""


@settled
@pytest.mark.parametrize("n", range(5))
@pytest.mark.parametrize(("lower", "upper"), [(2, 1), (-3, -1), (0, -1), (9, 9), (9, 1), (-1, -2)])
def test_bounds_that_nothing_meets_give_the_empty_clause_alone(encoder, n, lower, upper):
    formula = encoded(range(1, n + 1), lower, upper, encoder)
    assert (list(formula.clauses()), formula.num_vars) == ([[]], 4)


@settled
@pytest.mark.parametrize("n", range(5))
@pytest.mark.parametrize("lower", [-7, 0])
@pytest.mark.parametrize("more", [0, 7])
def test_bounds_that_everything_meets_give_nothing(encoder, n, lower, more):
    formula = encoded(range(1, n + 1), lower, n + more, encoder)
    assert (formula.num_clauses, formula.num_vars) == (0, 4)


@settled
def test_none_and_all_give_units(encoder):
    for lits in ([1, -2, 3], [1, -2, 3, 4], [4]):
        true, false = ([[sign * lit] for lit in lits] for sign in (1, -1))
        assert list(encoded(lits, -1, 0, encoder).clauses()) == false
        assert list(encoded(lits, len(lits), 8, encoder).clauses()) == true
    assert list(encoded([1, -2, 1], 3, 3, encoder).clauses()) == [[1], [-2]]


@settled
def test_a_pair_of_opposite_literals_contributes_exactly_one(encoder):
    assert encoded([1, -1], 1, 1, encoder).num_clauses == 0
    assert list(encoded([1, -1], 2, 2, encoder).clauses()) == [[]]
    assert list(encoded([2, 1, -1], 1, 1, encoder).clauses()) == [[-2]]
    assert list(encoded([1, 2, -1], 2, 2, encoder).clauses()) == [[2]]


@pytest.mark.parametrize("name", ENCODERS)
def test_bounds_that_are_settled_are_so_whatever_encoder_is_named(name):
    for lits, lower, upper in (([1, 2, 3], 0, 0), ([1, 2], 9, 1), ([1, 2, -3], -1, 5), ([1], 1, 1)):
        found, by_size = encoded(lits, lower, upper, name), encoded(lits, lower, upper, None)
        assert list(found) == list(by_size)
        assert found.num_vars == 4


def test_other_bounds_do_ask_the_encoder():
    with pytest.raises(AssertionError, match="an encoder was asked"):
        encoded([1, 2, 3], 1, 2, Untouched())


def test_auxiliaries_of_two_constraints_never_meet(oracle):
    formula = Formula(num_vars=6)
    encode(Cardinality([1, 2, 3, 4], 2, 2), formula, "totalizer")
    encode(Cardinality([1, 2, 3], 0, 0), formula, "totalizer")
    encode(Cardinality([3, 4, 5, 6], 2, 2), formula, "sequential_counter")
    assert oracle.projected_models(list(formula.clauses()), 6) == {
        m
        for m in product((1, -1), repeat=6)
        if m[:4].count(1) == 2 and m[:3].count(1) == 0 and m[2:].count(1) == 2
    }


def test_an_encoder_object_works_like_its_name():
    by_object = encoded([1, 2, 3], 1, 2, ENCODERS["knuth_counter"])
    by_name = encoded([1, 2, 3], 1, 2, "knuth_counter")
    assert list(by_object.clauses()) == list(by_name.clauses())


def test_an_input_that_was_never_allocated_is_refused():
    with pytest.raises(ValueError, match="variable 5 is not allocated"):
        encoded([4, 5], 1, 1)


def test_a_comparison_of_literals_is_a_constraint(oracle):
    x, y, z = map(Literal, (1, 2, 3))
    formula = Formula(4)
    encode(2 * x + 3 * ~y + z <= 4, formula, iff=4)
    expected = {
        bits
        for bits in product((1, -1), repeat=4)
        if (2 * (bits[0] > 0) + 3 * (bits[1] < 0) + (bits[2] > 0) <= 4) == (bits[3] > 0)
    }
    assert oracle.projected_models(list(formula.clauses()), 4) == expected
    assert choose(x + y + z <= 1).encoder == "pairwise"


def test_what_is_no_constraint_is_refused():
    with pytest.raises(TypeError, match="only a Cardinality, PseudoBoolean or Parity"):
        encode([1, 2], Formula(2))
    with pytest.raises(TypeError, match="a sum of literals"):
        encode(Builder().integer("n", 0, 5) <= 3, Formula(2))


def test_weights_are_refused_by_an_encoder_that_only_counts():
    formula = Formula(3)
    with pytest.raises(ValueError, match=r"totalizer takes weights 1 only.*up to 3"):
        encode(PseudoBoolean([1, 2, 3], [1, 2, 3], upper=3), formula, "totalizer")
    assert (formula.num_vars, formula.num_clauses) == (3, 0)


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


@pytest.mark.parametrize(("shape", "clauses"), [((0, 4), []), ((3, 0), [[], [], []])])
def test_no_rows_add_nothing_and_rows_without_inputs_are_settled(shape, clauses):
    formula = Formula()
    encode_many(np.zeros(shape, dtype=np.int32), 1, 1, formula, "totalizer")
    assert (formula.num_vars, list(formula.clauses())) == (0, clauses)


def test_the_array_of_inputs_is_left_alone():
    rows = np.array([[1, 2, 3]], dtype=np.int32)
    encode_many(rows, 1, 1, Formula(3))
    assert rows.tolist() == [[1, 2, 3]]
    assert rows.flags.writeable


def test_rows_that_cannot_be_encoded_add_nothing():
    with pytest.raises(ValueError, match="variable 4 is not allocated"):
        encode_many([[1, 2], [3, -4]], 1, 1, Formula(3))
    formula = Formula(4)
    with pytest.raises(ValueError, match="pairwise cannot express"):
        encode_many([[1, 2, 3, 4], [1, 1, 2, 3]], 2, 2, formula, "pairwise")
    assert formula.num_clauses == 0
