"""Whole problems; templates, made once for a shape."""

import random
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import Cardinality, EncodingError, EncodingSize, Formula, PseudoBoolean, encode
from pbcnf.emission.dispatch import Kind, emission, instantiate, template
from pbcnf.emission.encode import template_if_met_before
from pbcnf.emission.whole_problems import Choices, encode_problem, suited, tallied
from pbcnf.encoders.protocol import WeightedEncoder
from pbcnf.encoders.table import ENCODERS
from pbcnf.sink import NormalisingSink
from tests.oracles import assignments, true_literals
from tests.pbcnf.emitted import extending, size_of

LITERALS = st.integers(1, 4).flatmap(lambda var: st.sampled_from([var, -var]))
BOUND = st.none() | st.integers(-3, 8)
COUNTED = st.builds(Cardinality, st.lists(LITERALS, max_size=5), BOUND, BOUND)
WEIGHTED = st.lists(st.tuples(LITERALS, st.integers(-4, 4)), max_size=4).flatmap(
    lambda terms: st.builds(
        PseudoBoolean, st.just([t[0] for t in terms]), st.just([t[1] for t in terms]), BOUND, BOUND
    )
)
WEIGHTED_NAMES = [name for name in ENCODERS if isinstance(ENCODERS[name], WeightedEncoder)]
CHOICES = st.builds(
    Choices,
    st.sampled_from(["auto", *ENCODERS]),
    st.sampled_from(["auto", *(name for name in ENCODERS if "cardinality" in suited(name))]),
    st.sampled_from(WEIGHTED_NAMES),
)


@settings(max_examples=120, deadline=None)
@given(st.lists(COUNTED | WEIGHTED, max_size=4), CHOICES)
def test_the_formula_has_the_models_of_the_problem(constraints, choices):
    formula = Formula(num_vars=4)
    list(encode_problem(constraints, formula, choices))
    assert extending(formula, 4) == [
        bits for bits in assignments(4) if all(c.holds(true_literals(bits)) for c in constraints)
    ]


@pytest.mark.parametrize(
    ("constraint", "kind", "encoder"),
    [
        (Cardinality([1, 2, 3], lower=1), Kind.CLAUSE, None),
        (PseudoBoolean([1, 2], [5, 9], lower=3), Kind.CLAUSE, None),
        (Cardinality([1, 2, 3], upper=1), Kind.AT_MOST_ONE, "ladder"),
        (Cardinality([1, 2, 3, 4], lower=3, upper=3), Kind.AT_MOST_ONE, "ladder"),
        (Cardinality([1, 2, 3, 4], lower=2), Kind.CARDINALITY, "knuth_counter"),
        (PseudoBoolean([1, 2, 3, 4], [2, 2, 2, 2], upper=5), Kind.CARDINALITY, "knuth_counter"),
        (PseudoBoolean([1, 2, 3, 4], [1, 2, 3, 4], upper=5), Kind.PSEUDO_BOOLEAN, "adder"),
        (Cardinality([1, 1, 2, 3], upper=2), Kind.PSEUDO_BOOLEAN, "adder"),
        (Cardinality([1, -1], lower=1), Kind.TRIVIAL, None),
        (Cardinality([1, 2], upper=0), Kind.TRIVIAL, None),
    ],
)
def test_a_constraint_is_what_its_normal_form_is_and_each_kind_has_its_encoder(
    constraint, kind, encoder
):
    choices = Choices("ladder", "knuth_counter", "adder")
    (found,) = encode_problem([constraint], Formula(9), choices)
    assert (found.kind, found.encoder) == (kind, encoder)


def test_the_sums_of_sizes_are_the_size_of_the_formula():
    formula = Formula(num_vars=20)
    constraints = [Cardinality(range(1, 21), upper=k) for k in range(21)]
    tallies = tallied(encode_problem(constraints, formula, Choices())).values()
    assert sum(tally.constraints for tally in tallies) == 21
    assert sum((tally.size for tally in tallies), EncodingSize(0, 0, 0)) == size_of(formula, 20)


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
    said = "constraint 2: direct would need 131,282,408,400.*; totalizer would need [0-9]{3}$"
    with pytest.raises(ValueError, match=said):
        next(encoded)
    assert (formula.num_vars, formula.num_clauses) == (40, 1)


