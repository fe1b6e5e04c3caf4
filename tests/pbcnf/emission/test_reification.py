from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from pbcnf import ENCODERS, Cardinality, Formula, PseudoBoolean, encode
from pbcnf.encoders.protocol import WeightedEncoder

LITERALS = st.integers(1, 4).flatmap(lambda var: st.sampled_from([var, -var]))
S = 5


def refuses(name, *bounds):
    """Whether an at-most-one encoder meets non-trivial bounds that it cannot express."""
    n = 4
    return type(ENCODERS[name]).__module__.startswith("pbcnf.encoders.at_most_one") and any(
        lower <= upper
        and upper > 0
        and lower < n
        and not (lower in (0, 1, n - 1) and upper in (1, n - 1, n))
        for lower, upper in bounds
    )


def selected(name, lower, upper, **how):
    formula = Formula(num_vars=S)
    encode(Cardinality([1, -2, 3, 4], lower, upper), formula, name, **how)
    return formula


def holds(model, lower, upper):
    return lower <= (model[0], -model[1], model[2], model[3]).count(1) <= upper


def projected_models(formula, n):
    """The assignments of the first n variables that extend to a model, asked one by one."""
    with Solver("minisat22", bootstrap_with=list(formula.clauses())) as solver:
        return {
            signs
            for signs in product((1, -1), repeat=n)
            if solver.solve([sign * var for var, sign in enumerate(signs, 1)])
        }


BOUNDS = [(lower, upper) for lower in range(-1, 6) for upper in range(-1, 6)]
MODELS = list(product((1, -1), repeat=S))


@pytest.mark.parametrize("name", ENCODERS)
def test_the_literal_implies_the_constraint_and_with_iff_is_true_exactly_if_it_holds(name):
    for lower, upper in BOUNDS:
        bounds = max(lower, 0), min(upper, 4)
        opposites = (0, min(lower - 1, 4)), (max(upper + 1, 0), 4)
        if not refuses(name, bounds):
            half = {m for m in MODELS if m[S - 1] < 0 or holds(m, lower, upper)}
            assert projected_models(selected(name, lower, upper, when=S), S) == half
        if not refuses(name, bounds, *opposites):
            full = {m for m in MODELS if (m[S - 1] < 0) == holds(m, lower, upper)}
            assert projected_models(selected(name, lower, upper, iff=-S), S) == full


@pytest.mark.parametrize("name", ["totalizer", "sequential_counter"])
@pytest.mark.parametrize(("lower", "upper"), [(2, 4), (0, 2), (2, 3), (1, 1)])
def test_a_counter_reified_is_parsimonious_and_propagates_to_the_literal(
    oracle, name, lower, upper
):
    clauses = list((formula := selected(name, lower, upper, iff=S)).clauses())
    assert oracle.extends_uniquely(clauses, S, formula.num_vars)
    for inputs in product((1, -1), repeat=4):
        wrong = -S if holds(inputs, lower, upper) else S
        assert oracle.propagates_conflict([*clauses, [wrong]], inputs)


@pytest.mark.parametrize("name", ["totalizer", "sequential_counter"])
def test_a_violated_half_reified_counter_propagates_the_literal_false(oracle, name):
    clauses = list(selected(name, 1, 2, when=S).clauses())
    for inputs in product((1, -1, 0), repeat=4):
        true, false = (inputs[0], -inputs[1], *inputs[2:]).count(1), 4 - inputs.count(0)
        if true > 2 or false - true > 3:
            assert oracle.propagates_conflict([*clauses, [S]], inputs)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(LITERALS, st.integers(-5, 5)), max_size=5),
    st.integers(-8, 8),
    st.integers(-8, 8),
    st.sampled_from([name for name in ENCODERS if isinstance(ENCODERS[name], WeightedEncoder)]),
    LITERALS,
    st.booleans(),
)
def test_weighted_sums_are_reified_even_by_one_of_their_own_literals(
    terms, lower, upper, name, lit, full
):
    formula = Formula(num_vars=4)
    lits, weights = [lit for lit, _ in terms], [weight for _, weight in terms]
    constraint = PseudoBoolean(lits, weights, lower, upper)
    encode(constraint, formula, name, **({"iff": lit} if full else {"when": lit}))
    expected = set()
    for model in product((1, -1), repeat=4):
        value = {lit: model[abs(lit) - 1] * lit > 0 for lit in [*lits, lit]}
        met = lower <= sum(w for lit, w in terms if value[lit]) <= upper
        if value[lit] == met if full else met or not value[lit]:
            expected.add(model)
    assert projected_models(formula, 4) == expected


def test_a_refused_opposite_leaves_nothing_behind():
    formula = Formula(num_vars=6)
    with pytest.raises(ValueError, match="pairwise cannot express"):
        encode(Cardinality([1, 2, 3, 4, 5], upper=1), formula, "pairwise", iff=6)
    assert (formula.num_vars, formula.num_clauses) == (6, 0)


@pytest.mark.parametrize(
    ("how", "message"),
    [({"when": 1, "iff": 2}, "not by both"), ({"when": 0}, "literal"), ({"iff": 2**30}, "literal")],
)
def test_one_literal_reifies_and_is_checked_like_any_other(how, message):
    with pytest.raises(ValueError, match=message):
        encode(Cardinality([1, 2]), Formula(2), **how)
