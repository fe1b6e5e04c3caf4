"""Intervals of proportions meet what defines them, found here by sums and searches of their own."""

from fractions import Fraction
from math import comb, log, sqrt

import numpy as np
import pytest

from satsweeper.compare.statistics.intervals import PairedCounts, wilson
from satsweeper.compare.statistics.signed_rank import equally_often

Z = 1.959963984540054
COUNTS = [(0, 10), (10, 10), (1, 7), (381, 1000), (38_100, 100_000), (99_999, 100_000)]
PAIRS = [
    PairedCounts(36, 12, 2, 0),
    PairedCounts(1, 1, 7, 12),
    PairedCounts(43, 1, 0, 0),
    PairedCounts(300, 60, 50, 590),
    PairedCounts(19_000, 1_200, 900, 28_900),
    PairedCounts(3, 3, 3, 3),
]


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


def test_without_trials_nothing_is_known():
    assert wilson(0, 0) == (0, 1)
    assert PairedCounts(0, 0, 0, 0).interval() == (-1, 1)
    assert PairedCounts(0, 0, 0, 0).mcnemar() == 1


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
def test_the_ends_of_a_paired_interval_are_as_far_as_the_score_test_allows(pairs):
    n = pairs.n
    low, high = pairs.interval()
    assert -1 <= low <= pairs.difference <= high <= 1
    for end, sign in ((low, 1), (high, -1)):
        variance = (2 * likeliest(pairs, end) + end * (1 - end)) / n
        score = (pairs.difference - end) / sqrt(variance)
        assert score == pytest.approx(sign * Z, rel=1e-4)


def test_a_paired_interval_of_many_pairs_is_the_normal_one():
    pairs = PairedCounts(190_000, 12_000, 9_000, 289_000)
    b, c, n = pairs.first / pairs.n, pairs.second / pairs.n, pairs.n
    half = Z * sqrt((b + c - (b - c) ** 2) / n)
    assert pairs.interval() == pytest.approx((b - c - half, b - c + half), rel=1e-3)


def test_a_paired_interval_turns_with_its_pairs():
    for pairs in PAIRS:
        turned = PairedCounts(pairs.both, pairs.second, pairs.first, pairs.neither)
        low, high = pairs.interval()
        assert turned.interval() == pytest.approx((-high, -low), abs=1e-12)


def test_a_paired_interval_holds_the_truth_as_often_as_it_says():
    draw = np.random.default_rng(5)
    chances = [0.33, 0.06, 0.04, 0.57]
    samples = draw.multinomial(2_000, chances, size=1_500)
    intervals = [PairedCounts(*map(int, each)).interval() for each in samples]
    held = sum(low <= 0.02 <= high for low, high in intervals)
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
    assert equally_often(50_000, 50_000) == 1.0
    assert 0 <= equally_often(60_000, 40_000) < 1e-300
    assert equally_often(50_300, 49_700) == pytest.approx(0.0583, rel=0.01)
