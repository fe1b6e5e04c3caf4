"""Measures that are compared, seconds and counts, and the score of each contender."""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Final

import numpy as np
from numpy.typing import NDArray

from satsweeper.compare.job.job import JobStatus, Result
from satsweeper.compare.statistics.contest import Contender, Contest
from satsweeper.compare.statistics.intervals import Draws, interval

RESOLUTION: Final = 1e-5
"""Seconds; times that differ by less count as equal."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A number of every result, the smaller the better.

    ``censored``: whether a job that ran out of time counts with the time limit, a lower bound of
    its number. ``less``: the word for a smaller number, as in "A fewer conflicts by 10 %".
    """

    name: str
    less: str
    of: Callable[[Result], float | None]
    timed: bool = False
    censored: bool = False


def time_of(result: Result) -> float:
    """CPU seconds of encoding and solving."""
    return result.measured.encode + result.measured.solve


MEASURES: Final = {
    each.name: each
    for each in (
        Measure("time", "faster", time_of, timed=True, censored=True),
        Measure("encode", "faster", lambda r: r.measured.encode, timed=True),
        Measure("solve", "faster", lambda r: r.measured.solve, timed=True, censored=True),
        Measure("conflicts", "fewer", lambda r: r.conflicts),
        Measure("propagations", "fewer", lambda r: r.propagations),
        Measure("budget", "lower", lambda r: r.budget),
    )
}
"""``time`` is the sum of ``encode`` and ``solve``; the last three do not depend on the machine."""


def answered(contest: Contest) -> NDArray[np.bool_]:
    """Return a mask of results that are answers: shape (contenders, instances, seeds)."""
    return _where(contest, lambda result: result.status.solved)


def timed_out(contest: Contest) -> NDArray[np.bool_]:
    """Return a mask of results that met the time limit: shape (contenders, instances, seeds)."""
    return _where(contest, lambda result: result.status is JobStatus.TIMEOUT)


def present(contest: Contest) -> NDArray[np.bool_]:
    """Return a mask of results that exist: shape (contenders, instances, seeds)."""
    return _where(contest, lambda result: True)


def values(contest: Contest, measure: Measure, *, unsolved: bool = False) -> NDArray[np.float64]:
    """The measure of every answer, NaN elsewhere: shape (contenders, instances, seeds).

    ``unsolved``: whether jobs without an answer count, too, if their measure is known.
    """
    found = np.full(contest.results.shape, np.nan)
    for at, result in np.ndenumerate(contest.results):
        if result is not None and (unsolved or result.status.solved):
            value = measure.of(result)
            if value is not None:
                found[at] = value
    return found


def _where(contest: Contest, test: Callable[[Result], bool]) -> NDArray[np.bool_]:
    found = [each is not None and test(each) for each in contest.results.flat]
    return np.array(found, dtype=np.bool_).reshape(contest.results.shape)


# Scores of single contenders (solved jobs, PAR-2, jobs solved by no other), and the virtual best.


@dataclass(frozen=True, slots=True)
class Par2:
    """The mean of CPU seconds, an unsolved job counted as twice the limit; a 95 % interval."""

    mean: float
    lower: float
    upper: float


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a contender's jobs.

    ``par2`` and ``unique`` (the number of jobs that no other contender solved) are taken over the
    jobs that every contender has run; ``par2`` is None if one of these jobs is unsolved and had no
    time limit. Sizes are medians over the jobs with known sizes. ``contender`` is None for the
    virtual best.
    """

    contender: Contender | None
    jobs: int
    solved: int
    unique: int | None
    par2: Par2 | None
    variables: float | None
    clauses: float | None
    literals: float | None
    memory: float | None
    statuses: dict[JobStatus, int]


def scores(contest: Contest) -> list[Score]:
    """The score of each contender, by PAR-2 if known, then by name."""
    times, known = par2_times(contest), answered(contest)
    whole = np.all(present(contest), axis=0)
    alone = known & (np.count_nonzero(known, axis=0) == 1) & whole
    found = []
    for at, contender in enumerate(contest.contenders):
        own = [result for result in contest.results[at].flat if result is not None]
        statuses = {s: sum(r.status is s for r in own) for s in JobStatus}
        found.append(
            Score(
                contender,
                jobs=len(own),
                solved=sum(result.status.solved for result in own),
                unique=int(np.count_nonzero(alone[at])),
                par2=_par2(times[at]),
                **{name: _median(own, name) for name in ("variables", "clauses", "literals")},
                memory=median(result.measured.memory for result in own),
                statuses={status: count for status, count in statuses.items() if count},
            )
        )
    return sorted(found, key=lambda s: (s.par2 is None, s.par2 and s.par2.mean, s.contender))


def virtual_best(contest: Contest) -> Score:
    """Return the score of a virtual contender that is as fast as the fastest on every job.

    The virtual best of several runs of one contender is faster than each run: part of its lead is
    chance.
    """
    if not contest.contenders:
        return Score(None, 0, 0, None, None, None, None, None, None, {})
    jobs = int(np.count_nonzero(np.any(present(contest), axis=0)))
    solved = int(np.count_nonzero(np.any(answered(contest), axis=0)))
    best = _par2(np.min(par2_times(contest), axis=0))
    return Score(None, jobs, solved, None, best, None, None, None, None, {})


def par2_times(contest: Contest) -> NDArray[np.float64]:
    """Seconds of every job that all contenders have run; twice the limit for an unsolved job.

    Shape (contenders, instances, seeds). NaN if a contender has no result for this instance and
    seed yet, infinite for a job that is unsolved and had no limit.
    """
    late = np.inf if contest.timeout is None else 2 * contest.timeout
    times = np.where(answered(contest), values(contest, MEASURES["time"]), late)
    return np.where(np.all(present(contest), axis=0), times, np.nan)


def _par2(times: NDArray[np.float64]) -> Par2 | None:
    """The mean of ``times``, of shape (instances, seeds), with NaN left out, and its interval.

    None without a time, or if a time is infinite.
    """
    # The mean is over jobs, but whole instances are resampled: the statistic of a resample is the
    # sum of its seconds divided by the number of its jobs.
    there = ~np.isnan(times)
    counts = np.count_nonzero(there, axis=1).astype(np.float64)
    if not np.any(there) or np.any(np.isinf(times)):
        return None
    sums = np.sum(np.where(there, times, 0.0), axis=1)
    mean = float(np.sum(sums) / np.sum(counts))
    used = counts > 0
    sums, counts = sums[used], counts[used]

    def means(draws: Draws) -> NDArray[np.float64]:
        found: NDArray[np.float64] = (draws @ sums) / (draws @ counts)
        return found

    low, high = interval(len(sums), means, mean)
    return Par2(mean, max(low, 0.0), high)


def _median(results: list[Result], name: str) -> float | None:
    found = [value for result in results if (value := getattr(result, name)) is not None]
    return float(median(found)) if found else None
