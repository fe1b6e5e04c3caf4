"""Intervals: of means over instances, of a proportion, of the difference of two proportions.

The intervals of proportions are of 95 %, and approximate, which is enough for the numbers of pairs
in a table of wins. Both are score intervals, which stay within the range of a proportion.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import copysign, inf, sqrt
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from satsweeper.compare.statistics.signed_rank import equally_often

# Intervals of means by resampling. Runs on one instance are not independent, so whole instances are
# drawn again, with all their measurements. Equal numbers give equal intervals.

RESAMPLES: Final = 2000
_SEED: Final = 20_240_229
_MANY: Final = 5000
Level = Literal[95, 99]
"""The confidence level of an interval, in per cent."""

_Z: Final[dict[Level, float]] = {95: 1.959964, 99: 2.575829}
"""Quantiles of the normal distribution."""

Draws = NDArray[np.float64]
"""Shape (resamples, instances): how often each instance was drawn."""


def interval_of_mean(numbers: NDArray[np.float64], level: Level = 95) -> tuple[float, float]:
    """An interval for the mean of `numbers`, one for each instance; unbounded for fewer than 2.

    With more than 5000 instances the interval is by the normal distribution, the limit of
    resampling.
    """
    n = len(numbers)
    if n < 2:
        return -np.inf, np.inf
    if n > _MANY:
        mean, half = float(np.mean(numbers)), _Z[level] * float(np.std(numbers, ddof=1)) / sqrt(n)
        return mean - half, mean + half
    return interval(n, lambda draws: draws @ numbers / n, float(np.mean(numbers)), level)


def interval(
    instances: int,
    statistic: Callable[[Draws], NDArray[np.float64]],
    value: float,
    level: Level = 95,
) -> tuple[float, float]:
    """An interval for a statistic of weighted instances.

    The percentile interval, widened about ``value`` by t/z and sqrt(n/(n-1)): unwidened, the
    interval is too narrow for few instances. T. Hesterberg, What teachers should know about the
    bootstrap, The American Statistician 69 (2015) 371-386.

    Args:
        instances: the number of instances; with fewer than 2 the interval is unbounded.
        statistic: returns a number for each row of draws; NaN for a resample without a statistic.
        value: the statistic of the instances themselves.
        level: the share of such intervals, in per cent, that hold the true value.
    """
    if instances < 2:
        return -np.inf, np.inf
    found = statistic(_draws(instances))
    found = found[np.isfinite(found)]
    if len(found) < RESAMPLES // 2:
        return -np.inf, np.inf
    tail = (100 - level) / 200
    low, high = np.quantile(found, [tail, 1 - tail])
    wider = _student(instances - 1, level) / _Z[level] * sqrt(instances / (instances - 1))
    return value + wider * (float(low) - value), value + wider * (float(high) - value)


@lru_cache(maxsize=4)
def _draws(instances: int) -> Draws:
    generator = np.random.default_rng([_SEED, instances])
    even = np.full(instances, 1 / instances)
    return generator.multinomial(instances, even, size=RESAMPLES).astype(np.float64)


def _student(freedom: int, level: Level) -> float:
    """The upper quantile of Student's t for an interval, by the expansion of Cornish and Fisher.

    Within 2 % from 3 degrees of freedom on (95 %), from 7 on (99 %). Abramowitz and Stegun, 26.7.5.
    """
    z = _Z[level]
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


_PROPORTIONS_Z: Final = 1.959963984540054
"""The 97.5 % point of the normal distribution."""
_HALVINGS: Final = 60


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """The score interval of a proportion; all of 0 to 1 without trials.

    E. B. Wilson, Probable inference, the law of succession, and statistical inference, Journal of
    the American Statistical Association 22 (1927) 209-212.

    >>> tuple(round(end, 4) for end in wilson(81, 263))
    (0.2553, 0.3662)
    """
    if not trials:
        return 0.0, 1.0
    p, z2 = successes / trials, _PROPORTIONS_Z * _PROPORTIONS_Z
    middle = (p + z2 / (2 * trials)) / (1 + z2 / trials)
    half = _PROPORTIONS_Z * sqrt(p * (1 - p) / trials + z2 / (4 * trials**2)) / (1 + z2 / trials)
    # Rounding must not exclude the observed proportion.
    return max(min(middle - half, p), 0.0), min(max(middle + half, p), 1.0)


@dataclass(frozen=True, slots=True)
class PairedCounts:
    """Counts of pairs of trials: both succeeded, only the first, only the second, neither."""

    both: int
    first: int
    second: int
    neither: int

    @property
    def n(self) -> int:
        """The number of pairs."""
        return self.both + self.first + self.second + self.neither

    @property
    def difference(self) -> float:
        """The proportion of the first minus the proportion of the second; 0 without pairs."""
        return (self.first - self.second) / self.n if self.n else 0.0

    def interval(self) -> tuple[float, float]:
        """The score interval of the difference; all of -1 to 1 without pairs.

        T. Tango, Equivalence test and confidence interval for the difference in proportions for
        the paired-sample design, Statistics in Medicine 17 (1998) 891-908: all differences that
        the score test does not reject. It depends on ``first``, ``second`` and ``n`` only.

        >>> tuple(round(end, 4) for end in PairedCounts(36, 12, 2, 0).interval())
        (0.0611, 0.3447)
        """
        if not self.n:
            return -1.0, 1.0
        middle = self.difference
        return (
            _border(middle, -1.0, lambda d: self._score(d) <= _PROPORTIONS_Z),
            _border(middle, 1.0, lambda d: self._score(d) >= -_PROPORTIONS_Z),
        )

    def _score(self, difference: float) -> float:
        """Tango's statistic, which falls with ``difference``; 0 at the observed difference."""
        n, b, c = self.n, self.first, self.second
        # The maximum likelihood estimate of the chance of a pair where only the second succeeds.
        linear = -b - c + (2 * n - b + c) * difference
        constant = -c * difference * (1 - difference)
        root = sqrt(max(linear * linear - 8 * n * constant, 0.0))
        # The sign of `linear` decides which form of the root avoids cancellation.
        likeliest = -2 * constant / (root + linear) if linear > 0 else (root - linear) / (4 * n)
        variance = n * (2 * likeliest + difference * (1 - difference))
        above = b - c - n * difference
        if variance <= 0:
            return 0.0 if not above else copysign(inf, above)
        return above / sqrt(variance)

    def mcnemar(self) -> float:
        """The two-sided p-value that both succeed equally often, by the pairs that differ.

        Q. McNemar, Note on the sampling error of the difference between correlated proportions or
        percentages, Psychometrika 12 (1947) 153-157; the exact test, a sum of binomial chances.
        """
        return equally_often(self.first, self.second)


def _border(inside: float, outside: float, holds: Callable[[float], bool]) -> float:
    """Return the last point from ``inside`` to ``outside`` where ``holds`` is true: bisection."""
    if holds(outside):
        return outside
    for _ in range(_HALVINGS):
        middle = (inside + outside) / 2
        if holds(middle):
            inside = middle
        else:
            outside = middle
    return inside
