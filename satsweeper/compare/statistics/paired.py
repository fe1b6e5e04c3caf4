"""Two contenders compared on common instances and seeds: the better contender, and by how much.

The difference of a pair is the logarithm of the ratio of its two numbers; seeds are averaged
within an instance, and instances are the unit of every test and interval. A difference is claimed
only if Wilcoxon's p-value, corrected by Holm over all pairs and measures of a task, is below 0.05,
and the 99 % interval of the ratio excludes 1 on the same side. All else is "no significant
difference", or "not enough instances" where no outcome could have made a claim.

Error rates and power were simulated (``tests/compare``: lognormal instances, 5-20 % noise, every
20th run 3 times slower, a drifting machine; 3 seeds). A difference between two names of one encoder
was claimed, by any measure, in 25 of 1000 sweeps of 20 instances (by ``time`` in 10), and in 16 of
1000 sweeps of 40 instances (by ``time`` in 8). A contender that is 10 % slower was found by
``time`` in 20 of 100 sweeps of 20 instances (60 jobs each), in 50 of 100 sweeps of 40 instances
(120 jobs), in 93 of 100 sweeps of 80 instances (240 jobs), and in all sweeps of 160 instances.

Contenders without a claimed difference share a letter.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import exp
from string import ascii_lowercase

import numpy as np

from satsweeper.compare.statistics.contest import Contender, Contest
from satsweeper.compare.statistics.intervals import interval_of_mean
from satsweeper.compare.statistics.measures import (
    MEASURES,
    RESOLUTION,
    Measure,
    answered,
    present,
    timed_out,
    values,
)
from satsweeper.compare.statistics.signed_rank import (
    SIGNIFICANT,
    SignedRank,
    holm,
    sign_test,
    signed_rank,
    smallest_corrected,
)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two contenders by one measure.

    ``ratio`` is the geometric mean, over instances, of the numbers of ``first`` divided by those of
    ``second``, with the 95 % interval ``lower`` to ``upper``. ``pairs``: number of pairs of runs
    compared, on ``instances`` instances. ``censored``: number of pairs in which one side ran out of
    time, so that the true ratio is more extreme. ``failed``: for each side, the number of pairs
    left out because that side alone had no answer for another reason (memory, crash ...).
    ``sign``: p-value of the sign test. ``corrected``: p-value after Holm's correction over
    ``tests`` tests, None if no instance differs and nothing was tested. ``attainable``: the least
    value of ``corrected`` that this number of instances could have given.
    """

    first: Contender
    second: Contender
    measure: Measure
    instances: int
    pairs: int
    censored: int
    failed: tuple[int, int]
    ratio: float
    lower: float
    upper: float
    beyond: bool
    """Whether the 99 % interval excludes 1."""
    ranks: SignedRank
    sign: float
    corrected: float | None
    tests: int = 0
    attainable: float = 1.0

    @property
    def enough(self) -> bool:
        """Whether the number of instances could have shown a difference."""
        return self.attainable < SIGNIFICANT

    @property
    def better(self) -> Contender | None:
        """The significantly better contender; None without a significant difference."""
        if self.corrected is None or self.corrected >= SIGNIFICANT or not self.beyond:
            return None
        if self.upper < 1 and self.ranks.positive < self.ranks.negative:
            return self.first
        if self.lower > 1 and self.ranks.positive > self.ranks.negative:
            return self.second
        return None

    def margin(self) -> tuple[float, float, float]:
        """The per cent by which the better contender's number is smaller, with its interval."""
        found = (self.ratio, self.lower, self.upper)
        if self.ratio > 1:
            found = (1 / self.ratio, 1 / self.upper, 1 / self.lower)
        middle, low, high = ((1 - each) * 100 for each in found)
        return middle, high, low


