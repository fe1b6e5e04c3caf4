"""Watchdogs follow from the bounds that they watch; the judge is the checker of such proofs."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import dimacs
from pbcnf.proof.cutting_planes.encodings import check_encoding
from pbcnf.proof.cutting_planes.error import ProofError

NAMES: Final = (
    "global_polynomial_watchdog",
    "local_polynomial_watchdog",
    "binary_merge",
    "binary_merge_gac",
)


def bounds(weights: list[int]) -> list[tuple[int, int]]:
    """All bounds that are in normal form: not both trivial, and no input forced."""
    total, most = sum(weights), max(weights)
    every = [(lo, up) for lo in range(total - most + 1) for up in range(max(lo, most), total + 1)]
    return [pair for pair in every if pair != (0, total)]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("weights", [[1, 1], [1] * 5, [1, 2, 3], [3, 3, 5], [1, 1, 4, 6]])
def test_all_bounds_are_derived(sums: SimpleNamespace, name: str, weights: list[int]) -> None:
    for lower, upper in bounds(weights):
        sums.require_derived(name, weights, lower, upper)


@settings(max_examples=20, deadline=None)
@given(
    st.sampled_from(NAMES),
    st.lists(st.integers(1, 1000), min_size=2, max_size=7),
    st.integers(0, 99),
    st.integers(0, 99),
    st.booleans(),
)
def test_weights_of_many_bits_are_derived_with_and_without_a_literal_that_implies_the_bounds(
    sums: SimpleNamespace, name: str, weights: list[int], low: int, high: int, guarded: bool
) -> None:
    total, most = sum(weights), max(weights)
    lower = (total - most) * low // 100
    upper = max(lower, most) + (total - max(lower, most)) * high // 100
    sums.require_derived(name, weights, lower, upper, guarded)


@pytest.mark.parametrize("name", NAMES)
def test_a_clause_that_is_missing_or_changed_is_refused(sums: SimpleNamespace, name: str) -> None:
    weights, lower, upper = [1, 2, 3, 5], 4, 7
    sums.require_changes_refused(name, weights, lower, upper)


@pytest.mark.parametrize("name", NAMES)
def test_a_bound_that_is_stronger_than_given_is_refused(sums: SimpleNamespace, name: str) -> None:
    weights = [1, 2, 3, 3, 5]
    formula = sums.encoded(name, weights, 0, 8)
    problem, proof = sums.proved(name, weights, 0, 8, formula)
    weaker = problem.replace(b">= 6 ;", b">= 5 ;")
    assert weaker != problem
    with pytest.raises(ProofError):
        check_encoding(weaker, dimacs(formula).encode(), proof)
