"""A simulation run into a folder, the outcomes of its batches added up, and its figures."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pbcnf.shown import Tabled
from satsweeper.board.size import FORM, BoardSize
from satsweeper.compare.statistics.intervals import PairedCounts, wilson
from satsweeper.compare.sweep.backends import Backend
from satsweeper.compare.sweep.journal import (
    MANIFEST,
    RESULTS,
    JournalError,
    Records,
    manifest,
    read_manifest,
    read_results,
)
from satsweeper.compare.sweep.plan import shard_of
from satsweeper.compare.sweep.resumable import ResumableSweep
from satsweeper.play.draw import FirstClick, usual_start
from satsweeper.play.presets import board_named
from satsweeper.play.simulation.plan import (
    LOOK,
    Batch,
    Intervals,
    Plan,
    Played,
    Setting,
    first_click_named,
    plan_of,
    played_of,
)
from satsweeper.play.simulation.player import Player, code_digest
from satsweeper.play.strategies.table import find_strategy
from satsweeper.play.view import Strategy

# Outcomes of batches added up, and the rule that ends a setting.

ENOUGH: Final = "every interval is narrow enough"
"""The reason for which a simulation ended early."""


class Tally:
    """The outcomes of one setting so far. Strategies are numbered by their place in the plan.

    ``ends[s][won, guesses]``: the number of games of strategy s with this outcome; ``both[s, t]``,
    for s < t: the number of layouts on which both strategies have won. ``waiting``: batches by
    their first game, which wait for an earlier batch. ``enough``: whether the intervals are narrow
    enough, so that no more games are added.
    """

    def __init__(self, strategies: int) -> None:
        self.games = 0
        self.waiting: dict[int, Played] = {}
        self.enough = False
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
        """Return the paired outcomes of the strategies ``s`` and ``t`` on their common layouts."""
        both = self.both[min(s, t), max(s, t)]
        first, second = self.won[s] - both, self.won[t] - both
        return PairedCounts(both, first, second, self.games - both - first - second)

    def widest(self, plan: Plan) -> float:
        """The width of the widest interval selected by ``plan.narrow``."""
        ends = []
        if plan.narrow != "differences":
            ends += [wilson(won, self.games) for won in self.won]
        if plan.narrow != "rates":
            ends += [self.pairs(s, t).interval() for s, t in self.both]
        return max(high - low for low, high in ends)


class Tallies:
    """The tallies of all settings; ``of`` maps a setting to its tally.

    Batches may come in any order: a batch is added once all earlier games of its setting are, so
    that the games after which a setting ends do not depend on the order.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.of = {setting: Tally(len(plan.strategies)) for setting in plan.settings}

    def see(self, played: Played) -> str | None:
        """Add the results of a batch; return the reason to end the simulation, or None."""
        tally = self.of[played.job.setting]
        tally.waiting[played.job.first] = played
        while not tally.enough and tally.games in tally.waiting:
            tally.add(tally.waiting.pop(tally.games))
            # The widths are tested every ``LOOK`` games only: among many tests one would find an
            # interval that is narrow by chance.
            if self._plan.width is not None and tally.games % LOOK == 0:
                tally.enough = tally.widest(self._plan) <= self._plan.width
        return ENOUGH if all(each.enough for each in self.of.values()) else None

    def unwanted(self, batch: Batch) -> bool:
        """Whether the setting of a batch has enough games already."""
        return self.of[batch.setting].enough


# The figures of a simulation: a run for each strategy of a setting, a pair for every two of them.

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class StrategyRun:
    """The games of a strategy under a setting; intervals are Wilson's, of 95 %.

    ``interval`` is for the share of games won, ``unguessed_interval`` for the share of games won
    without a guess; ``unguessed`` is the number of the latter. ``guesses`` and ``seconds`` (of CPU)
    are means over games, None without games. ``by_guesses`` maps a number of guesses to the number
    of games with so many guesses, and to the number of these that were won. ``unsafe`` counts cells
    that were called safe and were mines; any other number than 0 is a defect.
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

    ``interval`` is Tango's interval of 95 % for the difference of the shares won, ``strategy`` less
    ``against``; ``p`` is the p-value of McNemar's exact two-sided test.
    """

    strategy: str
    against: str
    pairs: PairedCounts
    interval: Interval
    p: float


@dataclass(frozen=True, slots=True)
class SettingFigures:
    """The figures of a setting; ``enough``: whether it ended early because of narrow intervals."""

    setting: Setting
    games: int
    enough: bool
    runs: tuple[StrategyRun, ...]
    pairs: tuple[Pair, ...]


