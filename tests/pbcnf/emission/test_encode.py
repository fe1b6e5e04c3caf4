"""Constraints one by one, in rows and under a literal, and parities: meaning, what is settled."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import (
    Builder,
    Cardinality,
    EncodingSize,
    Formula,
    Literal,
    Parity,
    PseudoBoolean,
    choose,
)
from pbcnf.emission.dispatch import Kind
from pbcnf.emission.encode import encode, encode_many
from pbcnf.emission.whole_problems import Choices, encode_problem, tallied
from pbcnf.encoders.protocol import Propagation, WeightedEncoder
from pbcnf.encoders.table import ENCODERS, PARITY_ENCODERS, expresses
from tests.oracles import assignments, models, value, weighted_sum
from tests.pbcnf.emitted import extending, size_of

LITERALS = st.integers(1, 4).flatmap(lambda var: st.sampled_from([var, -var]))
NAMES = st.sampled_from(list(ENCODERS))


def encoded(lits, lower, upper, encoder="direct", num_vars=4):
    formula = Formula(num_vars=num_vars)
    encode(Cardinality(lits, lower, upper), formula, encoder)
    return formula


@settings(max_examples=200, deadline=None)
@given(st.lists(LITERALS, max_size=7), st.integers(-2, 9), st.integers(-2, 9), NAMES)
def test_repeated_and_opposite_literals_count_as_they_stand(lits, lower, upper, name):
    try:
        formula = encoded(lits, lower, upper, name)
    except ValueError as error:
        if f"{name} cannot express" not in str(error):
            raise
        return
    expected = [b for b in assignments(4) if lower <= weighted_sum(lits, b) <= upper]
    assert extending(formula, 4) == expected
    assert all(len({*map(abs, clause)}) == len(clause) for clause in formula.clauses())


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


def test_auxiliaries_of_two_constraints_never_meet():
    formula = Formula(num_vars=6)
    encode(Cardinality([1, 2, 3, 4], 2, 2), formula, "totalizer")
    encode(Cardinality([1, 2, 3], 0, 0), formula, "totalizer")
    encode(Cardinality([3, 4, 5, 6], 2, 2), formula, "sequential_counter")
    every = assignments(6)
    expected = [b for b in every if (sum(b[:4]), sum(b[:3]), sum(b[2:])) == (2, 0, 2)]
    assert extending(formula, 6) == expected


def test_an_encoder_object_works_like_its_name():
    by_object = encoded([1, 2, 3], 1, 2, ENCODERS["knuth_counter"])
    by_name = encoded([1, 2, 3], 1, 2, "knuth_counter")
    assert list(by_object.clauses()) == list(by_name.clauses())


@pytest.mark.parametrize("constraint", [Cardinality([4, 5], 1, 1), Parity([1, 2, -5], True)])
def test_an_input_that_was_never_allocated_is_refused(constraint):
    formula = Formula(4)
    with pytest.raises(ValueError, match="variable 5 is not allocated"):
        encode(constraint, formula)
    assert formula.num_clauses == 0


def test_a_comparison_of_literals_is_a_constraint():
    x, y, z = map(Literal, (1, 2, 3))
    formula = Formula(4)
    encode(2 * x + 3 * ~y + z <= 4, formula, iff=4)
    expected = [b for b in assignments(4) if (2 * b[0] + 3 * (1 - b[1]) + b[2] <= 4) == b[3]]
    assert extending(formula, 4) == expected
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
def test_many_rows_at_once_mean_the_same_as_one_by_one(rows, lower, upper, name):
    at_once, one_by_one = both_ways(rows, lower, upper, name)
    assert size_of(at_once, 5) == size_of(one_by_one, 5)
    assert extending(at_once, 5) == extending(one_by_one, 5)


DISTINCT = st.lists(st.permutations([1, -2, 3, -4, 5]), min_size=1, max_size=4)


@settings(max_examples=100, deadline=None)
@given(DISTINCT, st.integers(-1, 6), st.integers(-1, 6), st.sampled_from(GENERAL))
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


S = 5


def refuses(name, *bounds):
    """Whether an at-most-one encoder meets non-trivial bounds of 4 that it cannot express."""
    return type(ENCODERS[name]).__module__.startswith("pbcnf.encoders.at_most_one") and any(
        lower <= upper and upper > 0 and lower < 4 and not (lower != 2 and upper in (1, 3, 4))
        for lower, upper in bounds
    )


def selected(name, lower, upper, **how):
    formula = Formula(num_vars=S)
    encode(Cardinality([1, -2, 3, 4], lower, upper), formula, name, **how)
    return formula


def holds(bits, lower, upper):
    return lower <= weighted_sum([1, -2, 3, 4], bits) <= upper


@pytest.mark.parametrize("name", ENCODERS)
def test_the_literal_implies_the_constraint_and_with_iff_is_true_exactly_if_it_holds(name):
    every = list(assignments(S))
    for lower, upper in product(range(-1, 6), repeat=2):
        bounds = max(lower, 0), min(upper, 4)
        opposites = (0, min(lower - 1, 4)), (max(upper + 1, 0), 4)
        if not refuses(name, bounds):
            half = [bits for bits in every if not bits[S - 1] or holds(bits, lower, upper)]
            assert extending(selected(name, lower, upper, when=S), S) == half
        if not refuses(name, bounds, *opposites):
            full = [bits for bits in every if bits[S - 1] != holds(bits, lower, upper)]
            assert extending(selected(name, lower, upper, iff=-S), S) == full


every_counter = pytest.mark.parametrize("name", ["totalizer", "sequential_counter"])


@every_counter
@pytest.mark.parametrize("bounds", [(2, 4), (0, 2), (2, 3), (1, 1)])
def test_a_counter_reified_is_parsimonious_and_propagates_to_the_literal(oracle, name, bounds):
    clauses = list((formula := selected(name, *bounds, iff=S)).clauses())
    assert oracle.extends_uniquely(clauses, S, formula.num_vars)
    for inputs in product((1, -1), repeat=4):
        wrong = -S if holds([value > 0 for value in inputs], *bounds) else S
        assert oracle.propagates_conflict([*clauses, [wrong]], inputs)


@every_counter
def test_a_violated_half_reified_counter_propagates_the_literal_false(oracle, name):
    clauses = list(selected(name, 1, 2, when=S).clauses())
    for inputs in product((1, -1, 0), repeat=4):
        true, false = (inputs[0], -inputs[1], *inputs[2:]).count(1), 4 - inputs.count(0)
        if true > 2 or false - true > 3:
            assert oracle.propagates_conflict([*clauses, [S]], inputs)


TERMS = st.lists(st.tuples(LITERALS, st.integers(-5, 5)), max_size=5)
WEIGHTED = st.sampled_from([n for n, each in ENCODERS.items() if isinstance(each, WeightedEncoder)])


@settings(max_examples=200, deadline=None)
@given(TERMS, st.integers(-8, 8), st.integers(-8, 8), WEIGHTED, LITERALS, st.booleans())
def test_weighted_sums_are_reified_even_by_one_of_their_own_literals(
    terms, lower, upper, name, lit, full
):
    formula = Formula(num_vars=4)
    lits, weights = [lit for lit, _ in terms], [weight for _, weight in terms]
    constraint = PseudoBoolean(lits, weights, lower, upper)
    encode(constraint, formula, name, **({"iff": lit} if full else {"when": lit}))
    met = {b: lower <= weighted_sum(lits, b, weights) <= upper for b in assignments(4)}
    kept = {b: value(lit, b) == met[b] if full else met[b] or not value(lit, b) for b in met}
    assert extending(formula, 4) == [bits for bits in kept if kept[bits]]


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


SIGNED_LISTS = st.lists(
    st.integers(1, 5).flatmap(lambda var: st.sampled_from([var, -var])), max_size=9
)
ENCODER = st.sampled_from([None, *PARITY_ENCODERS])


def projections(formula: Formula, n: int) -> Counter[tuple[int, ...]]:
    """How many models each assignment of the variables 1 .. n extends to."""
    return Counter(bits[:n] for bits in models(formula.clauses(), formula.num_vars))


@settings(max_examples=200, deadline=None)
@given(SIGNED_LISTS, st.booleans(), ENCODER)
def test_any_literals_are_encoded_with_exactly_one_model_for_each_solution(lits, odd, encoder):
    formula = Formula(5)
    encode(Parity(lits, odd), formula, encoder)
    expected = {bits: 1 for bits in assignments(5) if weighted_sum(lits, bits) % 2 == odd}
    assert projections(formula, 5) == expected
    assert all(len({*map(abs, clause)}) == len(clause) for clause in formula.clauses())


@settings(max_examples=100, deadline=None)
@given(SIGNED_LISTS, st.booleans(), ENCODER, st.sampled_from([1, -2, 6, -6]))
def test_a_literal_is_true_exactly_if_or_only_if_the_parity_is_so(lits, odd, encoder, lit) -> None:
    half, full = Formula(6), Formula(6)
    encode(Parity(lits, odd), half, encoder, when=lit)
    encode(Parity(lits, odd), full, encoder, iff=lit)
    every = list(assignments(6))
    holds = {bits: weighted_sum(lits, bits) % 2 == odd for bits in every}
    given = {bits: value(lit, bits) for bits in every}
    assert set(projections(half, 6)) == {b for b in every if holds[b] or not given[b]}
    assert projections(full, 6) == {b: 1 for b in every if holds[b] == given[b]}


@pytest.mark.parametrize(
    ("lits", "odd", "clauses"),
    [([], True, [[]]), ([1, 1], True, [[]]), ([1, -1], False, [[]]),
     ([], False, []), ([2, -2], True, []), ([1, 1, -2], True, [[-2]])],
)  # fmt: skip
def test_what_is_trivial_needs_no_encoder_but_a_known_one(lits, odd, clauses) -> None:
    formula, choice = Formula(2), choose(Parity(lits, odd))
    encode(Parity(lits, odd), formula, "direct")
    assert list(formula.clauses()) == clauses
    assert (choice.kind, choice.encoder) == (Kind.TRIVIAL, None)
    with pytest.raises(ValueError, match="unknown encoder of parities 'x'"):
        encode(Parity(lits, odd), formula, "x")


def test_short_parities_are_direct_and_long_ones_cut() -> None:
    short, long = choose(Parity([1, -2, 3, 4], True)), choose(Parity(range(1, 12), False))
    assert (short.kind, short.encoder) == (Kind.PARITY, "direct")
    assert short.size == EncodingSize(0, 8, 32)
    assert (long.encoder, long.size) == ("cut_4", EncodingSize(4, 36, 140))
    assert "more than 4 literals" in long.reason


def test_parities_stand_among_other_constraints_and_are_counted_as_a_kind_of_their_own() -> None:
    formula = Formula(9)
    parities = Parity(range(1, 10), True), Parity([1, 1], False), Parity([1, 2], True)
    constraints = [Cardinality([1, 2, 3], 1, 2), *parities]
    encoded = list(encode_problem(constraints, formula, Choices(parity="cut_3")))
    assert [(one.number, one.kind, one.encoder) for one in encoded[1:]] == [
        (2, Kind.PARITY, "cut_3"), (3, Kind.TRIVIAL, None), (4, Kind.PARITY, "cut_3")
    ]  # fmt: skip
    assert tallied(encoded)[Kind.PARITY].encoders == {"cut_3": 2}
    assert encoded[1].size == PARITY_ENCODERS["cut_3"].parity_size(9)


def test_parities_can_be_kept_instead_of_encoded() -> None:
    formula, kept = Formula(4), list[Parity]()
    constraints = [Parity([1, 2, 3], True), Parity([4], True), Cardinality([1, 2], 1)]
    encoded = list(encode_problem(constraints, formula, kept=kept))
    assert kept == [Parity([1, 2, 3], True)]
    assert list(formula.clauses()) == [[4], [1, 2]]
    assert [one.kind for one in encoded] == [Kind.PARITY, Kind.TRIVIAL, Kind.CLAUSE]


def test_too_many_clauses_are_refused_with_the_number_of_the_constraint() -> None:
    formula = Formula(20)
    constraints = [Parity([1, 2], True), Parity(range(1, 13), True)]
    with pytest.raises(ValueError, match="constraint 2: direct would need 2,048 clauses for 12"):
        list(encode_problem(constraints, formula, Choices(parity="direct"), most_clauses=1000))
    assert formula.num_clauses == 2