@pytest.mark.parametrize(
    ("encoder", "most", "what_fits"),
    [("direct", 600, "totalizer would need 576"), ("direct", 500, "adder would need 253"),
     ("totalizer", 500, "adder would need 253"), ("totalizer", 100, "even adder would need 253"),
     ("adder", 100, "even adder would need 253"), (None, 100, "even adder would need 253")],
)  # fmt: skip
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


@pytest.mark.parametrize(
    ("kind", "name", "message"),
    [("cardinality", "totaliser", "unknown encoder 'totaliser'.*did you mean 'totalizer'"),
     ("cardinality", "cut_4", "cut_4 encodes parities, not sums"),
     ("parity", "adder", "adder encodes sums, not parities"),
     ("pseudo_boolean", "totalizer", "totalizer takes weights 1 only")],
)  # fmt: skip
def test_unsuitable_names_are_refused_at_once(kind, name, message):
    with pytest.raises(ValueError, match=message):
        Choices(**{kind: name})


def test_an_encoder_is_suited_to_what_it_is_made_for():
    assert list(suited("product")) == ["at_most_one"]
    assert list(suited("totalizer")) == ["at_most_one", "cardinality"]
    assert list(suited("adder")) == ["at_most_one", "cardinality", "pseudo_boolean"]
    assert suited("direct").keys() == {"at_most_one", "cardinality", "parity"}
    assert suited("cut_5") == {"parity": "cut_5"}


@pytest.mark.parametrize("name", ["direct", "sequential_counter", "knuth_counter", "totalizer"])
@pytest.mark.parametrize("n", range(6))
def test_a_template_instantiated_is_the_encoding(name, n):
    lits = [7, -3, 5, 9, -2][:n]
    for lower, upper in product(range(-1, n + 2), repeat=2):
        stamp, formula = template(name, n, lower, upper), Formula(num_vars=9)
        encode(Cardinality(lits, lower, upper), formula, name)
        stamped = instantiate(stamp, lits, first_aux=10)
        assert [list(clause) for clause in stamped] == list(formula.clauses())
        assert all(type(clause) is tuple for clause in stamped)
        assert stamp.auxiliaries == formula.num_vars - 9


def test_a_template_is_made_once_per_shape_and_none_of_bounds_that_cannot_be_expressed():
    assert template("direct", 4, 1, 2) is template(ENCODERS["direct"], 4, 1, 2)
    with pytest.raises(ValueError, match="pairwise cannot express"):
        template("pairwise", 5, 2, 2)
    with pytest.raises(ValueError, match="3 inputs, not 2"):
        instantiate(template("direct", 3, 1, 1), [1, 2], 3)


def test_blocks_hold_the_clauses_by_width_and_cannot_be_written():
    stamp = template("totalizer", 5, 2, 3)
    widths = [block.shape[1] for block in stamp.blocks]
    assert widths == sorted(set(widths))
    rows = [tuple(row) for block in stamp.blocks for row in block.tolist()]
    assert sorted(rows) == sorted(stamp.clauses)
    with pytest.raises(ValueError, match="read-only"):
        stamp.blocks[0][0, 0] = 1


def outcome(constraint, name, sink=lambda formula: formula, **reified):
    """Return the outcome of one call over variables that are spread, or the refusal."""
    formula = Formula(num_vars=90)
    try:
        encode(constraint, sink(formula), name, **reified)
    except EncodingError as error:
        return str(error)
    return formula.num_vars, list(formula.clauses())


