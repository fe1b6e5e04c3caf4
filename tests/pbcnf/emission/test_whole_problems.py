from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import ENCODERS, Cardinality, Formula, PseudoBoolean
from pbcnf.emission.dispatch import Kind
from pbcnf.emission.whole_problems import Choices, encode_problem, suited, tallied
from pbcnf.encoders.protocol import WeightedEncoder

LITERALS = st.integers(1, 4).flatmap(lambda var: st.sampled_from([var, -var]))
BOUND = st.none() | st.integers(-3, 8)
COUNTED = st.builds(Cardinality, st.lists(LITERALS, max_size=5), BOUND, BOUND)
WEIGHTED = st.lists(st.tuples(LITERALS, st.integers(-4, 4)), max_size=4).flatmap(
    lambda terms: st.builds(
        PseudoBoolean, st.just([t[0] for t in terms]), st.just([t[1] for t in terms]), BOUND, BOUND
    )
)
WEIGHTED_ENCODERS = [name for name in ENCODERS if isinstance(ENCODERS[name], WeightedEncoder)]
GENERAL = [name for name in ENCODERS if "cardinality" in suited(name)]


def kinds(*constraints, choices=None):
    return [(one.kind, one.encoder) for one in encode_problem(constraints, Formula(9), choices)]


@settings(max_examples=120, deadline=None)
@given(
    st.lists(COUNTED | WEIGHTED, max_size=4),
    st.sampled_from(["auto", *ENCODERS]),
    st.sampled_from(["auto", *GENERAL]),
    st.sampled_from(WEIGHTED_ENCODERS),
)
def test_the_formula_has_the_models_of_the_problem(oracle, constraints, amo, cardinality, weighted):
    formula = Formula(num_vars=4)
    list(encode_problem(constraints, formula, Choices(amo, cardinality, weighted)))
    models = oracle.projected_models(list(formula.clauses()), 4)
    assert models == {
        signs
        for signs in product((1, -1), repeat=4)
        if all(c.holds({s * v for v, s in enumerate(signs, 1)}) for c in constraints)
    }


@pytest.mark.parametrize(
    ("constraint", "kind"),
    [
        (Cardinality([1, 2, 3], lower=1), Kind.CLAUSE),
        (PseudoBoolean([1, 2], [5, 9], lower=3), Kind.CLAUSE),
        (Cardinality([1, 2, 3], upper=1), Kind.AT_MOST_ONE),
        (Cardinality([1, 2, 3, 4], lower=3, upper=3), Kind.AT_MOST_ONE),
        (Cardinality([1, 2, 3, 4], lower=2), Kind.CARDINALITY),
        (PseudoBoolean([1, 2, 3, 4], [2, 2, 2, 2], upper=5), Kind.CARDINALITY),
        (PseudoBoolean([1, 2, 3, 4], [1, 2, 3, 4], upper=5), Kind.PSEUDO_BOOLEAN),
        (Cardinality([1, 1, 2, 3], upper=2), Kind.PSEUDO_BOOLEAN),
        (Cardinality([1, -1], lower=1), Kind.TRIVIAL),
        (Cardinality([1, 2], upper=0), Kind.TRIVIAL),
    ],
)
def test_a_constraint_is_what_its_normal_form_is(constraint, kind):
    assert [found for found, _ in kinds(constraint)] == [kind]


def test_each_kind_gets_its_own_encoder():
    constraints = (
        Cardinality([1, 2, 3], upper=1),
        Cardinality(range(1, 10), upper=4),
        PseudoBoolean([1, 2, 3], [1, 2, 3], upper=4),
        Cardinality([1, 2, 3], lower=1),
    )
    assert kinds(*constraints, choices=Choices("ladder", "knuth_counter", "adder")) == [
        (Kind.AT_MOST_ONE, "ladder"),
        (Kind.CARDINALITY, "knuth_counter"),
        (Kind.PSEUDO_BOOLEAN, "adder"),
        (Kind.CLAUSE, None),
    ]


def test_the_sums_of_sizes_are_the_size_of_the_formula():
    formula = Formula(num_vars=20)
    constraints = [Cardinality(range(1, 21), upper=k) for k in range(21)]
    tallies = tallied(encode_problem(constraints, formula, Choices()))
    assert sum(tally.constraints for tally in tallies.values()) == 21
    assert sum(tally.size.variables for tally in tallies.values()) == formula.num_vars - 20
    assert sum(tally.size.clauses for tally in tallies.values()) == formula.num_clauses
    assert sum(tally.size.literals for tally in tallies.values()) == formula.num_literals


def test_auxiliaries_are_told_apart_by_constraint():
    formula = Formula(num_vars=9)
    encoded = list(encode_problem([Cardinality(range(1, 10), 0, 3)] * 2, formula, Choices()))
    first, second = encoded
    assert first.first_auxiliary == 10
    assert second.first_auxiliary == first.last_auxiliary + 1
    assert second.last_auxiliary == formula.num_vars
    assert [one.number for one in encoded] == [1, 2]


def test_a_constraint_that_would_be_too_large_is_refused_before_it_is_encoded():
    formula = Formula(num_vars=40)
    constraints = [Cardinality([1, 2], 1), Cardinality(range(1, 41), upper=20)]
    encoded = encode_problem(constraints, formula, Choices(cardinality="direct"), 10**6)
    assert next(encoded).number == 1
    smallest = "; totalizer would need [0-9]{3}$"
    with pytest.raises(
        ValueError, match=f"constraint 2: direct would need 131,282,408,400.*{smallest}"
    ):
        next(encoded)
    assert (formula.num_vars, formula.num_clauses) == (40, 1)


@pytest.mark.parametrize(
    ("encoder", "most", "what_fits"),
    [
        ("direct", 600, "totalizer would need 576"),
        ("direct", 500, "adder would need 253"),
        ("totalizer", 500, "adder would need 253"),
        ("totalizer", 100, "even adder would need 253"),
        ("adder", 100, "even adder would need 253"),
        (None, 100, "even adder would need 253"),
    ],
)
def test_the_refusal_names_what_fits(encoder, most, what_fits):
    formula = Formula(num_vars=40)
    constraints = [Cardinality(range(1, 41), upper=20)]
    choices = Choices(cardinality=encoder) if encoder else None
    with pytest.raises(ValueError, match=f"; {what_fits}$"):
        list(encode_problem(constraints, formula, choices, most))
    assert (formula.num_vars, formula.num_clauses) == (40, 0)


def test_bounds_beyond_an_encoder_name_the_constraint():
    constraints = [Cardinality(range(1, 10), 3)]
    with pytest.raises(ValueError, match="constraint 1: product cannot express"):
        list(encode_problem(constraints, Formula(9), Choices(cardinality="product")))


def test_unsuitable_names_are_refused_at_once():
    with pytest.raises(ValueError, match=r"unknown encoder 'totaliser'.*did you mean 'totalizer'"):
        Choices(cardinality="totaliser")
    with pytest.raises(ValueError, match="totalizer takes weights 1 only"):
        Choices(pseudo_boolean="totalizer")


def test_an_encoder_is_suited_to_what_it_is_made_for():
    assert list(suited("product")) == ["at_most_one"]
    assert list(suited("totalizer")) == ["at_most_one", "cardinality"]
    assert list(suited("adder")) == ["at_most_one", "cardinality", "pseudo_boolean"]
