"""The schedule of sizes of a series: sizes grow until the weak solver fails.

From a small size upwards, in steps that become shorter as the weak solver takes longer. Between the
largest size that is too easy and the smallest that nobody solves the middle is tried. Where the
strong solver alone has the answer, more seeds are tried, then the next size. All depends on what
was measured, and on nothing else.
"""

from collections.abc import Mapping
from typing import Final

from satsweeper.competition.instance_family import Series
from satsweeper.competition.measurement import Measurement, Probe

SEEDS: Final = 3
"""Instances of one size, at the most."""
_FACTORS: Final = ((1e-4, 2.0), (0.05, 1.5), (float("inf"), 1.15))
"""By what sizes grow, by the part of its seconds that the weak solver took."""

Measured = Mapping[Probe, Measurement]


def next_probe(series: Series, seed: int, weak_seconds: float, found: Measured) -> Probe | None:
    """The instance to measure next; None if the series has no more to offer.

    Args:
        series: whose sizes are walked.
        seed: the first of ``SEEDS``.
        weak_seconds: that the weak solver has.
        found: what was measured, of any series.
    """
    at = _by_size(series, seed, found)
    if not at:
        return Probe(series.name, series.family.small[-1], seed)
    hard = [size for size, each in at.items() if each.grade == "hard"]
    for size in hard if series.seeded else []:
        for more in range(seed + 1, seed + SEEDS):
            probe = Probe(series.name, size, more)
            if probe not in found:
                return probe
    larger = _next_size(series.family.sizes, at, weak_seconds)
    return None if larger is None or larger in at else Probe(series.name, larger, seed)


def _next_size(sizes: range, at: Mapping[int, Measurement], weak_seconds: float) -> int | None:
    """Return the next size, perhaps a measured size; None at the end."""
    solved = [size for size, each in at.items() if each.grade in ("easy", "hard")]
    beyond = [size for size, each in at.items() if each.grade in ("unsolved", "too large")]
    if not solved:
        return None
    reached, end = max(solved), min(beyond, default=None)
    if end is None:
        return _grown(sizes, reached, _factor(at[reached], weak_seconds))
    if at[end].grade == "too large" and at[reached].grade == "easy":
        return None
    if at[reached].grade == "hard":
        # One size more, each time, up to what nobody solves.
        size = _grown(sizes, reached, 1.0)
        return None if size is None or size >= end else size
    return sizes[(sizes.index(reached) + sizes.index(end)) // 2]


def _by_size(series: Series, seed: int, found: Measured) -> dict[int, Measurement]:
    return {
        probe.size: each
        for probe, each in found.items()
        if probe.series == series.name and probe.seed == seed
    }


def _factor(measured: Measurement, weak_seconds: float) -> float:
    """By how much to grow: by the part of its seconds that the weak solver took."""
    part = 1.0 if measured.weak is None else measured.weak.seconds / weak_seconds
    return next(factor for most, factor in _FACTORS if part < most)


def _grown(sizes: range, size: int, factor: float) -> int | None:
    """The largest size up to ``factor`` times this one, but at least the next; None beyond all."""
    at = sizes.index(size)
    aim = (int(size * factor) - sizes[0]) // sizes.step
    further = max(at + 1, min(aim, len(sizes) - 1))
    return sizes[further] if further < len(sizes) else None
