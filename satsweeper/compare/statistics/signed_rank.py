"""Tests of paired differences: signed ranks, signs alone, Holm's correction of several tests.

F. Wilcoxon, Individual comparisons by ranking methods, Biometrics Bulletin 1 (1945) 80-83. As in
this paper, zeros are left out. Equal differences share the mean of their ranks, also in the null
distribution, in which all assignments of signs to the ranks are equally likely.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import erfc, exp, lgamma, log, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

EXACT_UP_TO: Final = 60
"""The most non-zero differences for which the distribution of rank sums is computed exactly."""

_NOTHING: Final = 1e-17


@dataclass(frozen=True, slots=True)
class SignedRank:
    """The result of a signed-rank test.

    ``n``: number of non-zero differences. ``positive``, ``negative``: sums of the ranks of positive
    and negative differences. ``p``: two-sided p-value.
    """

    n: int
    positive: float
    negative: float
    p: float


def signed_rank(differences: NDArray[np.float64]) -> SignedRank:
    """Wilcoxon's signed-rank test that differences are symmetric about 0.

    Exact up to 60 non-zero differences, with or without ties; then the normal approximation with
    the variance corrected for ties and a continuity correction.
    """
    found = differences[differences != 0]
    n = len(found)
    if n == 0:
        return SignedRank(0, 0.0, 0.0, 1.0)
    # Doubled ranks, from 1: equal sizes share the mean of their ranks, a multiple of 1/2.
    _, inverse, counts = np.unique(np.abs(found), return_inverse=True, return_counts=True)
    twice: NDArray[np.int64] = (2 * np.cumsum(counts) - counts + 1)[inverse]
    positive = int(np.sum(twice[found > 0]))
    whole = int(np.sum(twice))
    smaller = min(positive, whole - positive)
    p = _exact(twice, smaller) if n <= EXACT_UP_TO else _normal(twice, smaller)
    return SignedRank(n, positive / 2, (whole - positive) / 2, min(1.0, p))


def sign_test(differences: NDArray[np.float64]) -> float:
    """The two-sided p-value that positive and negative differences are equally likely."""
    return equally_often(
        int(np.count_nonzero(differences > 0)), int(np.count_nonzero(differences < 0))
    )


def equally_often(first: int, second: int) -> float:
    """The exact two-sided p-value that outcomes seen `first` and `second` times are as likely."""
    # The chance of k or fewer heads in n throws of a fair coin, from the largest term down: each
    # term is the previous term times k / (n - k + 1). The logarithm of the largest term cannot
    # underflow.
    n, k = first + second, min(first, second)
    largest = lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) - n * log(2)
    tail = term = 1.0
    while k and term > _NOTHING * tail:
        term *= k / (n - k + 1)
        tail += term
        k -= 1
    return min(1.0, 2 * exp(largest) * tail)


def _exact(twice: NDArray[np.int64], smaller: int) -> float:
    # chance[s] is the chance that the doubled ranks of positive differences, among the ranks seen
    # so far, sum to s. The next rank adds to s or not, each with chance 1/2.
    chance = np.zeros(int(np.sum(twice)) + 1)
    chance[0] = 1.0
    for rank in twice:
        chance[rank:] = (chance[rank:] + chance[: len(chance) - rank]) / 2
        chance[:rank] /= 2
    return 2 * float(np.sum(chance[: smaller + 1]))


def _normal(twice: NDArray[np.int64], smaller: int) -> float:
    ranks = twice / 2
    mean = float(np.sum(ranks)) / 2
    # The variance of a sum of independent terms, each a rank or 0; tied ranks are in the sum.
    deviation = sqrt(float(np.sum(ranks**2)) / 4)
    return erfc(max((mean - smaller / 2 - 0.5) / deviation, 0.0) / sqrt(2))


# The least p-value of n differences is 2 / 2^n, if all have one sign. With few instances and many
# comparisons no difference can pass the correction, and reports say so. Bounds of this kind: R. E.
# Tarone, A modified Bonferroni method for discrete data, Biometrics 46 (1990) 515-522.


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values adjusted by Holm's step-down method, in the order given.

    If differences with adjusted p-values below 0.05 are claimed, at most 5 % of sweeps make a false
    claim, however the tests depend on each other. S. Holm, A simple sequentially rejective multiple
    test procedure, Scandinavian Journal of Statistics 6 (1979) 65-70.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted = [1.0] * len(p_values)
    reached = 0.0
    for done, at in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        reached = max(reached, min(1.0, p_values[at] * (len(p_values) - done)))
        adjusted[at] = reached
    return adjusted


SIGNIFICANT: Final = 0.05
"""The bound below which a corrected p-value makes a claim."""


def smallest_p(instances: int) -> float:
    """Return the least two-sided p-value of the signed-rank test with ``instances`` differences.

    >>> smallest_p(5), smallest_p(6)
    (0.0625, 0.03125)
    """
    return 2.0 ** (1 - instances) if instances else 1.0


def smallest_corrected(instances: Sequence[int]) -> list[float]:
    """The least p-value of each of these tests after Holm's correction over all of them.

    Args:
        instances: the number of instances of each test.

    Larger p-values of other tests do not give a smaller value: a test then moves forward in the
    order, and its factor grows.
    """
    return holm([smallest_p(each) for each in instances])


def instances_needed(comparisons: int) -> int:
    """Return the least number of instances with which one of ``comparisons`` tests can pass.


    With Holm's correction: the least n with comparisons * 2 / 2^n < 0.05, exactly.

    >>> instances_needed(1), instances_needed(30)
    (6, 11)
    """
    # The least n with 2^n above a number is the number of its binary digits.
    return int(comparisons * 2 / Fraction(str(SIGNIFICANT))).bit_length()
