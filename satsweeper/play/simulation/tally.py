"""Outcomes of batches added up, and when they are enough."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

from satsweeper.compare.statistics.intervals import PairedCounts, wilson
from satsweeper.play.simulation.plan import LOOK, Batch, Plan, Played, Setting

ENOUGH: Final = "every interval is narrow enough"
"""The reason for which a simulation ended early."""


class Tally:
    """The games of one setting so far. Strategies go by their place in the plan.

    ``ends[s][won, guesses]`` counts games; ``both[s, t]``, for s < t, those that both have won.
    """

    def __init__(self, strategies: int) -> None:
        self.games = 0
        self.ends: list[Counter[tuple[bool, int]]] = [Counter() for _ in range(strategies)]
        self.won = [0] * strategies
        self.unsafe = [0] * strategies
        self.seconds = [0.0] * strategies
        self.both = dict.fromkeys(combinations(range(strategies), 2), 0)

    def add(self, played: Played) -> None:
        """Add the results of a batch."""
        self.games += played.job.games
        for s, outcomes in enumerate(played.outcomes):
            for at, guesses in enumerate(outcomes.guesses):
                self.ends[s][bool(outcomes.won >> at & 1), guesses] += 1
            self.won[s] += outcomes.won.bit_count()
            self.unsafe[s] += outcomes.unsafe
            self.seconds[s] += played.seconds[s]
        for s, t in self.both:
            self.both[s, t] += (played.outcomes[s].won & played.outcomes[t].won).bit_count()

    def pairs(self, s: int, t: int) -> PairedCounts:
        """Return how the games of two strategies ended."""
        both = self.both[min(s, t), max(s, t)]
        first, second = self.won[s] - both, self.won[t] - both
        return PairedCounts(both, first, second, self.games - both - first - second)

    def widest(self, plan: Plan) -> float:
        """The width of the widest interval that the plan wants narrow."""
        ends = []
        if plan.narrow != "differences":
            ends += [wilson(won, self.games) for won in self.won]
        if plan.narrow != "rates":
            ends += [self.pairs(s, t).interval() for s, t in self.both]
        return max(high - low for low, high in ends)


@dataclass(slots=True)
class _SettingTally:
    """The batches of a setting; those in ``waiting`` come after one that is not there yet."""

    tally: Tally
    waiting: dict[int, Played] = field(default_factory=dict)
    enough: bool = False


class Tallies:
    """A tally for each setting; batches may come in any order."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._lines = {each: _SettingTally(Tally(len(plan.strategies))) for each in plan.settings}

    def see(self, played: Played) -> str | None:
        """Add the results of a batch; return why no more are needed, or None."""
        line = self._lines[played.job.setting]
        line.waiting[played.job.first] = played
        while not line.enough and line.tally.games in line.waiting:
            line.tally.add(line.waiting.pop(line.tally.games))
            line.enough = self._is_enough(line.tally)
        return ENOUGH if all(each.enough for each in self._lines.values()) else None

    def _is_enough(self, tally: Tally) -> bool:
        if self._plan.width is None or tally.games % LOOK:
            return False
        return tally.widest(self._plan) <= self._plan.width

    def unwanted(self, batch: Batch) -> bool:
        """Whether the setting of a batch has enough games already."""
        return self._lines[batch.setting].enough


def tallies(plan: Plan, played: Iterable[Played]) -> dict[Setting, tuple[Tally, bool]]:
    """Add up all batches of a simulation by setting, and say whether a setting ended early.

    Games beyond the end of a setting are left out. A setting that has not ended may lack batches in
    between: then all there are count.
    """
    found = Tallies(plan)
    for each in played:
        found.see(each)
    for line in found._lines.values():
        for _, each in sorted(line.waiting.items()) if not line.enough else ():
            line.tally.add(each)
    return {setting: (line.tally, line.enough) for setting, line in found._lines.items()}


# The figures of a simulation: a run for each strategy of a setting, and every two of them.

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class StrategyRun:
    """The games of a strategy under a setting; intervals are Wilson's, of 95 %.

    ``guesses`` and ``seconds`` (of CPU) are means over games, None without games. ``unguessed`` is
    the share of all games that were won without a guess. ``by_guesses`` counts the games with so
    many guesses, and how many of them were won. ``unsafe`` counts cells that were called safe and
    were not: it stays 0.
    """

    strategy: str
    games: int
    won: int
    interval: Interval
    unguessed: int
    unguessed_interval: Interval
    guesses: float | None
    seconds: float | None
    unsafe: int
    by_guesses: Mapping[int, tuple[int, int]]

    @property
    def rate(self) -> float | None:
        """The share of games won; None without games."""
        return self.won / self.games if self.games else None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two strategies on common layouts: ``pairs.first`` counts games that only ``strategy`` won.

    ``interval`` is Tango's for the difference of the shares won, of 95 %; ``p`` is McNemar's,
    exact and two-sided.
    """

    strategy: str
    against: str
    pairs: PairedCounts
    interval: Interval
    p: float


@dataclass(frozen=True, slots=True)
class SettingFigures:
    """The figures of a setting; ``enough``: games ended early, as intervals are narrow."""

    setting: Setting
    games: int
    enough: bool
    runs: tuple[StrategyRun, ...]
    pairs: tuple[Pair, ...]


def table(plan: Plan, setting: Setting, tally: Tally, enough: bool) -> SettingFigures:
    """The figures of a setting, strategies in the order of the plan."""
    names = plan.strategies
    return SettingFigures(
        setting,
        tally.games,
        enough,
        tuple(_run(name, tally, s) for s, name in enumerate(names)),
        tuple(
            _pair(names[t], names[s], tally.pairs(t, s))
            for s, t in combinations(range(len(names)), 2)
        ),
    )


def _run(name: str, tally: Tally, s: int) -> StrategyRun:
    games, ends = tally.games, tally.ends[s]
    unguessed = ends[True, 0]
    spent = sum(guesses * count for (_, guesses), count in ends.items())
    return StrategyRun(
        strategy=name,
        games=games,
        won=tally.won[s],
        interval=wilson(tally.won[s], games),
        unguessed=unguessed,
        unguessed_interval=wilson(unguessed, games),
        guesses=spent / games if games else None,
        seconds=tally.seconds[s] / games if games else None,
        unsafe=tally.unsafe[s],
        by_guesses={
            guesses: (ends[True, guesses] + ends[False, guesses], ends[True, guesses])
            for guesses in sorted({guesses for _, guesses in ends})
        },
    )


def _pair(name: str, against: str, pairs: PairedCounts) -> Pair:
    return Pair(name, against, pairs, pairs.interval(), pairs.mcnemar())
