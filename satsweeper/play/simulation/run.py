"""A simulation run into a folder, from which its figures are read."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from pbcnf.shown import Tabled
from satsweeper.board.size import FORM, BoardSize
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
from satsweeper.play.simulation.plan import (
    Batch,
    Intervals,
    Plan,
    Played,
    Setting,
    board_named,
    first_click_named,
    plan_of,
    played_of,
)
from satsweeper.play.simulation.player import Player
from satsweeper.play.simulation.tally import SettingFigures, Tallies, table, tallies
from satsweeper.play.strategies.table import find_strategy
from satsweeper.play.view import Strategy

RECORDS: Final = Records("satsweeper/simulation/1", played_of, ("satsweeper",))
"""The format of the folder of a simulation."""


@dataclass(frozen=True, slots=True)
class Simulation(Tabled):
    """The figures of a simulation.

    ``shard`` is the part of it that this is, if any; ``missing`` are the games still to be played.
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

    All strategies play the same layouts, so that their differences are known better than their
    rates. The result depends on the arguments alone, ``jobs`` aside; seconds differ.

    Args:
        boards: ``"30x16/99"``, ``"expert"``, or several.
        strategies: names of the table, ``MODULE:NAME``, or functions from a view to a cell that
            depend on nothing else.
        games: of each setting, at the most.
        first_click: ``none``, ``safe``, ``opening``, ``windows``, or several.
        start: the first cell; where published rates begin, if it is not given.
        seed: another seed draws other layouts.
        width: end a setting when none of its ``narrow`` intervals is wider.
        narrow: the intervals of ``rates``, of ``differences``, or ``all``.
        jobs: processes.
        folder: keeps every game that was played; of none, nothing is left.
        resume: go on with what is in the folder.

    Raises:
        ValueError: one line: an unknown name, a board without room for its mines.
        StrategyFaultError: a strategy does what no strategy may.
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

    ``results.jsonl`` has a line a batch, ``manifest.json`` says what was played where.
    ``arguments`` are those of the command that does the same; ``reach`` is told how many batches
    are done, and ``tell`` is called once in each process that compiles.

    Raises:
        ValueError: there is no such strategy or shard.
        StrategyFaultError: a strategy does what no strategy may; what was played is written.
        JournalError, BackendError: as ``ResumableSweep.run``; likewise.
    """
    for name in plan.strategies:
        if name not in (own or {}):
            find_strategy(name)
    batches = jobs_of(plan, shard)
    content = _manifest(plan, shard, arguments, len(batches))
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
    """Return the batches of a plan, or of a shard; ValueError if there is no such shard."""
    if shard is None:
        return plan.batches()
    if plan.width is not None:
        raise ValueError("a width takes games in their order: none for a shard")
    return shard_of(plan.batches(), *shard, lambda batch: batch)


def read_simulation(folder: Path) -> Simulation:
    """Return the figures of the games in a folder, finished or not.

    Raises:
        JournalError: there are none, or a line or the manifest is not what it should be.
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
    found = tallies(plan, played.values())
    tables = tuple(table(plan, setting, *found[setting]) for setting in plan.settings)
    enough = {each.setting for each in tables if each.enough}
    missing = sum(
        batch.games
        for batch in wanted.values()
        if batch.id not in played and batch.setting not in enough
    )
    return Simulation(plan, tables, shard, missing, content)
