"""Encodings against the default: over all solvers together, or on a single solver."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from satsweeper.compare.job.job import LiteralOrder, Result
from satsweeper.compare.statistics.contest import Contender, Contest
from satsweeper.compare.statistics.intervals import interval_of_mean
from satsweeper.compare.statistics.measures import MEASURES, RESOLUTION, answered, values
from satsweeper.compare.statistics.paired import Comparison, comparisons
from satsweeper.compare.statistics.signed_rank import holm
from scripts.study.parts import Part

TESTED: Final = ("time", "conflicts")
"""The measures that claims are made of."""


@dataclass(frozen=True, slots=True)
class Against:
    """A contender beside the default by one measure.

    ``ratio`` is that of its numbers over the default's, with a 95 % interval; ``better`` and
    ``worse`` are claims that passed the tests.
    """

    ratio: float
    low: float
    high: float
    better: bool
    worse: bool
    instances: int


def pooled(
    results: Sequence[Result], part: Part, solvers: Iterable[str], timeout: float
) -> Contest:
    """The contest of encodings (and orders); a run is an instance under a solver and a seed.

    The instance stays the unit of every test and interval: what several solvers say of it is
    averaged.
    """
    kept = set(solvers)
    own = [result for result in results if result.job.solver in kept]
    names = sorted({_contender(result, part) for result in own})
    instances = sorted({(result.job.name, result.job.instance) for result in own})
    runs = sorted({(result.job.solver, result.job.seed) for result in own})
    at = {key: i for keys in (names, [d for _, d in instances], runs) for i, key in enumerate(keys)}
    table = np.full((len(names), len(instances), len(runs)), None, dtype=np.object_)
    for result in own:
        job = result.job
        table[at[_contender(result, part)], at[job.instance], at[job.solver, job.seed]] = result
    return Contest(
        part.task,
        "",
        tuple(names),
        tuple(digest for _, digest in instances),
        tuple(range(len(runs))),
        table,
        timeout,
    )


def _contender(result: Result, part: Part) -> Contender:
    job = result.job
    encoding = job.total_encoding if part.of_total else job.encoding
    return Contender(encoding, "", "", str(job.order))


def default_of(contest: Contest, part: Part) -> Contender:
    """The contender that is the default of the code."""
    wanted = Contender(part.default, "", "", str(LiteralOrder.GIVEN))
    return next(each for each in contest.contenders if each == wanted)


def against_default(contest: Contest, part: Part) -> dict[Contender, dict[str, Against]]:
    """Every other contender beside the default: claims are corrected over these pairs only.

    Holm's correction is over all of them by both measures of ``TESTED``; ``solve`` has no test.
    """
    default = default_of(contest, part)
    pairs = [
        each
        for each in comparisons(contest)
        if default in (each.first, each.second) and each.measure.name in (*TESTED, "solve")
    ]
    tested = [each for each in pairs if each.ranks.n and each.measure.name in TESTED]
    corrected = dict(zip(map(id, tested), holm([each.ranks.p for each in tested]), strict=True))
    found: dict[Contender, dict[str, Against]] = {}
    for each in pairs:
        judged = replace(each, corrected=corrected.get(id(each)))
        other = each.second if each.first == default else each.first
        found.setdefault(other, {})[each.measure.name] = _against(judged, default)
    return found


def _against(compared: Comparison, default: Contender) -> Against:
    ratio, low, high = compared.ratio, compared.lower, compared.upper
    if compared.first == default:
        ratio, low, high = 1 / ratio, 1 / high if high else np.inf, 1 / low if low else np.inf
    better = compared.better
    return Against(
        ratio,
        low,
        high,
        better is not None and better != default,
        better == default,
        compared.instances,
    )


def log_times(contest: Contest, measure: str = "time") -> NDArray[np.float64]:
    """Mean logarithm of a measure, shape (contenders, instances); NaN where a run has no answer.

    So who is compared by it is compared on instances that all its runs solved.
    """
    of = MEASURES[measure]
    numbers = values(contest, of)
    floor = RESOLUTION if of.timed else 1.0
    logs = np.log(np.maximum(numbers, floor))
    known = np.all(answered(contest), axis=2)
    found: NDArray[np.float64] = np.where(known, np.mean(logs, axis=2), np.nan)
    return found


@dataclass(frozen=True, slots=True)
class Rank:
    """Spearman's correlation over contenders, averaged over instances, with its 95 % interval."""

    mean: float
    low: float
    high: float
    instances: int


def rank_correlation(contest: Contest, size: str, measure: str) -> Rank | None:
    """Return how well a size orders encodings as a measure does, instance by instance.

    Instances on which fewer than four contenders solved all runs are left out; None if all are.
    """
    numbers = log_times(contest, measure)
    sizes = np.full(contest.results.shape, np.nan)
    for at, result in np.ndenumerate(contest.results):
        if result is not None and getattr(result, size) is not None:
            sizes[at] = getattr(result, size)
    first = np.nanmax(np.where(np.isnan(sizes), -1.0, sizes), axis=2)
    found = []
    for i in range(len(contest.instances)):
        usable = ~np.isnan(numbers[:, i]) & (first[:, i] >= 0)
        if np.count_nonzero(usable) >= 4:
            one, two = _ranks(first[usable, i]), _ranks(numbers[usable, i])
            if np.ptp(one) > 0 and np.ptp(two) > 0:
                found.append(float(np.corrcoef(one, two)[0, 1]))
    if not found:
        return None
    low, high = interval_of_mean(np.array(found))
    return Rank(float(np.mean(found)), max(low, -1.0), min(high, 1.0), len(found))


def _ranks(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ranks; equal numbers share the mean of theirs."""
    less = np.sum(numbers[:, None] > numbers[None, :], axis=1)
    same = np.sum(numbers[:, None] == numbers[None, :], axis=1)
    found: NDArray[np.float64] = less + (same - 1) / 2.0
    return found
