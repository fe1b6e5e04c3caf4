"""Runs of a simulation as CSV, a row a run, for spreadsheets and data frames."""

from typing import IO, Any, Final

from satsweeper.play.simulation.as_json import run_row
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
