"""Games on small squares by all layouts, as the plain readings have them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tests.puzzle.plain_boards import Cell, Mines, board, layouts

Shown = Mapping[Cell, str]
"""The text of each open cell; under ``#`` with the letters before it."""
HIDDEN = ("2I", "2E", "2L")


def all_layouts(
    rules: Iterable[str],
    opened: Shown,
    rows: int,
    columns: int,
    total: int | None,
    safe: Iterable[Cell] = (),
    geometry: str = "square",
) -> Iterator[Mines]:
    """Every layout under the rules that shows what is open and has no mine in ``safe``."""
    return layouts(
        " ".join(rules), rows, columns, opened, mines=total, opened=safe, geometry=geometry
    )


def safe_cells(
    rules: Iterable[str],
    opened: Shown,
    rows: int,
    columns: int,
    total: int | None,
    safe: Iterable[Cell] = (),
    geometry: str = "square",
) -> set[Cell]:
    """The covered cells that are a mine in no layout."""
    found = board(" ".join(rules), rows, columns, opened, total, (), safe, geometry).verdicts
    return {divmod(cell, columns) for cell, verdict in found.items() if verdict == "safe"}


def stuck(
    rules: Iterable[str], opened: Shown, solution: Shown, rows: int, columns: int, total: int | None
) -> set[Cell]:
    """The cells that are open in the end of a game of certain moves."""
    seen = dict(opened)
    while found := safe_cells(rules, seen, rows, columns, total):
        seen |= {cell: solution[cell] for cell in found}
    return {*seen}


def texts(rows: Iterable[str | list[str]]) -> dict[Cell, str]:
    """The cells of rows of text that show something, ``*`` and ``?`` left out."""
    return {
        (row, column): text
        for row, line in enumerate(rows)
        for column, text in enumerate(line)
        if text not in ("*", "?")
    }
