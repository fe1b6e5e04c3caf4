"""Networks of comparators follow from the bounds; the judge is the checker of such proofs."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import dimacs
from pbcnf.proof.cutting_planes.encodings import check_encoding
from pbcnf.proof.cutting_planes.error import ProofError

NAMES: Final = ("sorting_network", "cardinality_network")
WEIGHTS: Final = ([1] * 5, [3, 3, 5], [1, 3, 3, 9, 9], [1, 2, 4, 8], [6, 10, 15], [2, 3, 7, 7, 12])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", [2, 3, 5, 8])
@pytest.mark.parametrize("guarded", [False, True])
def test_all_bounds_are_derived_with_and_without_a_literal_that_implies_them(
    sums: SimpleNamespace, name: str, size: int, guarded: bool
) -> None:
    for lower in range(size):
        for upper in range(max(lower, 1), size + 1):
            if (lower, upper) != (0, size):
                sums.require_derived(name, [1] * size, lower, upper, guarded)


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("guarded", [False, True])
def test_all_bounds_of_weighted_sums_are_derived(
    sums: SimpleNamespace, weights: list[int], guarded: bool
) -> None:
    total, most = sum(weights), max(weights)
    for lower in range(total - most + 1):
        for upper in range(max(lower, most), total + 1, 1 + 2 * guarded):
            if (lower, upper) != (0, total):
                sums.require_derived("mixed_radix_sorter", weights, lower, upper, guarded)


@settings(max_examples=25, deadline=None)
@given(
    st.one_of(
        st.lists(st.integers(1, 1000), min_size=2, max_size=9),
        st.lists(st.sampled_from([1, 3, 4, 6, 7, 12, 36]), min_size=2, max_size=20),
    ),
    st.integers(0, 99),
    st.integers(0, 99),
    st.sampled_from(["lower", "upper", "both"]),
    st.booleans(),
)
def test_weights_of_many_digits_are_derived(
    sums: SimpleNamespace, weights: list[int], low: int, high: int, which: str, guarded: bool
) -> None:
    total, most = sum(weights), max(weights)
    lower = 0 if which == "upper" else (total - most) * low // 100
    upper = max(lower, most) + (total - max(lower, most)) * high // 100
    upper = total if which == "lower" else upper
    if (lower, upper) != (0, total):
        sums.require_derived("mixed_radix_sorter", weights, lower, upper, guarded)


@settings(max_examples=15, deadline=None)
@given(
    st.sampled_from(NAMES),
    st.integers(9, 40),
    st.integers(0, 99),
    st.integers(0, 99),
    st.booleans(),
)
def test_bounds_of_many_inputs_are_derived(
    sums: SimpleNamespace, name: str, size: int, low: int, high: int, guarded: bool
) -> None:
    lower = size * low // 100
    upper = max(lower, 1) + (size - max(lower, 1)) * high // 100
    if (lower, upper) != (0, size):
        sums.require_derived(name, [1] * size, lower, upper, guarded)


@pytest.mark.parametrize(("lower", "upper"), [(3, 19), (13, 13), (9, 33)])
def test_a_digit_that_no_sum_reaches_is_derived(
    sums: SimpleNamespace, lower: int, upper: int
) -> None:
    sums.require_derived("mixed_radix_sorter", [7, 5, 7, 7, 7, 7, 7, 5], lower, upper)


@pytest.mark.parametrize(
    ("name", "weights"),
    [(NAMES[0], [1] * 6), (NAMES[1], [1] * 6), ("mixed_radix_sorter", [1, 1, 2, 3])],
)
@pytest.mark.parametrize(("lower", "upper"), [(0, 3), (3, None), (2, 4)])
def test_a_clause_that_is_missing_or_changed_is_refused(
    sums: SimpleNamespace, name: str, weights: list[int], lower: int, upper: int | None
) -> None:
    upper = sum(weights) if upper is None else upper
    sums.require_changes_refused(name, weights, lower, upper)


@pytest.mark.parametrize("name", NAMES)
def test_a_bound_that_is_stronger_than_given_is_refused(sums: SimpleNamespace, name: str) -> None:
    weights = [1] * 7
    formula = sums.encoded(name, weights, 0, 3)
    problem, proof = sums.proved(name, weights, 0, 3, formula)
    weaker = problem.replace(b">= 4 ;", b">= 3 ;")
    assert weaker != problem
    with pytest.raises(ProofError):
        check_encoding(weaker, dimacs(formula).encode(), proof)


@pytest.mark.parametrize("name", NAMES)
def test_a_proof_grows_with_the_clauses(sums: SimpleNamespace, name: str) -> None:
    for bound in (6, 30, 54):
        formula = sums.encoded(name, [1] * 60, 0, bound)
        _, proof = sums.proved(name, [1] * 60, 0, bound, formula)
        assert proof.count(b";") < 8 * formula.num_clauses
