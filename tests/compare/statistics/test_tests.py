"""Signed ranks, signs, Holm's correction and intervals, against tables and plain enumeration."""

from fractions import Fraction
from itertools import product
from math import comb, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satsweeper.compare.statistics.intervals import interval, interval_of_mean
from satsweeper.compare.statistics.signed_rank import EXACT_UP_TO, holm, sign_test, signed_rank

TABLE = {
    6: (0, None), 7: (2, None), 8: (3, 0), 9: (5, 1), 10: (8, 3), 11: (10, 5), 12: (13, 7),
    13: (17, 9), 14: (21, 12), 15: (25, 15), 16: (29, 19), 17: (34, 23), 18: (40, 27),
    19: (46, 32), 20: (52, 37), 21: (58, 42), 22: (65, 48), 23: (73, 54), 24: (81, 61),
    25: (89, 68), 30: (137, 109), 40: (264, 220), 50: (434, 373),
}  # fmt: skip
"""Sample size -> the largest smaller rank sum that is significant at 5 % and 1 %, two-sided.

As in the tables of textbooks (for example Siegel and Castellan; Zar, table B.12).
"""


def with_rank_sum(n, target):
    """Differences 1 to n in size whose positive ranks sum to ``target``."""
    signs = np.full(n, -1.0)
    for rank in range(n, 0, -1):
        if rank <= target:
            signs[rank - 1], target = 1.0, target - rank
    assert target == 0
    return signs * np.arange(1, n + 1)


@pytest.mark.parametrize("n", TABLE)
def test_critical_values_are_those_of_the_published_table(n):
    for level, critical in zip((0.05, 0.01), TABLE[n], strict=True):
        if critical is None:
            assert signed_rank(with_rank_sum(n, 0)).p > level
        else:
            assert signed_rank(with_rank_sum(n, critical)).p <= level
            assert signed_rank(with_rank_sum(n, critical + 1)).p > level


def by_enumeration(differences):
    """The two-sided p-value over all assignments of signs to the ranks; zeros left out."""
    found = [d for d in differences if d]
    sizes = sorted(abs(d) for d in found)
    rank = {s: sum(at for at, x in enumerate(sizes, 1) if x == s) / sizes.count(s) for s in sizes}
    ranks = [rank[abs(d)] for d in found]
    seen = sum(r for r, d in zip(ranks, found, strict=True) if d > 0)
    seen = min(seen, sum(ranks) - seen)
    sums = [sum(r for r, up in zip(ranks, ups, strict=True) if up)
            for ups in product((0, 1), repeat=len(found))]  # fmt: skip
    return min(1.0, 2 * sum(s <= seen for s in sums) / len(sums))


@given(st.lists(st.integers(-4, 4), max_size=9))
@settings(max_examples=150, deadline=None)
def test_ties_and_zeros_are_exact_for_few_differences(differences):
    found = signed_rank(np.array(differences, dtype=float))
    assert found.p == pytest.approx(by_enumeration(differences))
    assert found.n == sum(d != 0 for d in differences)
    assert found.positive + found.negative == found.n * (found.n + 1) / 2


@given(st.lists(st.integers(-30, 30), min_size=1, max_size=100))
@settings(max_examples=60, deadline=None)
def test_turning_all_differences_round_changes_nothing_but_the_side(differences):
    one = signed_rank(np.array(differences, dtype=float))
    other = signed_rank(-np.array(differences, dtype=float))
    assert (one.p, one.positive, one.negative) == (other.p, other.negative, other.positive)
    assert sign_test(np.array(differences)) == sign_test(-np.array(differences))


@pytest.mark.parametrize("tied", [False, True])
def test_the_approximation_takes_over_without_a_step(monkeypatch, tied):
    rng = np.random.default_rng(1)
    for shift in (0.0, 0.2, 0.4):
        differences = rng.normal(shift, 1, EXACT_UP_TO)
        if tied:
            differences = np.round(differences * 2) / 2
        exact = signed_rank(differences).p
        monkeypatch.setattr("satsweeper.compare.statistics.signed_rank.EXACT_UP_TO", 0)
        assert signed_rank(differences).p == pytest.approx(exact, rel=0.05, abs=0.002)
        monkeypatch.undo()


def test_nothing_is_shown_by_no_differences():
    assert signed_rank(np.zeros(5)).p == signed_rank(np.array([])).p == 1.0
    assert sign_test(np.zeros(5)) == 1.0


@pytest.mark.parametrize(("ups", "downs"), [(0, 6), (1, 9), (5, 5), (14, 6), (0, 1), (2100, 1900)])
def test_signs_follow_the_binomial_distribution(ups, downs):
    n = ups + downs
    differences = np.array([1.0] * ups + [-2.0] * downs + [0.0] * 3)
    tail = Fraction(sum(comb(n, k) for k in range(min(ups, downs) + 1)), 2**n)
    assert sign_test(differences) == pytest.approx(min(1.0, 2 * float(tail)), rel=1e-9)


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_rejects_what_the_step_down_rule_rejects(p_values):
    adjusted = holm(p_values)
    for level in (0.01, 0.05, 0.3):
        rejected = set()
        for p in sorted(p_values):
            if p * (len(p_values) - len(rejected)) < level:
                rejected.add(len(rejected))
            else:
                break
        assert sum(a < level for a in adjusted) == len(rejected)
    order = sorted(range(len(p_values)), key=lambda at: p_values[at])
    assert [adjusted[at] for at in order] == sorted(adjusted)
    assert all(p <= a <= 1 for p, a in zip(p_values, adjusted, strict=True))


@pytest.mark.parametrize("n", [6, 10, 20, 60])
def test_intervals_hold_the_true_mean_in_about_95_of_100_samples(n):
    rng = np.random.default_rng(n)
    samples = rng.normal(3.0, 2.0, (600, n))
    hits = sum(low <= 3.0 <= high for low, high in map(interval_of_mean, samples))
    assert 0.92 <= hits / len(samples) <= 0.98


def test_an_interval_is_the_same_every_time_and_that_of_the_normal_in_the_limit():
    numbers = np.random.default_rng(0).exponential(1.0, 4000)
    low, high = interval_of_mean(numbers)
    assert (low, high) == interval_of_mean(numbers.copy())
    limit = interval_of_mean(np.concatenate([numbers, numbers]))
    half = 1.96 * float(np.std(numbers)) / sqrt(len(numbers))
    assert (high - low) / 2 == pytest.approx(half, rel=0.05)
    assert (limit[1] - limit[0]) / 2 == pytest.approx(half / sqrt(2), rel=0.01)


def test_one_instance_says_nothing_of_others():
    assert interval_of_mean(np.array([2.0])) == (-np.inf, np.inf)
    assert interval(3, lambda draws: np.full(len(draws), np.nan), 0.0) == (-np.inf, np.inf)
