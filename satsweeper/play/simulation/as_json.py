"""The figures of a simulation as one JSON object."""

from typing import Any

from satsweeper.play.simulation.figures import Pair, SettingFigures, StrategyRun
from satsweeper.play.simulation.run import Simulation


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
        **_setting(table),
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
        **_setting(table),
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


def _setting(table: SettingFigures) -> dict[str, Any]:
    setting = table.setting
    return {
        "board": str(setting.board),
        "first_click": str(setting.first_click),
        "start": list(setting.start),
    }
