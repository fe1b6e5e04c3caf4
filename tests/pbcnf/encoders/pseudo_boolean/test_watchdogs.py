"""The polynomial watchdogs, and with them what they share with binary merges."""

import random
from itertools import product

import pytest

from pbcnf import ENCODERS, EncodingSize, Formula
from pbcnf.encoders.pseudo_boolean.binary_merge import BinaryMerge
from pbcnf.encoders.pseudo_boolean.binary_merge_gac import BinaryMergeGac
from pbcnf.encoders.pseudo_boolean.global_polynomial_watchdog import GlobalPolynomialWatchdog
from pbcnf.encoders.pseudo_boolean.local_polynomial_watchdog import LocalPolynomialWatchdog

GLOBAL, LOCAL = GlobalPolynomialWatchdog(), LocalPolynomialWatchdog()
MERGE, GAC = BinaryMerge(), BinaryMergeGac()
each = pytest.mark.parametrize("encoder", [GLOBAL, LOCAL, MERGE, GAC], ids=lambda e: e.name)


def models_are_right(weighted, oracle, encoder, weights, lower, upper):
    """Return the clauses; they have the right models, which extend uniquely if that is claimed."""
    n = len(weights)
    clauses = weighted.clauses_of(encoder, weights, lower, upper)
    models = {
        a
        for a in product((1, -1), repeat=n)
        if lower <= sum(w for w, v in zip(weights, a, strict=True) if v == 1) <= upper
    }
    assert oracle.projected_models(clauses, n) == models, (weights, lower, upper)
    if encoder.weighted_parsimonious(weights, lower, upper):
        last = n + encoder.weighted_size(weights, lower, upper).variables
        assert oracle.extends_uniquely(clauses, n, last), (weights, lower, upper)
    return clauses


@each
@pytest.mark.parametrize("n", range(2, 6))
def test_weights_one_are_arc_consistent_for_all_bounds(weighted, oracle, encoder, n):
    for lower, upper in weighted.normal_bounds([1] * n):
        clauses = models_are_right(weighted, oracle, encoder, [1] * n, lower, upper)
        assert weighted.missed(clauses, [1] * n, lower, upper) == ([], []), (lower, upper)


@each
def test_one_bound_of_any_weights_is_detected_and_by_those_with_a_sum_per_input_propagated_in_full(
    weighted, weighted_sums, encoder
):
    for weights, lower, upper in weighted_sums[:24]:
        for bounds in [(0, upper), (lower, sum(weights))]:
            clauses = weighted.correct(encoder, weights, *bounds)
            conflicts, forced = weighted.missed(clauses, weights, *bounds)
            assert not conflicts, (weights, bounds)
            assert not forced or encoder in (GLOBAL, MERGE), (weights, bounds)


@each
def test_two_bounds_of_any_weights_have_the_right_models(weighted, oracle, weighted_sums, encoder):
    for weights, lower, upper in weighted_sums[:30] + weighted_sums[-2:]:
        models_are_right(weighted, oracle, encoder, weights, lower, upper)


def test_the_global_watchdog_is_not_arc_consistent_for_some_weights(weighted):
    clauses = weighted.correct(GLOBAL, (1, 1, 3), 0, 3)
    conflicts, forced = weighted.missed(clauses, (1, 1, 3), 0, 3)
    assert not conflicts
    assert ((1, 0, 0), -3) in forced


@each
def test_what_only_both_bounds_exclude_may_stay_open(weighted, encoder):
    """Nothing is claimed for two bounds of different weights."""
    clauses = weighted.clauses_of(encoder, (2, 3, 3), 4, 4)
    conflicts, _ = weighted.missed(clauses, (2, 3, 3), 4, 4)
    assert conflicts


@each
@pytest.mark.parametrize("weights", [(2**70 + 1, 2**70, 3, 2), (1, 2**300, 2**300 + 1, 5)])
def test_huge_weights_have_the_right_models(weighted, encoder, weights):
    total = sum(weights)
    for upper in (max(weights), max(weights) + 5, total - 3):
        weighted.correct(encoder, weights, 0, upper)
        weighted.correct(encoder, weights, total - upper, total)


@each
def test_the_predicted_size_is_the_emitted_size_of_larger_sums(weighted, encoder):
    rng = random.Random(3)
    for n in (9, 12, 15):
        weights = [rng.choice([1, 2, 6, rng.randint(1, 10**6)]) for _ in range(n)]
        total, most = sum(weights), max(weights)
        weighted.clauses_of(encoder, weights, 0, rng.randint(most, total - 1))
        weighted.clauses_of(encoder, weights, rng.randint(1, total - most), total)
    for lower, upper in [(0, 7), (30, 40), (13, 29), (1, 39), (20, 20)]:
        if encoder is not LOCAL:
            weighted.clauses_of(encoder, [1] * 40, lower, upper)


@pytest.mark.parametrize("n", range(3, 11))
def test_exactly_k_is_parsimonious_for_the_global_watchdog(n):
    assert all(GLOBAL.parsimonious(n, k, k) for k in range(n + 1))
    assert not any(GLOBAL.parsimonious(n, 0, k) for k in range(1, n - 1))


@pytest.mark.parametrize("n", [8, 9, 10])
def test_models_of_exactly_k_of_more_inputs_extend_uniquely(oracle, n):
    for k in (1, 2, n // 2):
        formula = Formula(num_vars=n)
        GLOBAL.encode(range(1, n + 1), k, k, formula)
        assert oracle.extends_uniquely(list(formula.clauses()), n, formula.num_vars), k


def test_with_weights_one_the_global_watchdog_is_a_totalizer_with_one_output():
    for n in range(3, 30):
        for k in range(1, n - 1):
            totalizer, watchdog = ENCODERS["totalizer"].size(n, 0, k), GLOBAL.size(n, 0, k)
            assert watchdog.variables == totalizer.variables + 1
            assert watchdog.clauses == totalizer.clauses + 1


def test_pairs_beyond_the_bound_are_one_clause_each():
    assert LOCAL.weighted_size([3] * 6, 0, 3) == EncodingSize(0, 15, 30)
    assert GAC.weighted_size([3] * 6, 0, 3) == EncodingSize(0, 15, 30)
    assert LOCAL.size(6, 0, 1) == EncodingSize(0, 15, 30)


def test_the_size_of_ten_thousand_inputs_is_known_at_once():
    assert GLOBAL.size(10_000, 0, 1).variables == 2 * (10_000 - 2) + 1
    assert LOCAL.size(10_000, 0, 1).clauses == 10_000 * 9_999 // 2


@pytest.mark.parametrize("encoder", [GLOBAL, MERGE], ids=lambda e: e.name)
def test_weights_of_thousands_of_bits_are_encoded(encoder):
    formula = Formula(num_vars=3)
    encoder.encode_weighted([1, 2, 3], [2**3000, 2**3000 + 2**1999, 1], 0, 2**3001, formula)
    assert formula.num_clauses > 0
