"""The figures of a simulation as one JSON object, and its runs as CSV."""

from typing import IO, Any, Final

from satsweeper.play.simulation.figures import Pair, SettingFigures, StrategyRun
from satsweeper.play.simulation.run import Simulation
from satsweeper.report import csv_file

COLUMNS: Final = (
    "board",
    "first_click",
    "start_row",
    "start_column",
    "seed",
    "strategy",
    "games",
    "won",
    "rate",
    "rate_low",
    "rate_high",
    "guesses",
    "won_without_guess",
    "won_without_guess_low",
    "won_without_guess_high",
    "seconds",
    "unsafe",
    "narrow_enough",
)
"""Columns: intervals of 95 %, means a game of ``guesses`` and of CPU ``seconds``."""


def as_json(found: Simulation) -> dict[str, Any]:
    """``satsweeper/simulate/1``; numbers that do not exist are null, shares are from 0 to 1."""
    plan = found.plan
    return {
        "schema": "satsweeper/simulate/1",
        "seed": plan.seed,
        "games": plan.games,
        "width": plan.width,
        "narrow": plan.narrow,
        "shard": None if found.shard is None else list(found.shard),
        "complete": found.complete,
        "runs": [run_row(table, run) for table in found.tables for run in table.runs],
        "pairs": [pair_row(table, pair) for table in found.tables for pair in table.pairs],
    }


def run_row(table: SettingFigures, run: StrategyRun) -> dict[str, Any]:
    """Return the row of a strategy under a setting."""
    return {
        **table.setting.as_json(),
        "strategy": run.strategy,
        "games": run.games,
        "won": run.won,
        "rate": run.rate,
        "interval": list(run.interval),
        "guesses": run.guesses,
        "won_without_guess": run.unguessed / run.games if run.games else None,
        "won_without_guess_interval": list(run.unguessed_interval),
        "seconds": run.seconds,
        "unsafe": run.unsafe,
        "narrow_enough": table.enough,
    }


def pair_row(table: SettingFigures, pair: Pair) -> dict[str, Any]:
    """The object for two strategies under a setting: how much more often the first wins."""
    pairs = pair.pairs
    return {
        **table.setting.as_json(),
        "strategy": pair.strategy,
        "against": pair.against,
        "games": pairs.n,
        "both": pairs.both,
        "only_strategy": pairs.first,
        "only_against": pairs.second,
        "neither": pairs.neither,
        "difference": pairs.difference if pairs.n else None,
        "interval": list(pair.interval),
        "p": pair.p,
    }


def write_csv(found: Simulation, stream: IO[bytes]) -> None:
    """Write a header and a row for each run of `found`."""
    rows = (
        _row(run_row(table, run)) | {"seed": found.plan.seed}
        for table in found.tables
        for run in table.runs
    )
    csv_file.write_csv(COLUMNS, rows, stream)


def _row(found: dict[str, Any]) -> dict[str, Any]:
    found["start_row"], found["start_column"] = found.pop("start")
    found["rate_low"], found["rate_high"] = found.pop("interval")
    ends = found.pop("won_without_guess_interval")
    found["won_without_guess_low"], found["won_without_guess_high"] = ends
    found["narrow_enough"] = int(found["narrow_enough"])
    return found
