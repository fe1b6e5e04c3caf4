"""Parities through `encode`, `choose` and `encode_problem`."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import (
    PARITY_ENCODERS,
    Cardinality,
    Choices,
    EncodingSize,
    Formula,
    Parity,
    choose,
    encode,
    encode_problem,
)
from pbcnf.emission.dispatch import Kind
from pbcnf.emission.whole_problems import suited, tallied
from tests.oracles import assignments, models, value, weighted_sum

LITERALS = st.lists(st.integers(1, 5).flatmap(lambda var: st.sampled_from([var, -var])), max_size=9)
ENCODER = st.sampled_from([None, *PARITY_ENCODERS])


def projections(formula: Formula, n: int) -> Counter[tuple[int, ...]]:
    """How many models each assignment of the variables 1 .. n extends to."""
    return Counter(bits[:n] for bits in models(formula.clauses(), formula.num_vars))


def odd_number(lits, bits) -> bool:
    return bool(weighted_sum(lits, bits) % 2)


@settings(max_examples=200, deadline=None)
@given(LITERALS, st.booleans(), ENCODER)
def test_any_literals_are_encoded_with_exactly_one_model_for_each_solution(
    lits, odd, encoder
) -> None:
    formula = Formula(5)
    encode(Parity(lits, odd), formula, encoder)
    expected = {bits: 1 for bits in assignments(5) if odd_number(lits, bits) == odd}
    assert projections(formula, 5) == expected
    for clause in formula.clauses():
        assert len({abs(lit) for lit in clause}) == len(clause)


@settings(max_examples=100, deadline=None)
@given(LITERALS, st.booleans(), ENCODER, st.sampled_from([1, -2, 6, -6]))
def test_a_literal_is_true_exactly_if_or_only_if_the_parity_is_so(lits, odd, encoder, lit) -> None:
    half, full = Formula(6), Formula(6)
    encode(Parity(lits, odd), half, encoder, when=lit)
    encode(Parity(lits, odd), full, encoder, iff=lit)
    every = list(assignments(6))
    holds = {bits: odd_number(lits, bits) == odd for bits in every}
    given = {bits: value(lit, bits) for bits in every}
    assert set(projections(half, 6)) == {b for b in every if holds[b] or not given[b]}
    assert projections(full, 6) == {b: 1 for b in every if holds[b] == given[b]}


@pytest.mark.parametrize(
    ("lits", "odd", "clauses"),
    [
        ([], True, [[]]),
        ([1, 1], True, [[]]),
        ([1, -1], False, [[]]),
        ([], False, []),
        ([2, -2], True, []),
        ([1, 1, -2], True, [[-2]]),
    ],
)
def test_what_is_trivial_needs_no_encoder_but_a_known_one(lits, odd, clauses) -> None:
    formula, choice = Formula(2), choose(Parity(lits, odd))
    encode(Parity(lits, odd), formula, "direct")
    assert list(formula.clauses()) == clauses
    assert (choice.kind, choice.encoder) == (Kind.TRIVIAL, None)
    with pytest.raises(ValueError, match="unknown encoder of parities 'x'"):
        encode(Parity(lits, odd), formula, "x")


def test_a_variable_that_is_not_allocated_is_named() -> None:
    formula = Formula(3)
    with pytest.raises(ValueError, match="variable 4 is not allocated"):
        encode(Parity([1, 2, -4], True), formula)
    assert formula.num_clauses == 0


def test_short_parities_are_direct_and_long_ones_cut() -> None:
    short, long = choose(Parity([1, -2, 3, 4], True)), choose(Parity(range(1, 12), False))
    assert (short.kind, short.encoder) == (Kind.PARITY, "direct")
    assert short.size == EncodingSize(0, 8, 32)
    assert (long.encoder, long.size) == ("cut_4", EncodingSize(4, 36, 140))
    assert "more than 4 literals" in long.reason


def test_parities_stand_among_other_constraints_and_are_counted_as_a_kind_of_their_own() -> None:
    formula = Formula(9)
    constraints = [
        Cardinality([1, 2, 3], 1, 2),
        Parity(range(1, 10), True),
        Parity([1, 1], False),
        Parity([1, 2], True),
    ]
    encoded = list(encode_problem(constraints, formula, Choices(parity="cut_3")))
    assert [(one.number, one.kind, one.encoder) for one in encoded[1:]] == [
        (2, Kind.PARITY, "cut_3"),
        (3, Kind.TRIVIAL, None),
        (4, Kind.PARITY, "cut_3"),
    ]
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


def test_an_encoder_of_parities_is_suited_to_parities() -> None:
    assert suited("cut_5") == {"parity": "cut_5"}
    assert suited("direct").keys() == {"at_most_one", "cardinality", "parity"}
    with pytest.raises(ValueError, match="adder encodes sums, not parities"):
        Choices(parity="adder")
    with pytest.raises(ValueError, match="cut_4 encodes parities, not sums"):
        Choices(cardinality="cut_4")
