"""Parities and their normal forms, by counting true literals in every assignment."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbcnf import Cardinality, Parity, PseudoBoolean
from pbcnf.constraints.normal_form import (
    linear_form,
    parity_equation,
    parity_normal_form,
    slack_bits,
    sums,
)
from pbcnf.constraints.problem import Objective, Problem
from tests.oracles import assignments, true_literals

LITERALS = st.lists(st.integers(1, 4).flatmap(lambda var: st.sampled_from([var, -var])), max_size=9)


@given(LITERALS, st.booleans())
def test_the_normal_form_has_distinct_variables_and_the_same_models(lits, odd) -> None:
    variables, normal = parity_normal_form(Parity(lits, odd))
    assert len(set(variables)) == len(variables)
    assert all(var > 0 for var in variables)
    for model in map(true_literals, assignments(4)):
        true = [lit for lit in lits if lit in model]
        assert Parity(lits, odd).holds(model) == (len(true) % 2 == odd)
        assert (len(true) % 2 == odd) == (sum(var in model for var in variables) % 2 == normal)


@pytest.mark.parametrize(
    ("lits", "odd", "expected"),
    [
        ([], False, ([], False)),
        ([], True, ([], True)),
        ([3, 3], False, ([], False)),
        ([3, 3, 3], True, ([3], True)),
        ([1, -1], True, ([], False)),
        ([1, -1], False, ([], True)),
        ([-2], True, ([2], False)),
        ([5, -4, -5, -1], False, ([4, 1], True)),
    ],
)
def test_what_is_there_twice_cancels_out_and_negations_change_the_parity(
    lits, odd, expected
) -> None:
    assert parity_normal_form(Parity(lits, odd)) == expected


@pytest.mark.parametrize("odd", [1, np.int8(1), np.bool_(True), True])
def test_the_parity_may_be_a_number_of_one_bit(odd) -> None:
    assert Parity([1], odd) == Parity([1], True)
    assert type(Parity([1], odd).odd) is bool


@pytest.mark.parametrize(
    ("lits", "odd", "error", "message"),
    [
        ([1, 0], True, ValueError, "literal 0 is outside"),
        ([True], True, TypeError, "a literal must be an int"),
        ([1], 2, ValueError, "odd must be true or false, 1 or 0, not 2"),
        ([1], "odd", TypeError, "odd must be an int"),
        ([1], None, TypeError, "odd must be an int"),
    ],
)
def test_what_is_no_parity_is_refused(lits, odd, error, message) -> None:
    with pytest.raises(error, match=message):
        Parity(lits, odd)


def test_an_undecided_variable_is_named() -> None:
    with pytest.raises(ValueError, match="neither -3 nor 3"):
        Parity([1, -3], True).holds({1})


@pytest.mark.parametrize("odd", [False, True])
@pytest.mark.parametrize("n", range(8))
def test_every_model_of_a_parity_extends_to_one_model_of_its_equation(n, odd) -> None:
    equation = parity_equation(range(1, n + 1), odd, n + 1)
    bits = slack_bits(n, odd)
    assert len(equation.lits) == n + bits
    for model in map(true_literals, assignments(n)):
        extensions = [
            slack
            for slack in product((1, -1), repeat=bits)
            if equation.holds(model | {sign * (n + 1 + bit) for bit, sign in enumerate(slack)})
        ]
        true = sum(lit > 0 for lit in model)
        assert len(extensions) == (true % 2 == odd)


def test_slack_variables_follow_those_of_the_problem_and_say_where_they_come_from() -> None:
    problem = Problem(
        4,
        (
            Parity([1, 2, 3, 4], False),
            Cardinality([1, 2], 1),
            Parity([1, -1], True),
            Parity([-2, 3, 4], True),
        ),
        {1: "a"},
        Objective((1,), (1,)),
    )
    assert linear_form(problem) == Problem(
        7,
        (
            PseudoBoolean([1, 2, 3, 4, 5, 6], [1, 1, 1, 1, -2, -4], 0, 0),
            Cardinality([1, 2], 1),
            PseudoBoolean([], [], 0, 0),
            PseudoBoolean([2, 3, 4, 7], [1, 1, 1, -2], 0, 0),
        ),
        {1: "a", 5: "parity_1_slack_0", 6: "parity_1_slack_1", 7: "parity_4_slack_0"},
        Objective((1,), (1,)),
    )
    assert sums(problem) == linear_form(problem).constraints


def test_a_problem_without_parities_is_its_own_linear_form() -> None:
    problem = Problem(2, (Cardinality([1, 2], 1),))
    assert linear_form(problem) is problem
