"""Measures that are compared: seconds, and counts that are equal in every run."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from satsweeper.compare.job.result import JobStatus, Result
from satsweeper.compare.statistics.contest import Contest

RESOLUTION: Final = 1e-5
"""Seconds; smaller differences of time are none, whatever the clock says."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A number of every result, the smaller the better.

    ``censored``: a job that ran out of time took at least as long as the limit, so its pair still
    says something. ``less``: what "A ... by 10 %" says of the smaller number.
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

    ``unsolved``: also of jobs without an answer, where the measure is known.
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