def table(plan: Plan, setting: Setting, tally: Tally) -> SettingFigures:
    """The figures of a setting, strategies in the order of the plan."""
    names = plan.strategies
    return SettingFigures(
        setting,
        tally.games,
        tally.enough,
        tuple(_run(name, tally, s) for s, name in enumerate(names)),
        tuple(
            Pair(names[t], names[s], pairs, pairs.interval(), pairs.mcnemar())
            for s, t in combinations(range(len(names)), 2)
            for pairs in (tally.pairs(t, s),)
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


# A simulation: its batches played into a folder, and read from there.

RECORDS: Final = Records("satsweeper/simulation/1", played_of, ("satsweeper",))
"""The format of the folder of a simulation."""


@dataclass(frozen=True, slots=True)
class Simulation(Tabled):
    """The figures of a simulation.

    ``shard``: number and count of parts, if the simulation is one part of a larger one;
    ``missing``: the number of games still to be played.
    """

    plan: Plan
    tables: tuple[SettingFigures, ...]
    shard: tuple[int, int] | None
    missing: int
    manifest: dict[str, Any]

    @property
    def complete(self) -> bool:
        """Whether every game of the plan was played."""
        return not self.missing

    @property
    def unsafe(self) -> int:
        """The number of cells that were called safe and were mines."""
        return sum(run.unsafe for each in self.tables for run in each.runs)


def simulate(
    boards: str | BoardSize | Sequence[str | BoardSize] = "expert",
    strategies: str | Strategy | Sequence[str | Strategy] = "safest",
    games: int = 1000,
    *,
    first_click: str | Sequence[str] = "safe",
    start: tuple[int, int] | None = None,
    seed: int = 1,
    width: float | None = None,
    narrow: Intervals = "all",
    jobs: int = 1,
    folder: str | Path | None = None,
    resume: bool = False,
) -> Simulation:
    """Play games by every strategy, on every board, under every promise of the first click.

    All strategies play the same layouts, so that differences of shares won have narrower intervals
    than the shares. Equal arguments give equal results, whatever ``jobs``; only seconds differ.

    Args:
        boards: ``"30x16/99"``, ``"expert"``, or several.
        strategies: names of the table, ``MODULE:NAME``, or functions from a view to a cell that
            depend on nothing else.
        games: the most games of each setting.
        first_click: ``none``, ``safe``, ``opening``, ``windows``, or several.
        start: the first cell; if None, the first cell of published rates.
        seed: another seed draws other layouts.
        width: end a setting when no interval selected by ``narrow`` is wider; None: never.
        narrow: the intervals that must be narrow: ``rates``, ``differences``, or ``all``.
        jobs: the number of processes.
        folder: where the results of all games are kept; without a folder they are not kept.
        resume: continue the simulation in ``folder``.

    Raises:
        ValueError: one line: an unknown name, a board without room for its mines.
        StrategyFaultError: a strategy raised an exception, or named no covered cell.
        JournalError, BackendError: as in ``satsweeper.compare.sweep``.
    """
    named = [strategies] if isinstance(strategies, str) or callable(strategies) else strategies
    own = {_name(each): each for each in named if not isinstance(each, str)}
    sizes = [boards] if isinstance(boards, str | BoardSize) else boards
    promises = [first_click] if isinstance(first_click, str) else first_click
    plan = Plan(
        settings_of(
            [each if isinstance(each, BoardSize) else board_named(each) for each in sizes],
            [first_click_named(each) for each in promises],
            start,
        ),
        tuple(each if isinstance(each, str) else _name(each) for each in named),
        games,
        seed,
        width,
        narrow,
    )
    backend = Backend(jobs=jobs)
    if folder is not None:
        return run_plan(plan, Path(folder), backend, own=own, resume=resume)
    with TemporaryDirectory() as place:
        return run_plan(plan, Path(place), backend, own=own)


def _name(strategy: Strategy) -> str:
    return f"{strategy.__module__}:{getattr(strategy, '__qualname__', type(strategy).__name__)}"


def settings_of(
    boards: Sequence[BoardSize], promises: Sequence[FirstClick], start: tuple[int, int] | None
) -> tuple[Setting, ...]:
    """Every board under every promise, with the usual first cell unless another is given."""
    return tuple(
        Setting(board, promise, usual_start(board, promise) if start is None else start)
        for board in boards
        for promise in promises
    )


def run_plan(
    plan: Plan,
    folder: Path,
    backend: Backend,
    *,
    own: Mapping[str, Strategy] | None = None,
    shard: tuple[int, int] | None = None,
    resume: bool = False,
    arguments: Sequence[str] = (),
    reach: Callable[[float], None] = lambda done: None,
    tell: Callable[[], None] | None = None,
) -> Simulation:
    """Play the games that are not in the folder yet, and return the figures of all games.

    ``results.jsonl`` has a line for each batch; ``manifest.json`` has the plan, the versions, the
    machine, and a digest of the code of each strategy. Games that were played by another code of a
    strategy, in the folder or in a shard inside, are refused.

    Args:
        plan: the settings, strategies and games.
        folder: where the results are written.
        backend: the processes.
        own: functions of the caller by name; all other names of the plan are looked up.
        shard: number and count of parts, to play one part of the plan only.
        resume: whether the folder may hold results already.
        arguments: the arguments of the command that plays the same plan.
        reach: called with the number of batches that are done.
        tell: called once in each process that compiles.

    Raises:
        ValueError: there is no such strategy or shard.
        StrategyFaultError: a strategy raised an exception, or named no covered cell.
        JournalError, BackendError: as ``ResumableSweep.run``. Games that were played before an
            exception are written.
    """
    strategies = {
        name: own[name] if own and name in own else find_strategy(name) for name in plan.strategies
    }
    batches = jobs_of(plan, shard)
    content = _manifest(plan, shard, arguments, len(batches))
    content["code"] = {name: code_digest(strategy) for name, strategy in strategies.items()}
    watch = Tallies(plan)
    opening = partial(Player, own, len(batches) * plan.batch // backend.jobs, tell)
    jobs = ResumableSweep(
        batches, content, RECORDS, watch.see, opening, backend, watch.unwanted, reach
    )
    jobs.run(folder, resume=resume)
    return read_simulation(folder)


def _manifest(
    plan: Plan, shard: tuple[int, int] | None, arguments: Sequence[str], batches: int
) -> dict[str, Any]:
    return manifest(
        RECORDS.schema,
        arguments=arguments,
        jobs=batches,
        digest=plan.digest,
        shard=shard,
        sizes=FORM,
        plan=plan.as_json(),
    )


def jobs_of(plan: Plan, shard: tuple[int, int] | None) -> list[Batch]:
    """Return the batches of a plan, or of a shard.

    Raises:
        ValueError: there is no such shard, or the plan has a width, which needs games in order.
    """
    if shard is None:
        return plan.batches()
    if plan.width is not None:
        raise ValueError("a width takes games in their order: none for a shard")
    return shard_of(plan.batches(), *shard, lambda batch: batch)


def read_simulation(folder: Path) -> Simulation:
    """Return the figures of the games in a folder, finished or not.

    Raises:
        JournalError: the folder has no manifest, or the manifest or a line of results is invalid.
    """
    content = read_manifest(folder, RECORDS.schema)
    if content is None:
        raise JournalError(f"{folder / MANIFEST}: no such file; is {folder} a simulation's folder?")
    try:
        plan = plan_of(content["plan"])
        shard = None if content["shard"] is None else (content["shard"][0], content["shard"][1])
        jobs_of(plan, shard)
    except (KeyError, TypeError, IndexError, ValueError) as error:
        raise JournalError(f"{folder / MANIFEST}: no plan of a simulation: {error}") from None
    return _simulation(plan, shard, content, read_results(folder / RESULTS, RECORDS.read))


def games_won(folder: Path) -> dict[tuple[Setting, str], NDArray[np.bool_]]:
    """Whether each game in a folder was won, by setting and strategy, from game 0 on.

    Game N of a seed has the same layout in every folder, so that strategies of different folders
    can be compared game by game. An array ends at the first game that is missing.

    Raises:
        JournalError: a line of results is invalid.
    """
    parts: dict[tuple[Setting, str], list[NDArray[np.bool_]]] = {}
    games: Counter[Setting] = Counter()
    for played in sorted(read_results(folder / RESULTS, RECORDS.read), key=lambda r: r.job.first):
        batch = played.job
        if batch.first != games[batch.setting]:
            continue
        games[batch.setting] += batch.games
        for name, outcomes in zip(batch.strategies, played.outcomes, strict=True):
            data = np.frombuffer(outcomes.won.to_bytes(-(-batch.games // 8), "little"), np.uint8)
            won = np.unpackbits(data, count=batch.games, bitorder="little").astype(np.bool_)
            parts.setdefault((batch.setting, name), []).append(won)
    return {key: np.concatenate(each) for key, each in parts.items()}


def unplayed(
    plan: Plan, shard: tuple[int, int] | None, arguments: Sequence[str] = ()
) -> Simulation:
    """Return a simulation without games; ``arguments`` are the arguments of the command.

    Raises:
        ValueError: there is no such shard.
    """
    content = _manifest(plan, shard, arguments, len(jobs_of(plan, shard)))
    return _simulation(plan, shard, content, ())


def _simulation(
    plan: Plan, shard: tuple[int, int] | None, content: dict[str, Any], results: Iterable[Played]
) -> Simulation:
    wanted = {batch.id: batch for batch in jobs_of(plan, shard)}
    played = {each.job.id: each for each in results if each.job.id in wanted}
    found = Tallies(plan)
    for each in played.values():
        found.see(each)
    for tally in found.of.values():
        # While a simulation is unfinished, batches may be missing in between: then the later
        # batches count too.
        for _, each in sorted(tally.waiting.items()) if not tally.enough else ():
            tally.add(each)
    tables = tuple(table(plan, setting, tally) for setting, tally in found.of.items())
    missing = sum(
        batch.games
        for batch in wanted.values()
        if batch.id not in played and not found.unwanted(batch)
    )
    return Simulation(plan, tables, shard, missing, content)
