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
        writer.writeheader()
        writer.writerows(rows)
    finally:
        text.detach()
