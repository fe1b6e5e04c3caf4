"""Proven lower bounds on the clauses of encodings of upper bounds; docs/encoder_analysis.md proves.

Any encoding is meant: with auxiliary variables or without, and whatever it propagates.
"""

from collections.abc import Sequence
from itertools import accumulate
from math import isqrt
from typing import Final

FROM: Final = 7
"""The fewest inputs for which `at_most_one` is used: at most one of six takes 12 clauses."""


def at_most_one(n: int) -> int:
    """Return ``2n + sqrt(n+1) - 2``, rounded up, for n >= `FROM` inputs.

    Reference: Krapivin, Przybocki, Subercaseaux: Near-optimal encodings of cardinality constraints,
    arXiv 2603.28954, 2026.
    """
    return 2 * n - 2 + isqrt(n) + 1  # the root of n+1, rounded up


def at_most(n: int, upper: int) -> int:
    """Return a lower bound for at most ``upper`` of ``n``, ``1 <= upper < n``.

    If ``upper - 1`` inputs become true, at most one of the others is left; and inputs that become
    false save a clause each, see `weighted`.
    """
    others = n - upper + 1
    return at_most_one(others) if others >= FROM else n - upper


def weighted(weights: Sequence[int], upper: int) -> int:
    """Return a lower bound for ``sum of weight * input <= upper``.

    Every weight is at least 1 and at most ``upper``, which is below the sum of all. The time is
    cubic in the number of weights, for which a hundred are few enough.

    Some heaviest inputs become false, of those left some become true and some false, and at most
    one of the rest is left, which are neighbours in the order of weights.
    """
    order = sorted(weights, reverse=True)
    # While the sum of all is above the bound, the heaviest input saves a clause when it becomes
    # false. `removed` of them can: then the sum of the others is at most the bound.
    removed = sum(left > upper for left in (sum(order) - out for out in accumulate([0, *order])))
    candidates = [
        (false + at_most_one(end - start), false, start, end)
        for false in range(removed)
        for start in range(false, len(order))
        for end in range(start + FROM, len(order) + 1)
        # The heaviest one fits where the two lightest do not.
        if order[start] < order[end - 2] + order[end - 1]
    ]
    for bound, false, start, end in sorted(candidates, reverse=True):
        if bound <= removed:
            break
        least = upper - order[end - 2] - order[end - 1] + 1
        if _has_sum(order[false:start] + order[end:], max(least, 0), upper - order[start]):
            return bound
    return removed


def _has_sum(weights: Sequence[int], least: int, most: int) -> bool:
    """Whether the sum of some of ``weights`` is from ``least`` to ``most``."""
    if sum(weights) < least:
        return False
    sums = 1
    for weight in weights:
        sums |= sums << weight
    return bool(sums >> least & (1 << most - least + 1) - 1)
