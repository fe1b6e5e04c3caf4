"""Contests of the study: ratios to a rival with claims, ranks, spreads over orders."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pbcnf.constraints.order import LiteralOrder
from satsweeper.compare.job.job import Result
from satsweeper.compare.statistics.contest import Contender, Contest
from satsweeper.compare.statistics.intervals import interval_of_mean
from satsweeper.compare.statistics.measures import (
    MEASURES,
    RESOLUTION,
    answered,
    timed_out,
    values,
)
from satsweeper.compare.statistics.paired import Comparison, comparisons, corrected
from satsweeper.compare.statistics.signed_rank import SIGNIFICANT, holm, signed_rank
from scripts.study.parts import BY_SIZE, Part

Floats = NDArray[np.float64]
TESTED: Final = ("time", "conflicts")
"""The measures on which claims are tested."""


class Against(NamedTuple):
    """The comparison of a contender with its rival by one measure.

    ``ratio`` is the ratio of the contender's numbers to the rival's, ``low`` and ``high`` its
    95 % interval; ``better`` and ``worse`` are claims that passed the tests.
    """

    ratio: float
    low: float
    high: float
    better: bool = False
    worse: bool = False
    instances: int = 0

    @staticmethod
    def of(logs: Floats) -> "Against":
        """Return the geometric mean of ratios, given by their logarithms, an instance each."""
        low, high = interval_of_mean(logs)
        return Against(
            exp(float(np.mean(logs))), exp(low), exp(min(high, 700)), instances=len(logs)
        )


def pooled(
    results: Sequence[Result],
    part: Part,
    solvers: Sequence[str],
    timeout: float,
    by_size: Mapping[str, str] | None = None,
) -> Contest:
    """Return the contest of encodings (and orders); each pair of a solver and a seed is a run.

    The instance is the unit of every test and interval: runs of several solvers on one instance are
    averaged. ``by_size``: the encoder that the rule by size takes, by digest; on each instance the
    contender `BY_SIZE` has the results of this encoder.
    """
    chosen: list[tuple[Contender, Result]] = []
    for result in results:
        if result.job.solver in solvers and result.job.seed < part.seeds:
            who = part.contender(result.job)
            chosen.append((who, result))
            if part.default == BY_SIZE and (by_size or {})[result.job.instance] == who.encoding:
                chosen.append((replace(who, encoding=BY_SIZE), result))
    names = sorted({who for who, _ in chosen})
    instances = sorted({(result.job.name, result.job.instance) for _, result in chosen})
    runs = sorted({(result.job.solver, result.job.seed) for _, result in chosen})
    at = {key: i for keys in (names, [d for _, d in instances], runs) for i, key in enumerate(keys)}
    table = np.full((len(names), len(instances), len(runs)), None, dtype=np.object_)
    for who, result in chosen:
        table[at[who], at[result.job.instance], at[result.job.solver, result.job.seed]] = result
    digests = tuple(digest for _, digest in instances)
    return Contest(part.task, "", tuple(names), digests, tuple(range(len(runs))), table, timeout)


def against_rivals(contest: Contest, part: Part) -> dict[Contender, dict[str, Against]]:
    """Return the comparisons of all contenders with their rivals, but of those that have none.

    Holm's correction is over these pairs only, by all measures of ``TESTED``; ``solve`` is not
    tested.
    """
    pairs: list[Comparison] = []
    place = {who: at for at, who in enumerate(contest.contenders)}
    for who, rival in ((who, part.rival(who)) for who in contest.contenders):
        if who != rival and rival in place:
            # In this order the ratios are those of the contender to its rival.
            both = contest.results[[place[who], place[rival]]]
            pairs += comparisons(replace(contest, contenders=(who, rival), results=both))
    tested = corrected([each for each in pairs if each.measure.name in TESTED])
    untested = [replace(each, corrected=None) for each in pairs if each.measure.name == "solve"]
    found: dict[Contender, dict[str, Against]] = {}
    for each in (*tested, *untested):
        claims = each.better == each.first, each.better == each.second
        against = Against(each.ratio, each.lower, each.upper, *claims, each.instances)
        found.setdefault(each.first, {})[each.measure.name] = against
    return found


def log_times(contest: Contest) -> Floats:
    """Return the logarithms of times, the limit where it was met: (contenders, instances, runs)."""
    times = values(contest, MEASURES["time"])
    if contest.timeout is not None:
        times = np.where(timed_out(contest), contest.timeout, times)
    return np.asarray(np.log(np.maximum(times, RESOLUTION)))


class Rank(NamedTuple):
    """Spearman's correlation over contenders, averaged over instances, with its 95 % interval."""

    mean: float
    low: float
    high: float
    instances: int


