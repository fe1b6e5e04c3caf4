from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import PseudoBoolean
from pbcnf.constraints.normal_form import WeightedSum, weighted_normal_form
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
        ([(1, 3), (1, -3)], 1, None, None),
        ([(1, 3), (1, -3)], 0, None, WeightedSum((), (), (), 0, 0)),
        ([(1, 2), (-1, 2)], 2, 2, WeightedSum((), (), (), 0, 0)),
        ([(1, 9), (2, 1), (3, 1)], None, 2, WeightedSum((-1,), (), (), 0, 0)),
        ([(1, 9), (2, 1), (3, 1)], 10, None, WeightedSum((1,), (2, 3), (1, 1), 1, 2)),
        ([(1, 9), (2, 5), (3, 7)], 5, None, WeightedSum((), (1, 2, 3), (1, 1, 1), 1, 3)),
        ([(1, 4), (2, 6), (3, 2)], None, 7, WeightedSum((), (1, 2, 3), (2, 3, 1), 0, 3)),
        ([(1, 2), (2, 4)], 1, 1, None),
    ],
    ids=[
        "weights that cancel, bound out of reach",
        "weights that cancel, bound met",
        "opposite literals of one weight",
        "a weight above the upper bound",
        "a weight without which the lower bound is out of reach",
        "every weight reaches the lower bound",
        "a common divisor",
        "a common divisor that leaves no sum",
    ],
)
def test_the_form_of(terms, lower, upper, expected):
    assert form_of(terms, lower, upper) == expected
