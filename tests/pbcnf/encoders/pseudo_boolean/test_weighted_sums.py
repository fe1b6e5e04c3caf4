"""Encoders of weighted sums: claims common to all, beyond the bounds that the contract examines.

`tests/pbcnf/encoders/test_contract.py` holds them to weights 1 and to the weights of the audit.
"""

import random
from itertools import product
from typing import Any

import pytest

from pbcnf import ENCODERS, EncodingSize, Propagation
from pbcnf.encoders.circuits.watchdog import WatchdogEncoder
from pbcnf.encoders.protocol import WeightedEncoder
from pbcnf.encoders.pseudo_boolean.adder import Adder

EVERY = [each for each in ENCODERS.values() if isinstance(each, WeightedEncoder)]
EVERY.append(Adder(equivalent=True))
BY_SUMS = [
    ENCODERS[name]
    for name in ("decision_diagram", "sequential_weight_counter", "generalized_totalizer")
]
"""Encoders whose size depends on the attainable sums, not on the length of the weights."""


def name_of(encoder):
    return f"{encoder.name} with equivalences" if encoder == EVERY[-1] else encoder.name


every_encoder = pytest.mark.parametrize("encoder", EVERY, ids=name_of)
by_sums = pytest.mark.parametrize("encoder", BY_SUMS, ids=name_of)


def is_right(weighted, encoder, weights, lower, upper):
    """Return the clauses; models are right, and of adders and watchdogs unique where claimed."""
    exact = not isinstance(encoder, Adder | WatchdogEncoder)
    return weighted.correct(encoder, weights, lower, upper, exact=exact)


@every_encoder
def test_any_weights_have_the_right_models_and_propagate_as_claimed(
    weighted, weighted_sums, encoder
):
    for weights, *both in weighted_sums[:40] + weighted_sums[-6:]:
        total = sum(weights)
        for lower, upper in {tuple(both), (0, both[1]), (both[0], total)} - {(0, total)}:
            clauses = is_right(weighted, encoder, weights, lower, upper)
            one = lower == 0 or upper == total
            claim = encoder.weighted_propagation if one else encoder.weighted_range_propagation
            if claim is not Propagation.NONE:
                conflicts, forced = weighted.missed(clauses, weights, lower, upper)
                assert not conflicts, (weights, lower, upper)
                assert not forced or claim is Propagation.DETECTS, (weights, lower, upper)


@pytest.mark.parametrize(
    ("name", "weights", "lower", "upper", "forced"),
    [("generalized_totalizer", (2, 2, 1), 2, 2, -3),
     ("generalized_totalizer", (2, 2, 2, 2, 1), 3, 3, None),
     ("sequential_weight_counter", (3, 2, 2, 2), 4, 4, -1),
     ("sequential_weight_counter", (3, 2, 2, 2, 2), 5, 5, None),
     ("mixed_radix_sorter", (1, 2, 3), 2, 3, None),
     ("global_polynomial_watchdog", (2, 3, 3), 4, 4, None),
     ("local_polynomial_watchdog", (2, 3, 3), 4, 4, None),
     ("binary_merge", (2, 3, 3), 4, 4, None), ("binary_merge_gac", (2, 3, 3), 4, 4, None)],
)  # fmt: skip
def test_what_only_both_bounds_imply_may_stay_open(weighted, name, weights, lower, upper, forced):
    """Nothing is claimed for two bounds: an input forced from the start or a conflict is missed."""
    clauses = weighted.correct(ENCODERS[name], weights, lower, upper, exact=False)
    conflicts, missed = weighted.missed(clauses, weights, lower, upper)
    assert ((0,) * len(weights), forced) in missed if forced else conflicts


@pytest.mark.parametrize(
    ("name", "weights"), [("mixed_radix_sorter", (1, 2, 3)), ("binary_merge", (1, 1, 3))]
)
def test_one_sum_of_all_inputs_finds_conflicts_but_not_every_forced_input(weighted, name, weights):
    clauses = weighted.correct(ENCODERS[name], weights, 0, 3)
    conflicts, missed = weighted.missed(clauses, weights, 0, 3)
    assert not conflicts
    assert ((1, 0, 0), -3) in missed


@by_sums
@pytest.mark.parametrize("weights", [(3, 3), (2, 2, 2), (2, 2, 2, 2)])
def test_equal_weights_are_arc_consistent_for_all_bounds(weighted, encoder, weights):
    for lower, upper in weighted.normal_bounds(weights):
        clauses = weighted.correct(encoder, weights, lower, upper)
        assert weighted.missed(clauses, weights, lower, upper) == ([], []), (lower, upper)


