"""Rows as a file of comma-separated values, for spreadsheets and data frames."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, Any


def write_csv(columns: Sequence[str], rows: Iterable[Mapping[str, Any]], stream: IO[bytes]) -> None:
    """Write a header of `columns` and a line for each of `rows` in UTF-8; None is an empty cell.

    Raises ValueError for a row with a name that is not in `columns`.
    """
    text = io.TextIOWrapper(stream, "utf-8", newline="", write_through=True)
    try:
        writer = csv.DictWriter(text, columns, lineterminator="\n")
        # Before Python 3.13 a carriage return is not quoted by itself, and would end the line.
        quoted = csv.DictWriter(text, columns, lineterminator="\n", quoting=csv.QUOTE_ALL)
        writer.writeheader()
        for row in rows:
            returns = any("\r" in cell for cell in row.values() if isinstance(cell, str))
            (quoted if returns else writer).writerow(row)
    finally:
        text.detach()
