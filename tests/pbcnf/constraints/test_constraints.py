"""Constraints and problems as values, and normal forms, by looking at every assignment."""

import dataclasses
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
    plain_clause,
    slack_bits,
    sum_of,
    sums,
    weighted_normal_form,
)
from pbcnf.constraints.problem import Objective, Problem
from tests.oracles import assignments, true_literals

MODELS = [*map(true_literals, assignments(3))]


def test_bounds_default_to_the_reachable_range():
    counted, weighted = Cardinality([1, -2, 2]), PseudoBoolean([1, 2, 3], [3, -2, -4])
    assert (counted.lower, counted.upper) == (0, 3)
    assert (weighted.lower, weighted.upper) == (-6, 3)


def test_a_sum_holds_iff_the_count_or_the_weighted_sum_is_within_bounds():
    for model in MODELS:
        count = (1 in model) + (-2 in model) + 2 * (3 in model)
        total = 3 * (1 in model) - 2 * (-2 in model)
        for lower, upper in product(range(-3, 6), repeat=2):
            assert Cardinality([1, -2, 3, 3], lower, upper).holds(model) == (
                lower <= count <= upper
            )
            weighted = PseudoBoolean([1, -2], [3, -2], lower, upper)
            assert weighted.holds([*model]) == (lower <= total <= upper)


def test_an_undecided_variable_is_an_error_not_a_false_one():
    with pytest.raises(ValueError, match="neither -2 nor 2"):
        Cardinality([1, -2]).holds({1})
    with pytest.raises(ValueError, match="neither -3 nor 3"):
        Parity([1, -3], True).holds({1})


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


def test_literals_bounds_and_weights_of_numpy_become_plain_ints():
    assert type(Cardinality([1], upper=np.int64(1)).upper) is int
    assert type(PseudoBoolean([1], [np.int8(4)]).weights[0]) is int
    assert Cardinality(np.array([1, -2]), lower=1).lits == (1, -2)


@pytest.mark.parametrize("kind", [PseudoBoolean, Objective])
def test_a_weight_is_needed_for_every_literal(kind):
    with pytest.raises(ValueError, match=r"2 literals but 1 weight$"):
        kind((1, 2), (3,))


def test_an_instance_holds_where_all_its_constraints_do() -> None:
    problem = Problem(3, (Cardinality([1, 2], lower=1), PseudoBoolean([2, -3], [2, 1], upper=2)))
    assert problem.holds({1, 2, 3})
    assert not problem.holds({1, 2, -3})
    assert not problem.holds({-1, -2, 3})
    assert Problem(0, ()).holds(set())


def test_variables_without_a_name_are_called_by_their_number() -> None:
    assert list(Problem(3, (), {2: "b"}).variables()) == [(1, "x1"), (2, "b"), (3, "x3")]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [((2, (Cardinality([1], 1), Cardinality([2, -3], 1))), "^constraint 2: literal -3, but"),
     ((-1, ()), "^-1 variables"), ((2**30, ()), "^1073741824 variables"),
     ((2, (), {3: "c"}), "^a name for 3: there are 2 variables"),
     ((2, (), {0: "c"}), "^a name for 0"),
     ((2, (), {}, Objective((3,), (1,))), "^the objective: literal 3")],
)  # fmt: skip
def test_what_is_beyond_the_variables_is_refused(arguments, message) -> None:
    with pytest.raises(ValueError, match=message):
        Problem(*arguments)


def test_an_objective_has_a_value_in_a_model() -> None:
    objective = Objective((1, -2, 1), (3, 4, -1), constant=10)
    assert objective.value({1, -2}) == 16
    assert objective.value({-1, 2}) == 10
    with pytest.raises(ValueError, match="decides neither"):
        objective.value({1})


LITERALS = st.integers(1, 3).flatmap(lambda var: st.sampled_from([var, -var]))
TERMS = st.lists(st.tuples(LITERALS, st.integers(-7, 7)), max_size=6)
BOUNDS = st.none() | st.integers(-15, 15)


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
        total = weight_of(terms, model)
        met = (lower is None or lower <= total) and (upper is None or total <= upper)
        if form is None:
            assert not met
            continue
        total = weight_of(zip(form.lits, form.weights, strict=True), model)
        assert met == ({*form.units} <= model and form.lower <= total <= form.upper)