def cases():
    rng = random.Random(1)
    for n in (1, 2, 5, 9, 14, 30):
        lits = [rng.choice((1, -1)) * var for var in rng.sample(range(1, 91), n)]
        for lower, upper in ((0, 1), (1, 1), (n // 2, n), (n // 3, n // 2 + 1), (n + 1, n + 2)):
            yield Cardinality(lits, lower, upper)
        weights = [rng.randint(-3, 9) for _ in lits]
        yield PseudoBoolean(lits, weights, upper=sum(weights) // 2)
        yield PseudoBoolean(lits, weights, sum(weights) // 3, sum(weights) // 2)


@pytest.mark.parametrize("name", [None, *ENCODERS])
def test_the_second_and_third_time_are_like_the_first(name):
    for constraint in cases():
        if name == "direct" and len(constraint.lits) > 14:
            continue
        first, *others = (outcome(constraint, name) for _ in range(3))
        assert others == [first, first], constraint


@pytest.mark.parametrize("name", [None, "pairwise", "totalizer", "adder", "decision_diagram"])
def test_so_are_those_of_reified_sums_also_under_a_literal_of_their_own(name):
    for constraint in cases():
        if len(constraint.lits) > 9:
            continue
        free = next(var for var in range(1, 91) if not {var, -var} & {*constraint.lits})
        for how, lit in product(("when", "iff"), (free, -free, constraint.lits[0])):
            first, *others = (outcome(constraint, name, **{how: lit}) for _ in range(3))
            assert others == [first, first], (constraint, how, lit)


def test_a_sink_that_takes_clauses_one_by_one_gets_the_same():
    for constraint in cases():
        plain = outcome(constraint, "totalizer")
        assert [outcome(constraint, "totalizer", NormalisingSink) for _ in range(3)] == [plain] * 3


def test_a_variable_that_is_not_allocated_is_refused_the_third_time_too():
    for _ in range(3):
        formula = Formula(num_vars=4)
        with pytest.raises(ValueError, match="variable 5 is not allocated"):
            encode(Cardinality([1, 2, 3, 4, -5], upper=2), formula, "totalizer")
        assert (formula.num_vars, len(formula)) == (4, 0)


def test_what_comes_once_is_not_kept_and_repeated_variables_never_are():
    once, twice = (PseudoBoolean([1, 2, 3], [71, 72, 73], upper=100) for _ in range(2))
    assert template_if_met_before(once, "adder") is None
    assert template_if_met_before(twice, "adder") is not None
    repeated = Cardinality([1, 1, 2, 3], upper=2)
    assert [template_if_met_before(repeated, "adder") for _ in range(3)] == [None] * 3


@pytest.mark.parametrize("name", WEIGHTED_NAMES)
def test_a_weighted_sum_that_comes_again_gets_the_clauses_of_its_encoder(name):
    weights = [3, 5, 7, 11, 2]
    sums = [PseudoBoolean(range(v, v + 5), weights, upper=13) for v in (1, 6, 11, 16)]
    formula, expected = Formula(num_vars=20), Formula(num_vars=20)
    list(encode_problem(sums, formula, Choices(pseudo_boolean=name)))
    encoder = ENCODERS[name]
    assert isinstance(encoder, WeightedEncoder)
    for each in sums:
        encoder.encode_weighted(list(each.lits), weights, 0, 13, expected)
    assert list(formula.clauses()) == list(expected.clauses())


def test_the_clauses_of_an_encoder_that_looks_at_literals_are_not_kept_for_others():
    class LooksAtLiterals:
        """Forbids the first literal, if that is odd, else all of them."""

        name = "adder"

        def __getattr__(self, name):
            return getattr(ENCODERS["adder"], name)

        def encode_weighted(self, lits, weights, lower, upper, sink):
            for lit in [lits[0]] if lits[0] % 2 else lits:
                sink.add_clause([-lit])

    mine: Any = LooksAtLiterals()
    formula = Formula(num_vars=9)
    for first in (1, 3, 4):
        constraint = PseudoBoolean(range(first, first + 3), [3, 5, 7], upper=9)
        emission(constraint, mine).emit(formula)
    assert list(formula.clauses()) == [[-1], [-3], [-4], [-5], [-6]]
