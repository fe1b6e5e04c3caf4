"""The tables of encoders, those of parities, and defects of python-sat that no encoder has."""

import random

import numpy as np
import pytest
from pysat.solvers import Solver

from pbcnf import (
    ENCODERS,
    PARITY_ENCODERS,
    Cardinality,
    EncodingSize,
    Formula,
    Parity,
    PseudoBoolean,
    encode,
    find_encoder,
)
from pbcnf.emission.dispatch import template
from pbcnf.encoders.choice import parity_encoder_for
from pbcnf.encoders.parity import MOST_INPUTS, CutParity
from pbcnf.encoders.table import expresses, find_parity_encoder
from pbcnf.errors import EncodingError
from tests.oracles import assignments, models, unit_propagation


def test_an_encoder_stands_under_its_own_name_and_is_a_hashable_value():
    for name, encoder in ENCODERS.items():
        assert (encoder.name, encoder) == (name, type(encoder)())
        assert len({encoder, type(encoder)()}) == 1
    with pytest.raises(TypeError):
        ENCODERS["mine"] = ENCODERS["direct"]
    for name, of_parities in PARITY_ENCODERS.items():
        assert of_parities.name == name
        assert find_parity_encoder(name) is find_parity_encoder(of_parities) is of_parities
    assert len(set(PARITY_ENCODERS.values())) == len(PARITY_ENCODERS)


def test_an_unknown_name_lists_the_names_and_suggests_one():
    said = r"'totaliser'; did you mean 'totalizer'\? \(known: direct, pairwise"
    for use in (find_encoder, lambda name: template(name, 3, 1, 1)):
        with pytest.raises(ValueError, match=said):
            use("totaliser")
    # Even for a trivial bound.
    with pytest.raises(ValueError, match=r"unknown encoder 'x' \(known: direct"):
        encode(Cardinality([], 0, 0), Formula(), "x")


@pytest.mark.parametrize("name", [name for name in ENCODERS if expresses(name, 8, 3, 3)])
def test_a_clue_0_does_not_give_its_variables_to_the_next_clue(name):
    # There the number of variables falls to 3 after a clue 0, and the auxiliary variables of the
    # next clues collide with cells: five to six unconstrained cells get a certain verdict.
    formula = Formula(num_vars=12)
    for lits, mines in (([1, 2, 3], 0), ([3, 4, 5, 6], 2), ([4, 5], 2)):
        encode(Cardinality(lits, mines, mines), formula, name)
    with Solver("glucose4", bootstrap_with=list(formula.clauses())) as solver:
        possible = [(solver.solve([-v]), solver.solve([v])) for v in range(1, 13)]
    verdicts = "".join("?" if both == (True, True) else "SM"[both[1]] for both in possible)
    assert verdicts == "SSSMMS??????"


@pytest.mark.parametrize("kind", [iter, list, tuple, np.array, dict.fromkeys, lambda lits: lits])
def test_literals_may_come_in_any_iterable(kind):
    formula = Formula(num_vars=3)
    encode(Cardinality(kind(range(1, 4)), 1, 1), formula)
    assert list(formula.clauses()) == [[-1, -2], [-1, -3], [-2, -3], [1, 2, 3]]


def test_weights_that_only_count_are_encoded_by_any_encoder():
    """Negative weights are of the negated literal, and a common weight is 1."""
    for weighted, counted in (
        (PseudoBoolean([1, 2, 3], [1, -1, 1], lower=1), Cardinality([1, -2, 3], lower=2)),
        (PseudoBoolean([1, -2, 3], [5, 5, 5], 3, 11), Cardinality([1, -2, 3], 1, 2)),
    ):
        formulas = Formula(num_vars=3), Formula(num_vars=3)
        for constraint, formula in zip((weighted, counted), formulas, strict=True):
            encode(constraint, formula, "totalizer")
        assert list(formulas[0]) == list(formulas[1])


every_encoder = pytest.mark.parametrize("encoder", PARITY_ENCODERS.values(), ids=PARITY_ENCODERS)


def clauses_of(encoder, n, odd):
    formula = Formula(n)
    encoder.encode_parity(range(1, n + 1), odd, formula)
    return list(formula.clauses()), formula.num_vars


both = pytest.mark.parametrize("odd", [False, True])


