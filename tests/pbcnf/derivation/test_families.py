"""Each family of encoders: every clause is derived from the bounds, and nothing else passes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement
from random import Random
from types import SimpleNamespace
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbcnf import dimacs
from pbcnf.derivation.at_most_one import FAMILIES
from pbcnf.derivation.derivation_state import UnderivableError
from pbcnf.derivation.families import DERIVABLE, derive_sum
from pbcnf.encoders.at_most_one.bimander import Bimander
from pbcnf.encoders.protocol import takes_weights
from pbcnf.encoders.pseudo_boolean.adder import Adder
from pbcnf.encoders.table import expresses, find_encoder
from pbcnf.proof.cutting_planes.encodings import check_encoding
from pbcnf.proof.cutting_planes.error import ProofError

WEIGHTED: Final = tuple(name for name in DERIVABLE if takes_weights(find_encoder(name)))
WEIGHTS: Final = (
    [3, 3, 5],
    [1, 2, 3, 3, 5],
    [1, 1, 4, 6],
    [1, 3, 3, 9, 9],
    [6, 10, 15],
    [2, 3, 7, 7, 12],
    [16, 8, 8, 8, 1],
    [9, 7, 5, 4, 2, 2],
)
Bounds = tuple[int, int]

every_encoder = pytest.mark.parametrize("name", DERIVABLE)
every_weighted = pytest.mark.parametrize("name", WEIGHTED)


def bounds(name: str, weights: Sequence[int]) -> list[Bounds]:
    """All that the encoder expresses in normal form: not both trivial, and no input forced."""
    total, most = sum(weights), max(weights)
    ends = range(total + 1)
    every = [
        (lo, up) for lo, up in combinations_with_replacement(ends, 2) if (lo, up) != (0, total)
    ]
    fitting = [(lo, up) for lo, up in every if most <= min(up, total - lo)]
    return [pair for pair in fitting if most > 1 or expresses(name, len(weights), *pair)]


@every_encoder
@pytest.mark.parametrize("guarded", [False, True])
def test_all_bounds_are_derived_with_and_without_a_literal_that_implies_them(
    sums: SimpleNamespace, name: str, guarded: bool
) -> None:
    for size in (2, 3, 6, 9):
        every = bounds(name, [1] * size)
        for pair in Random(size).sample(every, min(len(every), 12)):
            sums.require_derived(name, [1] * size, *pair, guarded)


@every_weighted
@pytest.mark.parametrize("guarded", [False, True])
def test_bounds_of_weighted_sums_are_derived(
    sums: SimpleNamespace, name: str, guarded: bool
) -> None:
    for place, weights in enumerate(WEIGHTS):
        every = bounds(name, weights)
        one_sided = [pair for pair in every if pair[0] == 0 or pair[1] == sum(weights)]
        random = Random(place)
        for pair in random.sample(every, 8) + random.sample(one_sided, 4):
            sums.require_derived(name, weights, *pair, guarded)


@pytest.mark.parametrize(
    "encoder", [Adder(equivalent=True), *map(Bimander, (1, 3, 4, 7, 50))], ids=repr
)
def test_options_of_encoders_are_derived_too(sums: SimpleNamespace, encoder: Any) -> None:
    for size in (3, 9, 33):
        sums.require_derived(encoder, [1] * size, 1, 1)
    if takes_weights(encoder):
        for pair in ((0, 10), (10, 20), (10, 10), (12, 29)):
            sums.require_derived(encoder, WEIGHTS[-1], *pair)


@pytest.mark.parametrize("name", FAMILIES)
def test_every_clause_is_derived_where_rows_are_halved(sums: SimpleNamespace, name: str) -> None:
    for size, *pair in [(40, 1, 1), (65, 1, 1), (100, 0, 1), (70, 69, 70), (131, 130, 130)]:
        sums.require_derived(name, [1] * size, *pair)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from(sorted({*DERIVABLE} - {*FAMILIES} - {"direct", "pairwise"})),
    st.one_of(
        st.integers(9, 40).map(lambda size: [1] * size),
        st.lists(st.integers(1, 1000), min_size=2, max_size=7),
        st.lists(st.sampled_from([1, 3, 4, 6, 7, 12, 36]), min_size=2, max_size=9),
    ),
    st.tuples(st.integers(0, 99), st.integers(0, 99)),
    st.sampled_from(["lower", "upper", "both", "equal"]),
    st.booleans(),
)
def test_larger_sums_are_derived(
    sums: SimpleNamespace,
    name: str,
    weights: list[int],
    ends: tuple[int, int],
    which: str,
    guarded: bool,
) -> None:
    if name not in WEIGHTED:
        weights = [1] * len(weights)
    total, most = sum(weights), max(weights)
    lower = 0 if which == "upper" else (total - most) * ends[0] // 100
    upper = max(lower, most) + (total - max(lower, most)) * ends[1] // 100
    upper = {"lower": total, "equal": max(lower, most)}.get(which, upper)
    if (lower, upper) != (0, total) and (most > 1 or expresses(name, total, lower, upper)):
        sums.require_derived(name, weights, lower, upper, guarded)


@pytest.mark.parametrize(("lower", "upper"), [(3, 19), (13, 13), (9, 33)])
def test_a_digit_that_no_sum_reaches_is_derived(
    sums: SimpleNamespace, lower: int, upper: int
) -> None:
    sums.require_derived("mixed_radix_sorter", [7, 5, 7, 7, 7, 7, 7, 5], lower, upper)


@every_weighted
@pytest.mark.parametrize(
    ("weights", "lower", "upper"),
    [
        ([7, 7, 7, 7, 7, 7, 3], 22, 23),
        ([30, 21, 14, 6, 6, 9], 37, 38),
        ([4, 4, 6, 6], 9, 9),
    ],
)
def test_a_range_in_a_gap_between_the_sums_is_refuted_by_its_clauses(
    sums: SimpleNamespace, name: str, weights: list[int], lower: int, upper: int
) -> None:
    subsets = range(1 << len(weights))
    attained = {sum(w for i, w in enumerate(weights) if bits >> i & 1) for bits in subsets}
    assert attained.isdisjoint(range(lower, upper + 1))
    sums.require_derived(name, weights, lower, upper)


def example(name: str) -> tuple[list[int], list[Bounds]]:
    """Weights, and bounds of all three kinds."""
    if name in FAMILIES:
        return [1] * 8, [(1, 1), (0, 1), (7, 8)]
    if name in WEIGHTED:
        return [1, 2, 3, 5], [(4, 7), (0, 5), (5, 11)]
    found = [(2, 4), (0, 3), (3, 6)]
    return [1] * 6, [pair for pair in found if expresses(name, 6, *pair)] or [(0, 1)]


@every_encoder
def test_a_bound_that_is_stronger_than_given_is_refused(sums: SimpleNamespace, name: str) -> None:
    weights, pairs = example(name)
    for lower, upper in pairs:
        formula = sums.encoded(name, weights, lower, upper)
        problem, proof = sums.proved(name, weights, lower, upper, formula)
        at_least, at_most = problem.splitlines(keepends=True)
        for degree, row in ((lower, at_least), (sum(weights) - upper, at_most)):
            if degree:
                weaker = row.replace(f">= {degree} ;".encode(), f">= {degree - 1} ;".encode())
                with pytest.raises(ProofError):
                    check_encoding(problem.replace(row, weaker), dimacs(formula).encode(), proof)


@pytest.mark.parametrize("name", FAMILIES)
def test_a_clause_without_one_of_its_literals_cannot_be_derived(
    sums: SimpleNamespace, name: str
) -> None:
    """None of the clauses of exactly one has a literal too many."""
    formula = sums.encoded(name, [1] * 9, 1, 1)
    clauses = [*formula.clauses()]
    for place, clause in enumerate(clauses):
        for lit in clause:
            wrong = [[other for other in clause if other != lit]]
            changed = [*clauses[:place], *wrong, *clauses[place + 1 :]]
            with pytest.raises(UnderivableError, match="is not found by propagation"):
                derive_sum(*sums.given(name, [1] * 9, 1, 1, changed, formula.num_vars))


@pytest.mark.parametrize("name", FAMILIES)
def test_the_rows_that_clauses_of_at_most_one_are_found_on_are_short(
    sums: SimpleNamespace, name: str
) -> None:
    formula = sums.encoded(name, [1] * 300, 1, 1)
    of, state = sums.given(name, [1] * 300, 1, 1, [*formula.clauses()], formula.num_vars)
    derive_sum(of, state)
    steps = state.derivation.steps
    assert len(steps) <= 2.1 * len(of.clauses)
    hinted = [step.ids for step in steps if hasattr(step, "ids") and len(step.ids) == 1]
    assert len(hinted) >= len(of.clauses) - 1
    literals = sum(len(state.rows[number].coefficients) for (number,) in hinted)
    assert literals <= 40 * len(of.clauses)


@pytest.mark.parametrize("name", sorted({*DERIVABLE} - {*FAMILIES} - {"direct", "pairwise"}))
def test_a_proof_grows_with_the_clauses(sums: SimpleNamespace, name: str) -> None:
    weights = [1] * 40
    if name in WEIGHTED:
        random = Random(7)
        weights = [random.randint(1, 9) for _ in range(16)]
    total = sum(weights)
    for pair in ((0, total // 2), (total // 2, total), (total // 3, total // 2)):
        if pair in bounds(name, weights):
            formula = sums.encoded(name, weights, *pair)
            _, proof = sums.proved(name, weights, *pair, formula)
            assert proof.count(b";") < 8 * formula.num_clauses
