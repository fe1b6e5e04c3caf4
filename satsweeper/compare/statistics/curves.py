"""Data of plots as numbers: cactus, scatter and growth."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from satsweeper.compare.statistics.contest import Contender, Contest
from satsweeper.compare.statistics.intervals import Draws, interval
from satsweeper.compare.statistics.measures import (
    MEASURES,
    RESOLUTION,
    Measure,
    answered,
    timed_out,
    values,
)

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Growth:
    """Numbers of a contender over sizes of instances.

    ``numbers[i]`` is the geometric mean over the seeds of the instance of size ``sizes[i]``.
    ``exponent``: the exponent of the power law through these points, by least squares on
    logarithms, and the ends of its 95 % interval over instances; None with fewer than 3 sizes.
    """

    contender: Contender
    of: str
    sizes: Numbers
    numbers: Numbers
    exponent: tuple[float, float, float] | None


def cactus(contest: Contest) -> dict[Contender, Numbers]:
    """CPU seconds of the solved jobs of each contender, ascending."""
    times = values(contest, MEASURES["time"])
    known = answered(contest)
    return {c: np.sort(times[at][known[at]]) for at, c in enumerate(contest.contenders)}


def best_cactus(contest: Contest) -> Numbers:
    """CPU seconds of the virtual best on each job that some contender solved, ascending."""
    times = np.where(answered(contest), values(contest, MEASURES["time"]), np.inf)
    best = np.min(times, axis=0)
    return np.sort(best[np.isfinite(best)])


def scatter(contest: Contest, first: Contender, second: Contender) -> tuple[Numbers, Numbers]:
    """CPU seconds of ``first`` and ``second`` on every instance and seed that both have run.

    A job that timed out is at the limit; jobs without an answer for another reason are left out.
    """
    times = values(contest, MEASURES["time"])
    if contest.timeout is not None:
        times = np.where(timed_out(contest), contest.timeout, times)
    x, y = (times[contest.contenders.index(each)] for each in (first, second))
    both = ~np.isnan(x) & ~np.isnan(y)
    return x[both], y[both]


def instance_sizes(contest: Contest, known: Mapping[str, float]) -> Numbers:
    """The size of every instance: in ``known``, or else the fewest variables of any contender.

    An encoding without auxiliary variables has one variable for each unknown of the instance. NaN
    if the number of variables is unknown in every job of the instance.
    """
    variables = values(contest, Measure("variables", "fewer", lambda r: r.variables), unsolved=True)
    found = np.full(len(contest.instances), np.nan)
    for at, digest in enumerate(contest.instances):
        own = variables[:, at]
        if digest in known:
            found[at] = known[digest]
        elif not np.all(np.isnan(own)):
            found[at] = float(np.nanmin(own))
    return found


def growth(contest: Contest, sizes: Numbers) -> list[Growth]:
    """Return how time and clauses grow with instances, contenders in alphabetical order.

    Times are of solved jobs: a contender that leaves hard instances unsolved looks better here.
    """
    found = []
    for measure in MEASURES["time"], Measure("clauses", "fewer", lambda r: r.clauses):
        floor = RESOLUTION if measure.timed else 1.0
        numbers = values(contest, measure, unsolved=not measure.timed)
        numbers = np.log(np.maximum(numbers, floor))
        for at, contender in enumerate(contest.contenders):
            known = ~np.isnan(numbers[at])
            counts = np.count_nonzero(known, axis=1)
            used = (counts > 0) & (sizes > 0)
            sums = np.sum(np.where(known, numbers[at], 0.0), axis=1)
            logs = sums[used] / counts[used]
            exponent = _exponent(np.log(sizes[used]), logs)
            found.append(Growth(contender, measure.name, sizes[used], np.exp(logs), exponent))
    return found


def _exponent(x: Numbers, y: Numbers) -> tuple[float, float, float] | None:
    if len(np.unique(x)) < 3:
        return None
    x, y = x - np.mean(x), y - np.mean(y)

    # Least squares: the covariance over the variance, here of each resample. A resample of equal
    # sizes has no slope, and its NaN is left out by `interval`.
    def slopes(draws: Draws) -> Numbers:
        n = len(x)
        mean_x, mean_y = draws @ x / n, draws @ y / n
        with np.errstate(divide="ignore", invalid="ignore"):
            found: Numbers = (draws @ (x * y) / n - mean_x * mean_y) / (
                draws @ (x * x) / n - mean_x**2
            )
        return found

    slope = float(np.sum(x * y) / np.sum(x * x))
    return (slope, *interval(len(x), slopes, slope))