@both
@pytest.mark.parametrize("n", range(1, 8))
@every_encoder
def test_every_assignment_of_that_parity_extends_to_exactly_one_model(encoder, n, odd) -> None:
    found = [bits[:n] for bits in models(*clauses_of(encoder, n, odd))]
    assert sorted(found) == [bits for bits in assignments(n) if sum(bits) % 2 == odd]
    assert encoder.parsimonious_parity(n)


@both
@pytest.mark.parametrize("n", range(1, 41))
@every_encoder
def test_the_predicted_size_is_the_emitted_size(encoder, n, odd) -> None:
    if encoder.name == "direct" and n > 14:
        return
    clauses, num_vars = clauses_of(encoder, n, odd)
    emitted = EncodingSize(num_vars - n, len(clauses), sum(map(len, clauses)))
    assert encoder.parity_size(n) == emitted
    assert len({frozenset(clause) for clause in clauses}) == len(clauses)
    assert all(len({abs(lit) for lit in clause}) == len(clause) for clause in clauses)


@every_encoder
def test_unit_propagation_finds_the_last_input_and_nothing_earlier(encoder) -> None:
    # Of a parity, a partial assignment forces something only when one input at the most is open.
    rng = random.Random(encoder.name)
    for n in [2, 5, 9, 11] * 20:
        odd = rng.random() < 0.5
        clauses, _ = clauses_of(encoder, n, odd)
        *decided, last = [rng.choice((1, -1)) * var for var in rng.sample(range(1, n + 1), n)]
        rest = sum(lit > 0 for lit in decided) % 2
        forced = abs(last) if rest != odd else -abs(last)
        assert forced in (unit_propagation(clauses, decided) or ())
        assert unit_propagation(clauses, [*decided, forced]) is not None
        assert unit_propagation(clauses, [*decided, -forced]) is None
        fewer = unit_propagation(clauses, decided[:-1])
        assert fewer is not None
        assert {lit for lit in fewer if abs(lit) <= n} == set(decided[:-1])


@pytest.mark.parametrize("width", range(3, 9))
def test_an_auxiliary_variable_is_the_parity_of_the_inputs_before_it(width) -> None:
    n = 9
    clauses, num_vars = clauses_of(CutParity(width), n, True)
    assert num_vars > n
    for bits in models(clauses, num_vars):
        for place, value in enumerate(bits[n:], start=1):
            assert value == sum(bits[: 1 + place * (width - 2)]) % 2


def test_pieces_of_four_literals_are_the_smallest() -> None:
    for n in range(5, 200):
        sizes = {
            name: (size.variables + size.clauses, size.literals)
            for name, encoder in PARITY_ENCODERS.items()
            if name != "direct"
            for size in [encoder.parity_size(n)]
        }
        assert min(size for size, _ in sizes.values()) == sizes["cut_4"][0]
    assert parity_encoder_for(5).encoder == CutParity(4)
    assert CutParity(4).parity_size(4) == PARITY_ENCODERS["direct"].parity_size(4)


def test_direct_refuses_what_would_be_too_large_before_it_emits_anything() -> None:
    formula = Formula(30)
    with pytest.raises(EncodingError, match=r"at most 20 literals, and this one has 21 \(2\^20"):
        encode(Parity(range(1, 22), True), formula, "direct")
    assert formula.num_clauses == 0
    encode(Parity(range(1, MOST_INPUTS + 1), True), formula, "direct")
    assert formula.num_clauses == 2 ** (MOST_INPUTS - 1)


@pytest.mark.parametrize("width", [2, 0, -1, 21])
def test_pieces_that_make_no_sense_are_refused_and_a_width_without_a_name_is_fine(width) -> None:
    with pytest.raises(EncodingError, match=f"3 to 20 literals, not {width}"):
        CutParity(width)
    formula = Formula(30)
    encode(Parity(range(1, 31), True), formula, CutParity(10))
    assert (formula.num_vars - 30, formula.num_clauses) == (3, 3 * 2**9 + 2**5)


def test_encoders_of_sums_and_of_parities_are_told_apart() -> None:
    for sums in ("totalizer", find_encoder("totalizer")):
        with pytest.raises(EncodingError, match="totalizer encodes sums, not parities; what does:"):
            find_parity_encoder(sums)
    with pytest.raises(EncodingError, match="'cut4'; did you mean 'cut_4'"):
        find_parity_encoder("cut4")
    for encoder in ("cut_4", CutParity(9)):
        with pytest.raises(EncodingError, match=r"cut_\d encodes parities, not sums"):
            find_encoder(encoder)
