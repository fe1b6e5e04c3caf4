"""Boards with rules and geometries as text: lines ``key: value``, then a row of cells a line.

The keys are those of `headers.KEYS`, in any order, each once: ``rules`` (letters of rules),
``geometry`` (a name of `geometry.table.GRIDS`), ``mines`` (the total, or ``?``) and ``columns``,
which is seldom needed. Blank lines and lines that begin with ``;`` mean nothing; before the first
row a line that begins with ``# `` and holds a word is a remark.

A cell is a clue under the rules, ``?`` covered (also ``. - # H``) or ``F`` a flag (also ``! *``);
where a clue of the rules is a letter, as under 2E, it is the clue. Cells of a row stand apart by
blanks. A row without blanks has a cell a character, unless that cannot be: ``W13`` under ``#`` and
``12`` under 2X are clues, and W or 1 alone is none. So ``13`` under W is two cells; in a board of
one column, where it might be one, a line ``columns: 1`` says so. A first row such as
``2 3 1`` above rows without blanks is refused: it is meant as the header ``rows columns mines`` of
boards without rules.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from pbcnf.wording import counted, unknown_name
from satsweeper.notation.error import BoardError
from satsweeper.notation.header import shortened
from satsweeper.notation.pasted import is_remark
from satsweeper.position import KEEP, Total
from satsweeper.puzzle.board import chequered
from satsweeper.puzzle.clue import Clue, read_clue
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.fields import MOST_CELLS, Fields, Shown
from satsweeper.puzzle.geometry.table import GRIDS, grid
from satsweeper.puzzle.headers import HEADER, KEYS
from satsweeper.puzzle.rules.kind import required
from satsweeper.puzzle.rules.table import OWN_LETTERS, parted

_SIZE: Final = re.compile(r"[ \t]*([0-9]{1,9})[ \t]+([0-9]{1,9})[ \t]+([0-9]{1,9}|\?)[ \t]*")
_COVERED: Final = "?.-#H"
_FLAGS: Final = "F!*"


class _Value(NamedTuple):
    """The text after a key, and its place in the source."""

    line: int | None
    column: int | None
    text: str


class _Row(NamedTuple):
    """A row: the number of its line, and the column and text of each cell."""

    line: int
    cells: list[tuple[int, str]]


class _Symbols:
    """The meaning of the text of a cell under the rules ``letters``."""

    def __init__(self, letters: tuple[str, ...]) -> None:
        self._letters = parted(letters)[1]
        self._found: dict[str, Clue | str | RuleError] = {}

    def read(self, token: str) -> Clue | str:
        """Return a clue, "covered" or "flag". Raises RuleError."""
        if token not in self._found:
            self._found[token] = self._read(token)
        found = self._found[token]
        if isinstance(found, RuleError):
            raise found
        return found

    def _read(self, token: str) -> Clue | str | RuleError:
        if len(token) > 40:
            return RuleError(f"a cell of {len(token)} characters: {shortened(token)!r}")
        try:
            return read_clue(token, self._letters)
        except RuleError as error:
            if len(token) == 1 and token in _COVERED:
                return "covered"
            return "flag" if len(token) == 1 and token in _FLAGS else error

    def knows(self, token: str) -> bool:
        """Whether ``token`` is the text of a cell."""
        try:
            return bool(self.read(token))
        except RuleError:
            return False

    def cells(self, line: str, columns: int | None) -> list[tuple[int, str]]:
        """Return the cells of a row with their columns; ``columns``: how many the board has."""
        found = [(match.start() + 1, match[0]) for match in re.finditer(r"[^ \t]+", line)]
        if len(found) > 1 or columns == 1:
            return found
        start, word = found[0]
        # Read a character a cell, a row such as 12 under 2X would be no row at all.
        if len(word) > 1 and self.knows(word) and not all(map(self.knows, word)):
            return found
        return [(start + place, symbol) for place, symbol in enumerate(word)]


def read_text_board(
    text: str, source: str, mines: Total = KEEP, stated: Mapping[str, str] | None = None
) -> Fields:
    """Return the board in ``text``.

    Args:
        text: lines and rows.
        source: the name of the text in messages.
        mines: replaces the total.
        stated: values of lines by their keys, which replace those of the text.

    Raises BoardError with source, line and column.
    """
    values, lines = _parted(text, source)
    values |= {key: _Value(None, None, value) for key, value in (stated or {}).items()}
    letters = _rules(values, source)
    width = _number(values, "columns", "a number of columns", source)
    symbols = _Symbols(letters)
    if not lines:
        raise BoardError(source, message="no board: no row of cells")
    rows = _rows(lines, symbols, width, source)
    if width is None:
        _refuse_size(lines, rows, source)
        width = len(rows[0].cells)
    for row in rows:
        _check_width(row, width, "columns" in values, source)
    name = values.get("geometry", _Value(1, 1, "square"))
    try:
        geometry = grid(name.text, len(rows), width)
    except RuleError as error:
        raise BoardError(source, name.line, name.column, str(error)) from None
    clues: dict[int, Clue] = {}
    flags = set()
    for at, row in enumerate(rows):
        for cell, (place, token) in enumerate(row.cells, at * width):
            try:
                found = symbols.read(token)
            except RuleError as error:
                what = f"{error}; or ? covered, F flag"
                raise BoardError(source, row.line, place, what) from None
            if isinstance(found, Clue):
                clues[cell] = found
            elif found == "flag":
                flags.add(cell)
    return {
        "geometry": geometry,
        "rules": letters,
        "clues": clues,
        "flags": frozenset(flags),
        "mines": _total(values, source, mines, len(geometry)),
    }


def _parted(text: str, source: str) -> tuple[dict[str, _Value], list[tuple[int, str]]]:
    """Return the values by their keys, and the lines of rows with their numbers."""
    values: dict[str, _Value] = {}
    rows: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.rstrip(" \t\r")
        if not line or line.startswith(";") or (not rows and is_remark(line)):
            continue
        found = HEADER.fullmatch(line)
        if found is None:
            rows.append((number, line))
            continue
        key = found[1].lower()
        column = found.start(1) + 1
        if key not in KEYS:
            raise BoardError(source, number, column, unknown_name("line", key, KEYS))
        if key in values:
            what = f"a second line {key!r}: the first is line {values[key].line}"
            raise BoardError(source, number, column, what)
        if rows:
            raise BoardError(source, number, column, f"line {key!r} below a row: it stands above")
        values[key] = _Value(number, found.start(2) + 1, found[2])
    return values, rows


def _rows(
    lines: list[tuple[int, str]], symbols: _Symbols, width: int | None, source: str
) -> list[_Row]:
    """Return the rows; BoardError where there are too many cells, before they are all found."""
    rows: list[_Row] = []
    cells = 0
    for number, line in lines:
        # No cell has more than 40 characters, so a longer row has too many cells or a wrong one.
        if len(line) > 50 * MOST_CELLS:
            what = f"row of {len(line)} characters: a board with rules has {MOST_CELLS} cells"
            raise BoardError(source, number, 1, f"{what} at most")
        rows.append(_Row(number, symbols.cells(line, width)))
        cells += len(rows[-1].cells)
        if cells > MOST_CELLS:
            what = f"more than {MOST_CELLS} cells: a board with rules has no more"
            raise BoardError(source, number, rows[-1].cells[0][0], what)
    return rows


def _refuse_size(lines: list[tuple[int, str]], rows: list[_Row], source: str) -> None:
    """Refuse a first row that is meant as the header ``rows columns mines``."""
    size = _SIZE.fullmatch(lines[0][1])
    widths = {len(row.cells) for row in rows[1:]}
    if size is None or len(widths) != 1:
        return
    # Where the rows below have three cells apart by blanks, too, it is one of them.
    if widths == {3} and any(len(line.split()) > 1 for _, line in lines[1:]):
        return
    said = shortened(lines[0][1].strip())
    what = f"{said!r} is the header of boards without rules: here a line 'mines: {size[3]}'"
    more = "; for a row of clues add a line 'columns: 3'" if widths == {3} else ""
    raise BoardError(source, rows[0].line, rows[0].cells[0][0], f"{what} says the total{more}")


def _check_width(row: _Row, width: int, stated: bool, source: str) -> None:
    found = len(row.cells)
    if found == width:
        return
    place = row.cells[width][0] if found > width else row.cells[-1][0] + len(row.cells[-1][1])
    what = "the line 'columns' says" if stated else "the first row has"
    raise BoardError(source, row.line, place, f"row of {counted(found, 'cell')}: {what} {width}")


def _rules(values: dict[str, _Value], source: str) -> tuple[str, ...]:
    value = values.get("rules", _Value(1, 1, ""))
    letters = tuple(value.text.split())
    try:
        required(letters)
    except RuleError as error:
        raise BoardError(source, value.line, value.column, str(error)) from None
    return letters


def _number(values: dict[str, _Value], key: str, what: str, source: str) -> int | None:
    """Return a positive number; None without a line ``key``."""
    if key not in values:
        return None
    line, column, text = values[key]
    if text.isascii() and text.isdigit() and int(text[:9]) > 0 and len(text) < 9:
        return int(text)
    raise BoardError(source, line, column, f"{shortened(text)!r}: {what}, 1 at least")


def _total(values: dict[str, _Value], source: str, mines: Total, cells: int) -> int | None:
    line, column, text = values.get("mines", _Value(1, 1, "?"))
    total: int | None = None
    place: tuple[int | None, int | None] = (line, column)
    if mines is not KEEP:
        total, place = mines, (None, None)
    elif text.isascii() and text.isdigit() and len(text) < 10:
        total = int(text)
    elif text not in ("?", "unknown"):
        raise BoardError(source, line, column, f"{shortened(text)!r}: a number of mines, or ?")
    if total is not None and not 0 <= total <= cells:
        room = f"{counted(total, 'mine')} in {counted(cells, 'cell')}"
        raise BoardError(source, *place, f"{room}: the total is 0 to {cells}")
    return total


def text_board(board: Shown) -> str:
    """Return a board as text that `read_text_board` reads to an equal board.

    Raises RuleError for a board that text cannot hold: of another geometry than a grid, with
    regions, dyed cells of its own, weights, capacities, opened or shown cells.
    """
    symbols = _Symbols(board.rules)
    rows = _symbols_of(board, symbols)
    columns = len(rows[0])
    short = all(len(each) == 1 for row in rows for each in row)
    lines = [f"rules: {' '.join(board.rules)}"] if board.rules else []
    if board.geometry.name != "square" or not board.rules:
        lines.append(f"geometry: {board.geometry.name}")
    if board.mines is not None:
        lines.append(f"mines: {board.mines}")
    if not short and columns == 1:
        lines.append(f"columns: {columns}")
    lines += [("" if short else " ").join(row) for row in rows]
    return "\n".join(lines) + "\n"


def _symbols_of(board: Shown, symbols: _Symbols) -> list[list[str]]:
    geometry = board.geometry
    if geometry.name not in GRIDS or geometry != grid(geometry.name, *geometry.shape):
        raise RuleError(f"text cannot hold the geometry {geometry.name!r}: JSON can")
    parts: dict[str, Any] = {
        "regions": board.regions,
        "dyed cells": board.dyed is not None and board.dyed != chequered(geometry),
        "weights": board.weights,
        "capacities": board.capacity,
        "opened cells without a clue": board.opened,
        "cells known to be mines": board.shown,
    }
    lost = [name for name, part in parts.items() if part]
    if lost:
        raise RuleError(f"text cannot hold {', '.join(lost)}: JSON can")
    # Where F is a clue, a flag is written with the symbol that is none.
    flag = next(each for each in _FLAGS if symbols.read(each) == "flag")
    own = OWN_LETTERS in board.rules
    texts = []
    for cell in range(len(geometry)):
        clue = board.clues.get(cell)
        if clue is None:
            texts.append(flag if cell in board.flags else "?")
            continue
        token = "".join(clue.kind.letters) * own + clue.text()
        if not symbols.knows(token) or symbols.read(token) != clue:
            rules = " ".join(clue.kind.letters)
            what = f"the clue {clue.text()!r} of rule {rules} at {geometry.cells[cell]}"
            raise RuleError(f"text cannot hold {what}: JSON can")
        texts.append(token)
    columns = geometry.shape[1]
    return [texts[start : start + columns] for start in range(0, len(texts), columns)]