@by_sums
def test_bounds_that_no_sum_meets_have_no_model_and_a_diagram_has_the_empty_clause(
    weighted, encoder
):
    for case in (((3, 3), 5, 5), ((6, 4, 4, 4), 9, 9), ((9, 9, 9, 9, 2, 2), 14, 16)):
        clauses = weighted.correct(encoder, *case)
        assert clauses == [[]] or encoder.name != "decision_diagram"


@every_encoder
@pytest.mark.parametrize("weights", [(2**70 + 1, 2**70, 3, 2), (1, 2**300, 2**300 + 1, 5)])
def test_huge_weights_have_the_right_models(weighted, encoder, weights):
    total, most = sum(weights), max(weights)
    for upper in (most, most + 5, total - 3):
        is_right(weighted, encoder, weights, 0, upper)
        is_right(weighted, encoder, weights, total - upper, total)
        is_right(weighted, encoder, weights, total - most, upper)


@by_sums
def test_huge_weights_cost_nothing_where_few_sums_are_attainable(weighted, encoder):
    huge = 10**30
    weights = [huge] * 4 + [1] * 3
    for lower, upper in [(0, 2 * huge + 1), (2 * huge, 2 * huge + 2), (huge, 3 * huge)]:
        assert len(weighted.correct(encoder, weights, lower, upper)) < 150


@every_encoder
def test_the_predicted_size_is_the_emitted_size_of_larger_sums(weighted, encoder):
    rng = random.Random(3)
    for n in (9, 12, 15):
        # Sums of small weights are few; long weights are for encoders that look at their digits.
        most = 11 if encoder in BY_SUMS else 10**6
        weights = [rng.choice([1, 2, 6, rng.randint(1, most)]) for _ in range(n)]
        total, most = sum(weights), max(weights)
        upper = rng.randint(most, total - 1)
        weighted.clauses_of(encoder, weights, 0, upper)
        weighted.clauses_of(encoder, weights, rng.randint(1, total - most), total)
        weighted.clauses_of(encoder, weights, rng.randint(1, min(total - most, upper)), upper)
    if encoder.name != "local_polynomial_watchdog":
        for lower, upper in [(0, 7), (30, 40), (13, 29), (1, 39), (20, 20)]:
            weighted.clauses_of(encoder, [1] * 40, lower, upper)


@by_sums
@pytest.mark.parametrize(("lower", "upper"), [(0, 6), (4, 6)])
def test_thousands_of_inputs_with_small_bounds_are_no_recursion(weighted, encoder, lower, upper):
    weighted.clauses_of(encoder, [1 + i % 4 for i in range(2000)], lower, upper)


def test_only_attainable_sums_become_outputs_of_a_generalized_totalizer():
    totalizer: Any = ENCODERS["generalized_totalizer"]
    # The published example: of 3, 3 at most one, 3; below 3, 2 the sums 2, 3 and 5.
    assert totalizer.weighted_size((2, 3, 3, 3), 0, 5).variables == 1 + 3
    # 8 equal halves of a sum, whatever they weigh: as many outputs as there are counts.
    for w in (1, 7, 10**30):
        assert totalizer.weighted_size((w,) * 8, 0, 4 * w) == totalizer.size(8, 0, 4)


def test_weights_one_never_take_more_than_the_totalizer():
    generalized, totalizer = ENCODERS["generalized_totalizer"], ENCODERS["totalizer"]
    for n in [2, 3, 5, 8, 9, 12, 16, 40]:
        for lower, upper in product(range(n), range(1, n + 1)):
            if lower <= upper and (lower, upper) != (0, n):
                found, other = (each.size(n, lower, upper) for each in (generalized, totalizer))
                assert found.variables <= other.variables, (n, lower, upper)


def test_a_sequential_weight_counter_of_equal_weights_takes_what_the_knuth_counter_takes(weighted):
    counter, knuth = ENCODERS["sequential_weight_counter"], ENCODERS["knuth_counter"]
    for n in range(2, 13):
        for lower, upper in weighted.normal_bounds([1] * n):
            weighted.clauses_of(counter, [1] * n, lower, upper)
            clause = (lower, upper) in [(0, n - 1), (1, n)]
            expected = EncodingSize(0, 1, n) if clause else knuth.size(n, lower, upper)
            assert counter.size(n, lower, upper) == expected


def test_the_published_bounds_on_the_size_of_a_sequential_weight_counter_hold():
    counter: Any = ENCODERS["sequential_weight_counter"]
    rng = random.Random(2)
    for _ in range(200):
        weights = rng.choices(range(1, 30), k=rng.randint(2, 12))
        bound = rng.randint(max(weights), sum(weights))
        size = counter.weighted_size(weights, 0, bound)
        assert size.variables <= (len(weights) - 1) * bound
        assert size.clauses <= 2 * size.variables + len(weights)
    # No sum of 7 and 7 lies in 12..13: an input of weight 2 never makes the difference to 14.
    assert counter.weighted_size((7, 7, 2, 2, 2), 0, 15).variables == 2
