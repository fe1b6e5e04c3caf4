"""The polynomial watchdogs, and with them what they share with binary merges."""

import pytest

from pbcnf import ENCODERS, EncodingSize, Formula
from pbcnf.encoders.pseudo_boolean.binary_merge import BinaryMerge
from pbcnf.encoders.pseudo_boolean.binary_merge_gac import BinaryMergeGac
from pbcnf.encoders.pseudo_boolean.global_polynomial_watchdog import GlobalPolynomialWatchdog
from pbcnf.encoders.pseudo_boolean.local_polynomial_watchdog import LocalPolynomialWatchdog

GLOBAL, LOCAL = GlobalPolynomialWatchdog(), LocalPolynomialWatchdog()
MERGE, GAC = BinaryMerge(), BinaryMergeGac()
each = pytest.mark.parametrize("encoder", [GLOBAL, LOCAL, MERGE, GAC], ids=lambda e: e.name)


@each
def test_what_only_both_bounds_exclude_may_stay_open(weighted, encoder):
    """Nothing is claimed for two bounds of different weights."""
    clauses = weighted.clauses_of(encoder, (2, 3, 3), 4, 4)
    conflicts, _ = weighted.missed(clauses, (2, 3, 3), 4, 4)
    assert conflicts


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
