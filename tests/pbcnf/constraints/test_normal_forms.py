"""Normal forms of sums and parities, by looking at every assignment."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import Cardinality, Parity, PseudoBoolean
from pbcnf.constraints.normal_form import (
    WeightedSum,
    linear_form,
    parity_equation,
    parity_normal_form,
    slack_bits,
    sums,
    weighted_normal_form,
)
from pbcnf.constraints.problem import Objective, Problem
from tests.oracles import assignments, true_literals

LITERALS = st.integers(1, 3).flatmap(lambda var: st.sampled_from([var, -var]))
TERMS = st.lists(st.tuples(LITERALS, st.integers(-7, 7)), max_size=6)
BOUNDS = st.none() | st.integers(-15, 15)
MODELS = [*map(true_literals, assignments(3))]


def form_of(terms, lower, upper):
    return weighted_normal_form(
        PseudoBoolean([lit for lit, _ in terms], [weight for _, weight in terms], lower, upper)
    )


def weight_of(terms, model):
    return sum(weight for lit, weight in terms if lit in model)


@settings(max_examples=200, deadline=None)
@given(TERMS, BOUNDS, BOUNDS)
def test_the_normal_form_has_the_same_models(terms, lower, upper):
    form = form_of(terms, lower, upper)
    for model in MODELS:
        met = (lower is None or lower <= weight_of(terms, model)) and (
            upper is None or weight_of(terms, model) <= upper
        )
        kept = form is not None and (
            all(lit in model for lit in form.units)
            and form.lower
            <= weight_of(zip(form.lits, form.weights, strict=True), model)
            <= form.upper
        )
        assert met == kept


@settings(max_examples=200, deadline=None)
@given(TERMS, BOUNDS, BOUNDS)
def test_the_normal_form_is_what_encoders_rely_on(terms, lower, upper):
    form = form_of(terms, lower, upper)
    if form is None or not form.lits:
        return
    total = sum(form.weights)
    variables = [abs(lit) for lit in (*form.lits, *form.units)]
    assert len(set(variables)) == len(variables)
    assert 0 <= form.lower <= form.upper <= total
    assert (form.lower, form.upper) != (0, total)
    assert all(1 <= weight <= form.upper for weight in form.weights)
    assert all(total - weight >= form.lower for weight in form.weights)


@settings(max_examples=200, deadline=None)
@given(TERMS, BOUNDS, BOUNDS)
def test_a_sum_calls_itself_a_clause_exactly_if_one_assignment_of_its_literals_fails(
    terms, lower, upper
):
    form = form_of(terms, lower, upper)
    if form is None or not form.lits:
        return
    failing = [
        signs
        for signs in product((1, -1), repeat=len(form.lits))
        if not form.lower
        <= sum(w for s, w in zip(signs, form.weights, strict=True) if s > 0)
        <= form.upper
    ]
    clause = form.clause()
    if clause is not None:
        (signs,) = failing
        assert clause == [-s * lit for s, lit in zip(signs, form.lits, strict=True)]
    else:
        one_sided = form.lower == 0 or form.upper == sum(form.weights)
        assert len(failing) > 1 or not one_sided


def test_huge_weights_keep_every_digit():
    big = 10**40
    form = form_of([(1, big), (2, big + 1), (3, 1)], big + 1, None)
    assert form == WeightedSum((), (1, 2, 3), (big, big + 1, 1), big + 1, 2 * big + 2)


@pytest.mark.parametrize(
    ("terms", "lower", "upper", "expected"),
    [
        # Weights that cancel, with a bound out of reach or met; opposite literals of one weight.
        ([(1, 3), (1, -3)], 1, None, None),
        ([(1, 3), (1, -3)], 0, None, WeightedSum((), (), (), 0, 0)),
        ([(1, 2), (-1, 2)], 2, 2, WeightedSum((), (), (), 0, 0)),
        # A weight above the upper bound, or without which the lower bound is out of reach.
        ([(1, 9), (2, 1), (3, 1)], None, 2, WeightedSum((-1,), (), (), 0, 0)),
        ([(1, 9), (2, 1), (3, 1)], 10, None, WeightedSum((1,), (2, 3), (1, 1), 1, 2)),
        # Every weight reaches the lower bound.
        ([(1, 9), (2, 5), (3, 7)], 5, None, WeightedSum((), (1, 2, 3), (1, 1, 1), 1, 3)),
        # A common divisor, and one that leaves no sum.
        ([(1, 4), (2, 6), (3, 2)], None, 7, WeightedSum((), (1, 2, 3), (2, 3, 1), 0, 3)),
        ([(1, 2), (2, 4)], 1, 1, None),
    ],
)
def test_the_form_of(terms, lower, upper, expected):
    assert form_of(terms, lower, upper) == expected


PARITIES = st.lists(st.integers(1, 4).flatmap(lambda var: st.sampled_from([var, -var])), max_size=9)


@given(PARITIES, st.booleans())
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
    without = Problem(2, (Cardinality([1, 2], 1),))
    assert linear_form(without) is without