def comparisons(contest: Contest, resolution: float = RESOLUTION) -> list[Comparison]:
    """Every pair of contenders by every measure that was taken, pairs in alphabetical order.

    Args:
        contest: the results of one task.
        resolution: resolution of the clock, in seconds; times that differ by less are equal.
    """
    found = []
    known, late, there = answered(contest), timed_out(contest), present(contest)
    for measure in MEASURES.values():
        numbers = values(contest, measure)
        if np.all(np.isnan(numbers)):
            continue
        if measure.censored and contest.timeout is not None:
            numbers = np.where(late, contest.timeout, numbers)
        for a, b in combinations(range(len(contest.contenders)), 2):
            # A pair in which both runs timed out gives no ratio.
            usable = ~np.isnan(numbers[a]) & ~np.isnan(numbers[b]) & (known[a] | known[b])
            one, two = numbers[a], numbers[b]
            if measure.censored:
                # A run that timed out counts as at least as slow as the other run, which may have
                # been stopped a little later.
                one = np.where(late[a], np.maximum(one, two), one)
                two = np.where(late[b], np.maximum(one, two), two)
            if measure.timed:
                ratios = np.log(np.maximum(one, resolution) / np.maximum(two, resolution))
                logs = np.where(np.abs(one - two) <= resolution, 0.0, ratios)
            else:
                # Counts may be 0.
                logs = np.log((one + 1) / (two + 1))
            # The mean over the seeds of each instance; instances without a pair are left out.
            counts = np.count_nonzero(usable, axis=1)
            sums = np.sum(np.where(usable, logs, 0.0), axis=1)
            means = sums[counts > 0] / counts[counts > 0]
            # Rounding must not turn equal runs into a difference.
            means = np.where(np.abs(means) < 1e-12, 0.0, means)
            lost = [there[x] & ~known[x] & ~late[x] & known[y] for x, y in ((a, b), (b, a))]
            middle = float(np.mean(means)) if len(means) else 0.0
            low, high = interval_of_mean(means)
            lowest, highest = interval_of_mean(means, 99)
            found.append(
                Comparison(
                    contest.contenders[a],
                    contest.contenders[b],
                    measure,
                    instances=len(means),
                    pairs=int(np.count_nonzero(usable)),
                    censored=int(np.count_nonzero(usable & (late[a] | late[b]))),
                    failed=(int(np.count_nonzero(lost[0])), int(np.count_nonzero(lost[1]))),
                    ratio=exp(middle),
                    lower=_exp(low),
                    upper=_exp(high),
                    beyond=not lowest <= 0 <= highest,
                    ranks=signed_rank(means),
                    sign=sign_test(means),
                    corrected=None,
                )
            )
    return corrected(found)


def _exp(log: float) -> float:
    return exp(min(log, 700.0)) if log < np.inf else np.inf


def corrected(found: Sequence[Comparison]) -> list[Comparison]:
    """The comparisons ``found``, with p-values corrected anew as one family of tests."""
    tested = [each for each in found if each.ranks.n]
    reached = holm([each.ranks.p for each in tested])
    least = smallest_corrected([each.instances for each in tested])
    adjusted = {
        id(each): replace(each, corrected=p, tests=len(tested), attainable=at_best)
        for each, p, at_best in zip(tested, reached, least, strict=True)
    }
    return [adjusted.get(id(each), replace(each, corrected=None)) for each in found]


def tied_groups(
    contenders: Sequence[Contender], apart: Iterable[tuple[Contender, Contender]]
) -> list[frozenset[Contender]]:
    """The maximal groups without a pair in ``apart``, by their first member in ``contenders``.

    A contender may be in several groups: being tied is not transitive. H. Piepho, An algorithm for
    a letter-based representation of all-pairwise comparisons, Journal of Computational and
    Graphical Statistics 13 (2004) 456-466.
    """
    # Invariant: no group holds both contenders of a pair seen so far, and every set of contenders
    # without such a pair is within a group.
    groups = [frozenset(contenders)]
    for first, second in apart:
        split = []
        for group in groups:
            both = first in group and second in group
            split += [group - {first}, group - {second}] if both else [group]
        # Groups within a larger group are dropped: the largest groups come first.
        groups = []
        for group in sorted(set(split), key=lambda group: (-len(group), sorted(group))):
            if not any(group <= other for other in groups):
                groups.append(group)
    place = {contender: at for at, contender in enumerate(contenders)}
    return sorted(groups, key=lambda group: sorted(place[each] for each in group))


def tie_letters(
    contenders: Sequence[Contender], compared: Iterable[Comparison]
) -> dict[Contender, str]:
    """The letters of every contender, the first contender's group being ``a``."""
    apart = [(each.first, each.second) for each in compared if each.better]
    groups = tied_groups(contenders, apart)
    # a to z, then a', b' ...
    letters = [ascii_lowercase[at % 26] + "'" * (at // 26) for at in range(len(groups))]
    return {
        each: "".join(
            letter for letter, group in zip(letters, groups, strict=True) if each in group
        )
        for each in contenders
    }
