"""Signed ranks, signs, Holm's correction and intervals, against tables and plain enumeration."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb, log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satsweeper.compare.statistics import intervals
from satsweeper.compare.statistics import signed_rank as ranks
from satsweeper.compare.statistics.intervals import PairedCounts, interval, interval_of_mean, wilson
from satsweeper.compare.statistics.signed_rank import holm, sign_test, signed_rank, smallest_p

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
    found = -np.arange(1.0, n + 1)
    for rank in range(n, 0, -1):
        if rank <= target:
            found[rank - 1], target = rank, target - rank
    assert target == 0
    return found


@pytest.mark.parametrize("n", TABLE)
def test_critical_values_are_those_of_the_published_table(n):
    for level, critical in zip((0.05, 0.01), TABLE[n], strict=True):
        smallest = -1 if critical is None else critical
        assert smallest < 0 or signed_rank(with_rank_sum(n, smallest)).p <= level
        assert signed_rank(with_rank_sum(n, smallest + 1)).p > level


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
        differences = rng.normal(shift, 1, ranks.EXACT_UP_TO)
        if tied:
            differences = np.round(differences * 2) / 2
        exact = signed_rank(differences).p
        monkeypatch.setattr(ranks, "EXACT_UP_TO", 0)
        assert signed_rank(differences).p == pytest.approx(exact, rel=0.05, abs=0.002)
        monkeypatch.undo()


def test_nothing_is_known_without_data():
    assert wilson(0, 0) == (0, 1)
    assert PairedCounts(0, 0, 0, 0).interval() == (-1, 1)
    assert PairedCounts(0, 0, 0, 0).mcnemar() == 1
    assert interval_of_mean(np.array([2.0])) == (-np.inf, np.inf)
    assert interval(3, lambda draws: np.full(len(draws), np.nan), 0.0) == (-np.inf, np.inf)
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
        rejected = 0
        for p in sorted(p_values):
            if p * (len(p_values) - rejected) >= level:
                break
            rejected += 1
        assert sum(a < level for a in adjusted) == rejected
    order = sorted(range(len(p_values)), key=lambda at: p_values[at])
    assert [adjusted[at] for at in order] == sorted(adjusted)
    assert all(p <= a <= 1 for p, a in zip(p_values, adjusted, strict=True))


def test_students_quantiles_are_within_two_per_cent_of_the_published_table():
    published = {
        95: {3: 3.182, 4: 2.776, 5: 2.571, 7: 2.365, 10: 2.228, 15: 2.131, 30: 2.042},
        99: {7: 3.499, 8: 3.355, 10: 3.169, 15: 2.947, 20: 2.845, 30: 2.750, 60: 2.660},
    }
    for level, quantiles in published.items():
        for freedom, quantile in quantiles.items():
            assert intervals._student(freedom, level) == pytest.approx(quantile, rel=0.02)


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


def outcomes(n: int) -> set[Fraction]:
    """Every two-sided p-value of n signed ranks: all signs are equally likely."""
    sums = Counter(
        sum(rank for rank, sign in enumerate(signs, start=1) if sign)
        for signs in product((False, True), repeat=n)
    )
    whole = n * (n + 1) // 2
    found = set()
    for positive in sums:
        smaller = min(positive, whole - positive)
        tail = sum(count for each, count in sums.items() if each <= smaller)
        found.add(min(Fraction(2 * tail, 2**n), Fraction(1)))
    return found


def corrected(p_values: tuple[Fraction, ...]) -> list[Fraction]:
    """Holm, from its definition: a test passes at a level if all with a smaller p-value do."""
    ordered = sorted(range(len(p_values)), key=lambda at: p_values[at])
    steps = [min(Fraction(1), p_values[at] * (len(p_values) - i)) for i, at in enumerate(ordered)]
    return [max(steps[: ordered.index(at) + 1]) for at in range(len(p_values))]


@pytest.mark.parametrize("n", range(1, 13))
def test_no_outcome_of_so_many_differences_has_a_smaller_p_value(n: int) -> None:
    assert smallest_p(n) == min(outcomes(n))
    assert smallest_p(0) == 1


@pytest.mark.parametrize("comparisons", [1, 2, 5, 6, 25, 26, 30, 51, 52, 100])
def test_so_many_instances_are_needed_and_one_fewer_is_not_enough(comparisons: int) -> None:
    level = Fraction(str(ranks.SIGNIFICANT))

    def can(n: int) -> bool:
        best = min(outcomes(n))
        return min(corrected((best,) * comparisons)) < level

    needed = ranks.instances_needed(comparisons)
    assert can(needed)
    assert not any(map(can, range(1, needed)))


@pytest.mark.parametrize("sizes", [(1,), (3, 3), (1, 4), (4, 2, 3), (2, 2, 4), (3, 1, 1)])
def test_no_outcome_of_all_tests_together_is_smaller_after_the_correction(sizes) -> None:
    every = [corrected(found) for found in product(*map(outcomes, sizes))]
    least = [min(found[at] for found in every) for at in range(len(sizes))]
    assert ranks.smallest_corrected(sizes) == [float(each) for each in least]


Z = 1.959963984540054
COUNTS = [(0, 10), (10, 10), (1, 7), (381, 1000), (38_100, 100_000), (99_999, 100_000)]
PAIRS = [
    PairedCounts(36, 12, 2, 0), PairedCounts(1, 1, 7, 12), PairedCounts(43, 1, 0, 0),
    PairedCounts(300, 60, 50, 590), PairedCounts(19_000, 1_200, 900, 28_900),
    PairedCounts(3, 3, 3, 3),
]  # fmt: skip


@pytest.mark.parametrize(("won", "games"), COUNTS)
def test_the_ends_of_a_wilson_interval_are_as_far_as_the_score_test_allows(won, games):
    low, high = wilson(won, games)
    p = won / games
    assert 0 <= low <= p <= high <= 1
    for end in (low, high):
        if 0 < end < 1:
            assert abs(p - end) == pytest.approx(Z * sqrt(end * (1 - end) / games))
        else:
            assert p == end


def test_a_wilson_interval_holds_the_truth_as_often_as_it_says():
    games, truth = 400, 0.38
    held = sum(
        comb(games, won) * truth**won * (1 - truth) ** (games - won)
        for won in range(games + 1)
        if wilson(won, games)[0] <= truth <= wilson(won, games)[1]
    )
    assert held == pytest.approx(0.95, abs=0.01)


def likeliest(pairs: PairedCounts, difference: float) -> float:
    """The chance that only the second succeeds, by a search: the chances differ by so much."""
    b, c, same = pairs.first, pairs.second, pairs.both + pairs.neither
    low, high = max(0.0, -difference), (1 - difference) / 2

    def likelihood(q: float) -> float:
        chances = (q + difference, q, 1 - 2 * q - difference)
        return sum(n * log(max(p, 1e-300)) for n, p in zip((b, c, same), chances, strict=True) if n)

    for _ in range(200):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        if likelihood(left) < likelihood(right):
            low = left
        else:
            high = right
    return (low + high) / 2


@pytest.mark.parametrize("pairs", PAIRS)
def test_the_ends_of_a_paired_interval_are_as_far_as_the_score_test_allows_and_turn(pairs):
    n = pairs.n
    low, high = pairs.interval()
    assert -1 <= low <= pairs.difference <= high <= 1
    for end, sign in ((low, 1), (high, -1)):
        variance = (2 * likeliest(pairs, end) + end * (1 - end)) / n
        score = (pairs.difference - end) / sqrt(variance)
        assert score == pytest.approx(sign * Z, rel=1e-4)
    turned = PairedCounts(pairs.both, pairs.second, pairs.first, pairs.neither)
    assert turned.interval() == pytest.approx((-high, -low), abs=1e-12)


def test_a_paired_interval_of_many_pairs_is_the_normal_one():
    pairs = PairedCounts(190_000, 12_000, 9_000, 289_000)
    b, c, n = pairs.first / pairs.n, pairs.second / pairs.n, pairs.n
    half = Z * sqrt((b + c - (b - c) ** 2) / n)
    assert pairs.interval() == pytest.approx((b - c - half, b - c + half), rel=1e-3)


def test_a_paired_interval_holds_the_truth_as_often_as_it_says():
    draw = np.random.default_rng(5)
    chances = [0.33, 0.06, 0.04, 0.57]
    samples = draw.multinomial(2_000, chances, size=1_500)
    found = [PairedCounts(*map(int, each)).interval() for each in samples]
    held = sum(low <= 0.02 <= high for low, high in found)
    # Four standard deviations about 0.95.
    assert abs(held / 1_500 - 0.95) < 4 * sqrt(0.95 * 0.05 / 1_500)


@pytest.mark.parametrize(
    ("first", "second"), [(0, 0), (1, 0), (3, 3), (12, 2), (2, 12), (40, 60), (700, 800), (0, 60)]
)
def test_mcnemars_p_is_a_sum_of_binomial_chances(first, second):
    n = first + second
    as_far = [k for k in range(n + 1) if abs(2 * k - n) >= abs(first - second)]
    p = sum(Fraction(comb(n, k), 2**n) for k in as_far)
    assert PairedCounts(5, first, second, 7).mcnemar() == pytest.approx(float(p), rel=1e-9)


def test_a_p_value_of_very_many_pairs_is_still_one():
    assert ranks.equally_often(50_000, 50_000) == 1.0
    assert 0 <= ranks.equally_often(60_000, 40_000) < 1e-300
    assert ranks.equally_often(50_300, 49_700) == pytest.approx(0.0583, rel=0.01)
