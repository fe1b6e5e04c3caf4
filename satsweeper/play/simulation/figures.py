"""The figures of a simulation: a run for each strategy of a setting, and every two of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from satsweeper.compare.statistics.proportions import PairedCounts, wilson
from satsweeper.play.simulation.plan import Plan
from satsweeper.play.simulation.setting import Setting
from satsweeper.play.simulation.tally import Tally

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
