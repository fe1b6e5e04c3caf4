"""Results of a sweep as CSV, a row a job, for spreadsheets and data frames."""

from collections.abc import Iterable
from typing import IO, Any

from satsweeper.compare.job.result import Result
from satsweeper.report import csv_file

COLUMNS = (
    "id",
    "instance",
    "name",
    "task",
    "encoding",
    "total_encoding",
    "solver",
    "order",
    "seed",
    "status",
    "encode",
    "solve",
    "memory",
    "variables",
    "clauses",
    "literals",
    "conflicts",
    "propagations",
    "decisions",
    "calls",
    "verdicts",
    "budget",
    "message",
)
"""Seconds of CPU for ``encode`` and ``solve``, bytes for ``memory``; empty where not known."""


def write_csv(results: Iterable[Result], stream: IO[bytes]) -> None:
    """Write a header and a row for each of `results`, in the order given."""
    csv_file.write_csv(COLUMNS, map(_row, results), stream)


def _row(result: Result) -> dict[str, Any]:
    found = result.as_json()
    measured: dict[str, Any] = found.pop("measured")
    return found | measured
