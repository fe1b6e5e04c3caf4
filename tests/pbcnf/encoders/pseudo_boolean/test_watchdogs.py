"""Polynomial watchdogs and binary merges: what is particular to them, and what they share."""

import random
from typing import Any

import pytest

from pbcnf import ENCODERS, EncodingSize, Formula
from pbcnf.encoders.circuits import one_directional
from pbcnf.encoders.circuits.networks import sorting_network
from pbcnf.encoders.counter import Direction

GLOBAL: Any
LOCAL: Any
GLOBAL, LOCAL = (ENCODERS[f"{which}_polynomial_watchdog"] for which in ("global", "local"))
MERGE = ENCODERS["binary_merge"]
GAC: Any = ENCODERS["binary_merge_gac"]
each_merge = pytest.mark.parametrize("encoder", [MERGE, GAC], ids=lambda e: e.name)


def test_exactly_k_is_parsimonious_for_the_global_watchdog(oracle):
    for n in range(3, 11):
        assert all(GLOBAL.parsimonious(n, k, k) for k in range(n + 1))
        assert not any(GLOBAL.parsimonious(n, 0, k) for k in range(1, n - 1))
    for n in range(8, 11):
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
    for encoder in (LOCAL, GAC):
        assert encoder.weighted_size([3] * 6, 0, 3) == EncodingSize(0, 15, 30)
    assert LOCAL.size(6, 0, 1) == EncodingSize(0, 15, 30)
    assert GAC.weighted_size((3, 5, 6), 0, 7).variables == 0


def test_the_size_of_ten_thousand_inputs_is_known_at_once():
    assert GLOBAL.size(10_000, 0, 1).variables == 2 * (10_000 - 2) + 1
    assert LOCAL.size(10_000, 0, 1).clauses == 10_000 * 9_999 // 2


@pytest.mark.parametrize("encoder", [GLOBAL, MERGE], ids=lambda e: e.name)
def test_weights_of_thousands_of_bits_are_encoded(encoder):
    formula = Formula(num_vars=3)
    encoder.encode_weighted([1, 2, 3], [2**3000, 2**3000 + 2**1999, 1], 0, 2**3001, formula)
    assert formula.num_clauses > 0


POWERS = [(1, 2, 4, 8), (2, 1, 2, 4, 1), (1, 1, 1, 4, 4), (8, 2, 8, 1)]
OTHERS = [(1, 3, 4, 6), (3, 3, 5, 7), (7, 2, 2, 1, 5), (6, 6, 1, 8)]


@pytest.mark.parametrize(
    ("encoder", "weights"),
    [*((each, weights) for each in (MERGE, GAC) for weights in POWERS)]
    + [(GAC, weights) for weights in OTHERS],
)
def test_sums_of_powers_of_two_are_one_sum_and_gac_has_one_for_each_other_weight(
    weighted, encoder, weights
):
    for lower, upper in weighted.normal_bounds(weights):
        if lower == 0 or upper == sum(weights):
            clauses = weighted.correct(encoder, weights, lower, upper)
            assert sum(len(clause) == 1 for clause in clauses) <= 1 or weights in OTHERS
            assert weighted.missed(clauses, weights, lower, upper) == ([], []), (lower, upper)


@each_merge
@pytest.mark.parametrize("n", [3, 8, 17, 40])
def test_at_most_k_is_one_sorting_network_and_its_output_false(encoder, n):
    for k in range(1, n - 1):
        network = one_directional.size(sorting_network(n, k + 1, k + 1), Direction.AT_MOST)
        size = encoder.size(n, 0, k)
        assert (size.variables, size.clauses) == (network.variables, network.clauses + 1)


def test_one_sum_of_all_inputs_takes_a_fraction_of_one_sum_per_input():
    rng = random.Random(1)
    weights = [rng.randint(1, 1000) for _ in range(40)]
    merge, gac = (each.weighted_size(weights, 0, sum(weights) // 2) for each in (MERGE, GAC))
    assert 30 * merge.clauses < gac.clauses
