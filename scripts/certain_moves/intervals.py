"""95 % intervals of shares, and whether one excludes a claim."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from satsweeper.compare.statistics.proportions import wilson

RESAMPLES: Final = 2_000
_AT_ONCE: Final = 100


@dataclass(frozen=True)
class Share:
    """An estimate and its 95 % interval, all from 0 to 1."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.1%} ({self.low:.1%} to {self.high:.1%})"

    def against(self, low: float, high: float) -> str:
        """Where the interval lies relative to a claimed range."""
        if self.high < low:
            return "below"
        if self.low > high:
            return "above"
        return "within" if low <= self.low and self.high <= high else "not excluded"


def ratio(parts: Sequence[float], wholes: Sequence[float], seed: int) -> Share:
    """Sum of the parts over sum of the wholes, by a bootstrap over games (percentiles).

    Games are resampled, not positions, for those of one game are alike.
    """
    above, below = np.array(parts, float), np.array(wholes, float)
    n = len(above)
    if not below.sum():
        return Share(0.0, 0.0, 1.0)
    draw = np.random.default_rng(seed)
    found: list[float] = []
    for at in range(0, RESAMPLES, _AT_ONCE):
        chosen = draw.integers(0, n, (min(_AT_ONCE, RESAMPLES - at), n))
        whole = below[chosen].sum(axis=1)
        found += (above[chosen].sum(axis=1)[whole > 0] / whole[whole > 0]).tolist()
    low, high = np.percentile(np.array(found), [2.5, 97.5])
    return Share(float(above.sum() / below.sum()), float(low), float(high))


def mean(values: Sequence[float], seed: int) -> Share:
    """The mean of one value a game, by the same bootstrap."""
    return ratio(values, [1.0] * len(values), seed)


def proportion(successes: int, trials: int) -> Share:
    """A proportion with Wilson's score interval, which is sound at 0 and 1 as well."""
    return Share(successes / trials if trials else 0.0, *wilson(successes, trials))