@settings(max_examples=200, deadline=None)
@given(TERMS, BOUNDS, BOUNDS)
def test_the_normal_form_is_what_encoders_rely_on_and_knows_whether_it_is_a_clause(
    terms, lower, upper
):
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
    # A clause is what exactly one assignment of the literals fails.
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
        one_sided = form.lower == 0 or form.upper == total
        assert len(failing) > 1 or not one_sided


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(LITERALS, st.sampled_from([1, -1, 1, 2])), max_size=4), BOUNDS, BOUNDS)
def test_what_is_plainly_a_clause_is_the_clause_of_the_normal_form(terms, lower, upper):
    lits, weights = [lit for lit, _ in terms], [weight for _, weight in terms]
    for constraint in (PseudoBoolean(lits, weights, lower, upper), Cardinality(lits, lower, upper)):
        clause, form = plain_clause(constraint), sum_of(constraint)
        if clause is not None:
            assert form is not None
            assert form.clause() == [*clause]
            assert all(constraint.holds(m) == bool(m.intersection(clause)) for m in MODELS)
        elif {*weights} <= {1} and len({*map(abs, lits)}) == len(lits) > 1:
            assert form is None or form.clause() is None


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
def test_the_normal_form_of_a_parity_has_distinct_variables_and_the_same_models(lits, odd) -> None:
    variables, normal = parity_normal_form(Parity(lits, odd))
    assert len(set(variables)) == len(variables)
    assert all(var > 0 for var in variables)
    assert variables == sorted(variables, key=[abs(lit) for lit in lits].index)
    for model in map(true_literals, assignments(4)):
        true = [lit for lit in lits if lit in model]
        assert Parity(lits, odd).holds(model) == (len(true) % 2 == odd)
        assert (len(true) % 2 == odd) == (sum(var in model for var in variables) % 2 == normal)


@pytest.mark.parametrize("odd", [1, np.int8(1), np.bool_(True), True])
def test_the_parity_may_be_a_number_of_one_bit(odd) -> None:
    assert Parity([1], odd) == Parity([1], True)
    assert type(Parity([1], odd).odd) is bool


@pytest.mark.parametrize(
    ("lits", "odd", "error", "message"),
    [([1, 0], True, ValueError, "literal 0 is outside"),
     ([True], True, TypeError, "a literal must be an int"),
     ([1], 2, ValueError, "odd must be true or false, 1 or 0, not 2"),
     ([1], "odd", TypeError, "odd must be an int"), ([1], None, TypeError, "odd must be an int")],
)  # fmt: skip
def test_what_is_no_parity_is_refused(lits, odd, error, message) -> None:
    with pytest.raises(error, match=message):
        Parity(lits, odd)


@pytest.mark.parametrize("odd", [False, True])
@pytest.mark.parametrize("n", range(8))
def test_every_model_of_a_parity_extends_to_one_model_of_its_equation(n, odd) -> None:
    equation = parity_equation(range(1, n + 1), odd, n + 1)
    bits = slack_bits(n, odd)
    assert len(equation.lits) == n + bits
    for values in assignments(n):
        every = (true_literals(values + slack) for slack in assignments(bits))
        assert sum(map(equation.holds, every)) == (sum(values) % 2 == odd)


def test_slack_variables_follow_those_of_the_problem_and_say_where_they_come_from() -> None:
    parities = Parity([1, 2, 3, 4], False), Parity([1, -1], True), Parity([-2, 3, 4], True)
    at_least, aim = Cardinality([1, 2], 1), Objective((1,), (1,))
    problem = Problem(4, (parities[0], at_least, *parities[1:]), {1: "a"}, aim)
    slack = {5: "parity_1_slack_0", 6: "parity_1_slack_1", 7: "parity_4_slack_0"}
    assert linear_form(problem) == Problem(7, (
        PseudoBoolean([1, 2, 3, 4, 5, 6], [1, 1, 1, 1, -2, -4], 0, 0), at_least,
        PseudoBoolean([], [], 0, 0), PseudoBoolean([2, 3, 4, 7], [1, 1, 1, -2], 0, 0),
    ), {1: "a", **slack}, aim)  # fmt: skip
    assert sums(problem) == linear_form(problem).constraints
    without = Problem(2, (at_least,))
    assert linear_form(without) is without
