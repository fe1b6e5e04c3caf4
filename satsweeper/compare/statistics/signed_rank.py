"""Tests of paired differences: Wilcoxon's signed ranks, and signs alone.

F. Wilcoxon, Individual comparisons by ranking methods, Biometrics Bulletin 1 (1945) 80-83. Zeros
are left out, as there. Equal differences share the mean of their ranks, and the null distribution
takes that into account: all assignments of signs to these very ranks are equally likely.
"""

from dataclasses import dataclass
from math import erfc, exp, lgamma, log, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

EXACT_UP_TO: Final = 60
"""Non-zero differences up to which the distribution of ranks is computed, not approximated."""

_NOTHING: Final = 1e-17


@dataclass(frozen=True, slots=True)
class SignedRank:
    """``positive`` and ``negative`` are the sums of ranks; ``p`` is two-sided; ``n`` as tested."""

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
    twice = _twice_the_ranks(np.abs(found))
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
    """The exact two-sided p-value that two outcomes, seen so often, are equally likely."""
    n, k = first + second, min(first, second)
    largest = lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) - n * log(2)
    tail = term = 1.0
    while k and term > _NOTHING * tail:
        term *= k / (n - k + 1)
        tail += term
        k -= 1
    return min(1.0, 2 * exp(largest) * tail)


def _twice_the_ranks(sizes: NDArray[np.float64]) -> NDArray[np.int64]:
    """Twice the rank from 1 of every number; equal ones share the mean, so twice is an integer."""
    _, inverse, counts = np.unique(sizes, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    shared: NDArray[np.int64] = (2 * last - counts + 1)[inverse]
    return shared


def _exact(twice: NDArray[np.int64], smaller: int) -> float:
    # chance[s]: that the positive ranks, doubled, sum to s.
    chance = np.zeros(int(np.sum(twice)) + 1)
    chance[0] = 1.0
    for rank in twice:
        chance[rank:] = (chance[rank:] + chance[: len(chance) - rank]) / 2
        chance[:rank] /= 2
    return 2 * float(np.sum(chance[: smaller + 1]))


def _normal(twice: NDArray[np.int64], smaller: int) -> float:
    ranks = twice / 2
    mean = float(np.sum(ranks)) / 2
    # The variance of a sum of independent r or 0: ties are in it already.
    deviation = sqrt(float(np.sum(ranks**2)) / 4)
    return _two_tails((mean - smaller / 2 - 0.5) / deviation)


def _two_tails(z: float) -> float:
    return erfc(max(z, 0.0) / sqrt(2))
