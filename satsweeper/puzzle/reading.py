"""Boards with rules and geometries as text; other formats by their own headers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from pbcnf.wording import counted
from satsweeper.board.codes import COVERED, FLAG
from satsweeper.notation.detect import detect, unwrapped
from satsweeper.notation.error import BoardError
from satsweeper.notation.text import decoded
from satsweeper.position import KEEP, Position, Total
from satsweeper.puzzle.clue import Clue, read_clue
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.geometry.table import grid
from satsweeper.puzzle.headers import HEADER, KEYS, may_hold_rules
from satsweeper.puzzle.rules.kind import clue_kind, required
from satsweeper.puzzle.rules.table import parted

_COVERED: Final = "?.-#H"
_FLAGS: Final = "F!*"


_SIZE: Final = re.compile(r"^[0-9]{1,9} [0-9]{1,9} ([0-9]{1,9}|\?)[ \t\r]*$", re.MULTILINE)
"""The line of `Position`'s text with rows, columns and mines."""

Fields = dict[str, Any]
"""The arguments of `Puzzle`, by name."""
_Values = dict[str, tuple[int | None, int | None, str]]
"""Key of a line before the rows -> its line, the column of its value, and the value."""


def read_puzzle(
    data: str | bytes, source: str, mines: Total = KEEP, stated: Mapping[str, str] | None = None
) -> Fields:
    """Read a board in any format.

    ``stated``: values of the lines ``rules`` and ``geometry`` that replace those of the board.
    Raises BoardError with source, line and column.
    """
    stated = stated or {}
    if may_hold_rules(data):
        return _read_text(decoded(unwrapped(data, source), source), source, mines, stated)
    plain = unwrapped(data, source) if "rules" in stated else ""
    raw = plain if isinstance(plain, bytes) else plain.encode("utf-8", "surrogatepass")
    try:
        position = Position.parse(data, source=source, mines=mines)
    except BoardError:
        if not raw or detect(raw) != "text":
            raise
        position = None
    if raw and detect(raw) == "text":
        # Clues of several characters are no text for `Position`, or are other cells to it: the rows
        # are read as rows under rules. Rows drawn in other ways, as emoji, are left to `Position`.
        text = _SIZE.sub(lambda size: f"mines: {size[1]}", decoded(plain, source), count=1)
        try:
            return _read_text(text, source, mines, stated)
        except BoardError as error:
            if position is None:
                raise
            try:
                return _restated(of_position(position), stated, source)
            except BoardError:
                raise error from None
    assert position is not None
    return _restated(of_position(position), stated, source)


def _restated(fields: Fields, stated: Mapping[str, str], source: str) -> Fields:
    """Return a board of one format with the rules and the geometry ``stated``, clues read anew."""
    try:
        if "geometry" in stated:
            shape = fields["geometry"].shape
            if len(shape) != 2:
                raise RuleError("only a board of rows and columns takes another geometry")
            fields |= {"geometry": grid(stated["geometry"], *shape)}
        if "rules" in stated:
            letters = tuple(stated["rules"].split())
            kinds = parted(letters)[1]
            clues = {cell: read_clue(clue.text(), kinds) for cell, clue in fields["clues"].items()}
            fields |= {"rules": letters, "clues": clues}
    except RuleError as error:
        raise BoardError(source, message=str(error)) from None
    return fields


def to_position(fields: Fields) -> Position:
    """Return squares under rule V as a position."""
    geometry = fields["geometry"]
    rows, columns = geometry.shape
    codes = [COVERED] * (rows * columns)
    for cell, clue in fields["clues"].items():
        codes[cell] = clue.value
    for cell in fields["flags"]:
        codes[cell] = FLAG
    lines = [codes[start : start + columns] for start in range(0, len(codes), columns)]
    return Position(lines, fields["mines"])


def of_position(position: Position) -> Fields:
    """Return a board of squares under rule V."""
    geometry = grid("square", position.rows, position.columns)
    kind = clue_kind(("V",))
    codes = position.cells.ravel().tolist()
    return {
        "geometry": geometry,
        "clues": {cell: Clue(kind, code) for cell, code in enumerate(codes) if code >= 0},
        "flags": frozenset(cell for cell, code in enumerate(codes) if code == -2),
        "mines": position.mines,
    }


def _read_text(text: str, source: str, mines: Total, stated: Mapping[str, str]) -> Fields:
    values: _Values = {}
    rows: list[tuple[int, list[tuple[int, str]]]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.removesuffix("\r")
        if not line.strip() or line.startswith((";", "# ")):
            continue
        header = HEADER.fullmatch(line)
        if header is not None and not rows:
            key = header[1]
            if key not in KEYS:
                from pbcnf.wording import unknown_name

                what = unknown_name("line", key, KEYS)
                raise BoardError(source, number, line.index(key) + 1, what)
            if key in values:
                raise BoardError(source, number, 1, f"a second line {key!r}")
            values[key] = number, header.start(2) + 1, header[2]
            continue
        rows.append((number, _tokens(line)))
    if not rows:
        raise BoardError(source, message="no board: no row of cells")
    values |= {key: (None, None, value) for key, value in stated.items()}
    letters = _rules(values, source)
    total = _total(values, source) if mines is KEEP else mines
    width = len(rows[0][1])
    for number, row in rows:
        if len(row) != width:
            place = row[min(len(row), width) - 1][0]
            what = f"row of {len(row)} cells: the first row has {width}"
            raise BoardError(source, number, place, what)
    header_line, header_column, name = values.get("geometry", (1, 1, "square"))
    try:
        geometry = grid(name, len(rows), width)
    except RuleError as error:
        raise BoardError(source, header_line, header_column, str(error)) from None
    clues: dict[int, Clue] = {}
    kinds = parted(letters)[1]
    flags = set()
    for at, (number, row) in enumerate(rows):
        for across, (place, token) in enumerate(row):
            cell = at * width + across
            if token in _COVERED:
                continue
            if token in _FLAGS:
                flags.add(cell)
                continue
            try:
                clues[cell] = read_clue(token, kinds)
            except RuleError as error:
                what = f"{error}; or ? covered, F flag"
                raise BoardError(source, number, place, what) from None
    if total is not None and not 0 <= total <= len(geometry):
        room = f"{counted(total, 'mine')} in {counted(len(geometry), 'cell')}"
        where = values["mines"][:2] if mines is KEEP else (None, None)
        raise BoardError(source, where[0], where[1], f"{room}: the total is 0 to {len(geometry)}")
    return {
        "geometry": geometry,
        "rules": letters,
        "clues": clues,
        "flags": frozenset(flags),
        "mines": total,
    }


def _tokens(line: str) -> list[tuple[int, str]]:
    """Return the cells of a row with their columns: parted by blanks, else a character each."""
    found = [(match.start() + 1, match[0]) for match in re.finditer(r"[^ \t]+", line)]
    if len(found) == 1:
        start, word = found[0]
        return [(start + place, symbol) for place, symbol in enumerate(word)]
    return found


def _rules(values: _Values, source: str) -> tuple[str, ...]:
    line, column, text = values.get("rules", (1, 1, ""))
    letters = tuple(text.split())
    try:
        required(letters)
    except RuleError as error:
        raise BoardError(source, line, column, str(error)) from None
    return letters


def _total(values: _Values, source: str) -> int | None:
    line, column, text = values.get("mines", (1, 1, "?"))
    if text in ("?", "unknown"):
        return None
    if text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    raise BoardError(source, line, column, f"{text!r}: a number of mines, or ?")
