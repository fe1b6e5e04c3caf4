"""One row a job, for spreadsheets and data frames."""

import csv
import io
from collections.abc import Iterable
from typing import IO, Any

from satsweeper.compare.job.result import Result

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
    """A header and the rows, in UTF-8, in the order given."""
    text = io.TextIOWrapper(stream, "utf-8", newline="", write_through=True)
    try:
        rows = csv.DictWriter(text, COLUMNS, lineterminator="\n")
        rows.writeheader()
        for result in results:
            rows.writerow(_row(result))
    finally:
        text.detach()


def _row(result: Result) -> dict[str, Any]:
    found = result.as_json()
    measured: dict[str, Any] = found.pop("measured")
    return found | measured