def rank_correlation(contest: Contest, size: str, measure: str) -> Rank | None:
    """Return how well the order of encodings by ``size`` predicts their order by ``measure``.

    Ranks are compared instance by instance. Instances on which fewer than four contenders solved
    all runs are left out; None if no instance remains.
    """
    contest = contest.only([who for who in contest.contenders if who.encoding != BY_SIZE])
    of = MEASURES[measure]
    logs = np.log(np.maximum(values(contest, of), RESOLUTION if of.timed else 1.0))
    # The mean over the runs of a contender on an instance, if all of these runs have an answer;
    # otherwise the contender is left out on the instance.
    numbers = np.where(np.all(answered(contest), axis=2), np.mean(logs, axis=2), np.nan)
    sizes = np.full(contest.results.shape, np.nan)
    for at, result in np.ndenumerate(contest.results):
        if result is not None and getattr(result, size) is not None:
            sizes[at] = getattr(result, size)
    first = np.nanmax(np.where(np.isnan(sizes), -1.0, sizes), axis=2)
    found = []
    for i in range(len(contest.instances)):
        usable = ~np.isnan(numbers[:, i]) & (first[:, i] >= 0)
        if np.count_nonzero(usable) >= 4:
            by_size, by_measure = _ranks(first[usable, i]), _ranks(numbers[usable, i])
            if np.ptp(by_size) > 0 and np.ptp(by_measure) > 0:
                found.append(float(np.corrcoef(by_size, by_measure)[0, 1]))
    if not found:
        return None
    low, high = interval_of_mean(np.array(found))
    return Rank(float(np.mean(found)), max(low, -1.0), min(high, 1.0), len(found))


def _ranks(numbers: Floats) -> Floats:
    """Return the ranks of ``numbers`` from 0; equal numbers share the mean of their ranks."""
    less = np.sum(numbers[:, None] > numbers[None, :], axis=1)
    same = np.sum(numbers[:, None] == numbers[None, :], axis=1)
    return np.asarray(less + (same - 1) / 2.0)


# Orders.


class Worth(NamedTuple):
    """The worth of orders for an encoder, as ratios of times to those in the given order.

    ``best``: the order with the least mean; ``fixed`` its ratio, with claims of the tests over all
    pairs. ``unseen``: the ratio of the order that is best on all other families. ``oracle``: that
    of the best order of each instance, which chance alone makes less than 1.
    """

    encoding: str
    best: str
    fixed: Against
    unseen: Against
    oracle: Against


def worth_of_orders(contest: Contest, part: Part, families: Mapping[str, str]) -> list[Worth]:
    """Return the worth of the orders for each encoder."""
    means = np.mean(log_times(contest), axis=2)
    groups = np.array([families[digest] for digest in contest.instances])
    tested, found = against_rivals(contest, part), []
    for encoding in part.encodings:
        own = [at for at, who in enumerate(contest.contenders) if who.encoding == encoding]
        given = next(at for at in own if part.rival(who := contest.contenders[at]) == who)
        ratios = means[own] - means[given]
        best = contest.contenders[own[int(np.argmin(np.mean(ratios, axis=1)))]]
        unseen = np.empty(len(groups))
        for family in set(groups.tolist()):
            inside = groups == family
            others = ratios[:, ~inside] if np.any(~inside) else ratios
            unseen[inside] = ratios[int(np.argmin(np.mean(others, axis=1))), inside]
        fixed = tested[best]["time"] if best in tested else Against(1.0, 1.0, 1.0)
        oracle = Against.of(np.min(ratios, axis=0))
        found.append(Worth(encoding, best.order, fixed, Against.of(unseen), oracle))
    return found


@dataclass(frozen=True)
class Spread:
    """The spread of times on an instance: over orders, over encoders, and by chance.

    Each is a factor: the geometric mean over instances of exp(s), where s is a standard deviation
    of logarithms of times (over the orders of one encoder; over the encoders in one order; between
    two scrambled runs of one encoder in the given order), the root of the mean square over what is
    kept. ``ratio`` is that of the first s to the second.
    """

    name: str
    orders: float
    encoders: float
    chance: float
    ratio: Against


def spreads(results: Sequence[Result], part: Part, timeout: float) -> list[Spread]:
    """Return the spread with all solvers, and with each; claims are corrected by Holm's method."""
    given = [result for result in results if result.job.order is LiteralOrder.GIVEN]
    held: list[tuple[str, list[Floats]]] = []
    for name, solvers in {"all": part.solvers, **{each: (each,) for each in part.solvers}}.items():
        contest = pooled(results, part, solvers, timeout)
        twice = pooled(given, replace(part, seeds=2), solvers, timeout)
        # Contenders come by encoding, and by order within; runs by solver, and by seed within.
        cells = np.mean(log_times(contest), axis=2)
        cells = cells.reshape(len(part.encodings), -1, len(contest.instances))
        pairs = log_times(twice).reshape(len(part.encodings), len(contest.instances), -1, 2)
        held.append((name, [
            np.sqrt(np.mean(np.var(each, axis=axis, ddof=1), axis=0))
            for each, axis in ((cells, 1), (cells, 0), (np.mean(pairs, axis=2), 2))
        ]))  # fmt: skip
    logs = [np.log(np.maximum(a, 1e-9) / np.maximum(b, 1e-9)) for _, (a, b, _) in held]
    adjusted = holm([signed_rank(each).p for each in logs])
    found = []
    for (name, deviations), of, p in zip(held, logs, adjusted, strict=True):
        low, high = interval_of_mean(of, 99)
        better, worse = p < SIGNIFICANT and high < 0, p < SIGNIFICANT and low > 0
        ratio = Against.of(of)._replace(better=bool(better), worse=bool(worse))
        orders, encoders, chance = (exp(float(np.mean(each))) for each in deviations)
        found.append(Spread(name, orders, encoders, chance, ratio))
    return found
