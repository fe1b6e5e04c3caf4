"""The contract of every encoder, computed over all small cases."""

import random
from itertools import product

import pytest

from pbcnf import ENCODERS, Cardinality, EncodingSize, Formula, Propagation, encode

NAMES = list(ENCODERS)


def expressible(name, n, lower, upper):
    if name != "pairwise" or lower > upper or upper <= 0 or lower >= n:
        return True
    return (lower <= 1 or lower == n - 1) and (upper == 1 or upper >= n - 1)


def clauses_of(name, n, lower, upper):
    """Encode over inputs 1..n; None, after an error, if the encoder cannot express the bounds."""
    formula = Formula(num_vars=n)
    constraint = Cardinality(range(1, n + 1), lower, upper)
    if not expressible(name, n, lower, upper):
        with pytest.raises(ValueError, match="pairwise cannot express"):
            encode(constraint, formula, name)
        assert (formula.num_vars, formula.num_clauses) == (n, 0)
        return None
    encode(constraint, formula, name)
    return formula


def bounds(n):
    return product(range(-1, n + 2), repeat=2)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n", range(7))
def test_an_assignment_of_the_inputs_extends_to_a_model_iff_it_meets_the_bounds(oracle, name, n):
    assignments = list(product((1, -1), repeat=n))
    for lower, upper in bounds(n):
        formula = clauses_of(name, n, lower, upper)
        if formula is not None:
            expected = {a for a in assignments if lower <= a.count(1) <= upper}
            models = oracle.projected_models(list(formula.clauses()), n)
            assert models == expected, (lower, upper)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n", range(7))
def test_unit_propagation_is_as_strong_as_claimed_on_every_partial_assignment(oracle, name, n):
    claim = ENCODERS[name].propagation
    for lower, upper in bounds(n):
        formula = clauses_of(name, n, lower, upper)
        if formula is not None:
            conflicts, forced = oracle.missed(list(formula.clauses()), n, lower, upper)
            assert claim is Propagation.NONE or not conflicts, (lower, upper)
            assert claim is not Propagation.ARC_CONSISTENT or not forced, (lower, upper)


@pytest.mark.parametrize("name", ["sequential_counter", "knuth_counter", "totalizer"])
@pytest.mark.parametrize("n", [7, 10, 13, 16])
def test_unit_propagation_is_as_strong_as_claimed_on_larger_samples(oracle, name, n):
    rng = random.Random(n)
    for _ in range(6):
        lower, upper = sorted(rng.choices(range(n + 1), k=2))
        formula = clauses_of(name, n, lower, upper)
        # Samples near the bounds: there something is forced or in conflict.
        scenarios = []
        for _ in range(200):
            true = max(0, min(n, rng.choice([upper - 1, upper, upper + 1, rng.randint(0, n)])))
            false = min(n - true, max(0, n - lower + rng.choice([-1, 0, 1])), rng.randint(0, 2 * n))
            values = [1] * true + [-1] * false + [0] * (n - true - false)
            scenarios.append(tuple(rng.sample(values, n)))
        clauses = list(formula.clauses())
        assert oracle.missed(clauses, n, lower, upper, scenarios) == ([], []), (lower, upper)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n", range(7))
def test_a_model_extends_uniquely_exactly_where_parsimony_is_claimed(oracle, name, n):
    for lower, upper in bounds(n):
        formula = clauses_of(name, n, lower, upper)
        if formula is not None:
            unique = oracle.extends_uniquely(list(formula.clauses()), n, formula.num_vars)
            claimed = ENCODERS[name].parsimonious(n, lower, upper)
            assert unique or not claimed, (lower, upper)


@pytest.mark.parametrize("name", ["direct", "sequential_counter", "knuth_counter", "totalizer"])
def test_exactly_k_is_parsimonious_for_every_counter(name):
    assert all(ENCODERS[name].parsimonious(n, k, k) for n in range(9) for k in range(n + 1))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n", range(13))
def test_the_predicted_size_is_the_emitted_size_for_all_bounds(name, n):
    for lower, upper in product(range(-2, n + 3), repeat=2):
        agrees_on_size(name, n, lower, upper)


@pytest.mark.parametrize("name", ["pairwise", "sequential_counter", "knuth_counter", "totalizer"])
@pytest.mark.parametrize("n", range(13, 21))
def test_the_predicted_size_is_the_emitted_size_up_to_twenty_inputs(name, n):
    for lower, upper in product(range(-1, n + 2), repeat=2):
        agrees_on_size(name, n, lower, upper)


@pytest.mark.parametrize("n", range(13, 21))
def test_the_predicted_direct_size_is_the_emitted_size_where_it_is_moderate(n):
    for lower, upper in product(range(-1, n + 2), repeat=2):
        if ENCODERS["direct"].size(n, lower, upper).clauses <= 5000:
            agrees_on_size("direct", n, lower, upper)


def agrees_on_size(name, n, lower, upper):
    formula = clauses_of(name, n, lower, upper)
    if formula is None:
        with pytest.raises(ValueError, match="pairwise cannot express"):
            ENCODERS[name].size(n, lower, upper)
        return
    emitted = EncodingSize(formula.num_vars - n, formula.num_clauses, formula.num_literals)
    assert ENCODERS[name].size(n, lower, upper) == emitted, (lower, upper)


@pytest.mark.parametrize("name", NAMES)
def test_no_emitted_clause_repeats_a_literal_or_holds_opposites(name):
    for n in range(7):
        for lower, upper in bounds(n):
            formula = clauses_of(name, n, lower, upper)
            for clause in formula.clauses() if formula is not None else []:
                assert len({abs(lit) for lit in clause}) == len(clause)


@pytest.mark.parametrize("name", NAMES)
def test_every_auxiliary_variable_occurs_in_a_clause(name):
    for n in range(7):
        for lower, upper in bounds(n):
            formula = clauses_of(name, n, lower, upper)
            if formula is not None:
                used = {abs(lit) for clause in formula.clauses() for lit in clause}
                assert used >= set(range(n + 1, formula.num_vars + 1)), (n, lower, upper)
