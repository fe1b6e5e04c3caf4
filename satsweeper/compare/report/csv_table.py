"""Results of a sweep as CSV, a row a job, for spreadsheets and data frames."""

from collections.abc import Iterable
from dataclasses import fields
from typing import IO, Any, Final

from satsweeper.compare.job.job import Job
from satsweeper.compare.job.result import Measured, Result
from satsweeper.report import csv_file

COLUMNS: Final = (
    "id",
    *(field.name for field in fields(Job)),
    "status",
    *(field.name for field in fields(Measured)),
    *(field.name for field in fields(Result)[3:]),
)
"""Seconds of CPU for ``encode`` and ``solve``, bytes for ``memory``; empty where not known."""


def write_csv(results: Iterable[Result], stream: IO[bytes]) -> None:
    """Write a header and a row for each of `results`, in the order given."""
    csv_file.write_csv(COLUMNS, map(_row, results), stream)


def _row(result: Result) -> dict[str, Any]:
    found = result.as_json()
    measured: dict[str, Any] = found.pop("measured")
    return found | measured
