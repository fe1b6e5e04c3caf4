"""Intervals of a proportion, and of the difference of two proportions of paired trials.

Everything is of 95 %. With so many pairs as a table of wins is about, no interval here is exact,
and none needs to be: both are score intervals, which stay within what a proportion can be.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import copysign, inf, sqrt
from typing import Final

from satsweeper.compare.statistics.signed_rank import equally_often

_Z: Final = 1.959963984540054
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
    p, z2 = successes / trials, _Z * _Z
    middle = (p + z2 / (2 * trials)) / (1 + z2 / trials)
    half = _Z * sqrt(p * (1 - p) / trials + z2 / (4 * trials**2)) / (1 + z2 / trials)
    # Rounding must not leave out what was seen.
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
        the score test does not reject. It depends on the pairs that differ, and on how many there
        are in all.

        >>> tuple(round(end, 4) for end in PairedCounts(36, 12, 2, 0).interval())
        (0.0611, 0.3447)
        """
        if not self.n:
            return -1.0, 1.0
        middle = self.difference
        return (
            _border(middle, -1.0, lambda d: self._score(d) <= _Z),
            _border(middle, 1.0, lambda d: self._score(d) >= -_Z),
        )

    def _score(self, difference: float) -> float:
        """Tango's statistic for a difference, above 0 where more was seen; falls with it."""
        n, b, c = self.n, self.first, self.second
        # The chance of a pair where only the second succeeds, at its likeliest.
        linear = -b - c + (2 * n - b + c) * difference
        constant = -c * difference * (1 - difference)
        root = sqrt(max(linear * linear - 8 * n * constant, 0.0))
        # Either form of the root loses all digits where the other is sound.
        likeliest = -2 * constant / (root + linear) if linear > 0 else (root - linear) / (4 * n)
        variance = n * (2 * likeliest + difference * (1 - difference))
        above = b - c - n * difference
        if variance <= 0:
            return 0.0 if not above else copysign(inf, above)
        return above / sqrt(variance)

    def mcnemar(self) -> float:
        """The two-sided p-value that both succeed equally often, by the sign of what differs.

        Q. McNemar, Note on the sampling error of the difference between correlated proportions or
        percentages, Psychometrika 12 (1947) 153-157; the exact test, a sum of binomial chances.
        """
        return equally_often(self.first, self.second)


def _border(inside: float, outside: float, holds: Callable[[float], bool]) -> float:
    """Where something ends to hold between a number and the farthest that there can be."""
    if holds(outside):
        return outside
    for _ in range(_HALVINGS):
        middle = (inside + outside) / 2
        if holds(middle):
            inside = middle
        else:
            outside = middle
    return inside
