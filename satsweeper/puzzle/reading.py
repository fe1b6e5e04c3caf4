"""Boards with rules and geometries as text; other formats by their own headers."""

from __future__ import annotations

import re
from typing import Any, Final

from pbcnf.wording import counted
from satsweeper.board.codes import COVERED, FLAG
from satsweeper.notation.detect import unwrapped
from satsweeper.notation.error import BoardError
from satsweeper.notation.text import decoded
from satsweeper.position import KEEP, Position, Total
from satsweeper.puzzle.clue import Clue
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.geometry.table import grid
from satsweeper.puzzle.rules.kind import clue_kind
from satsweeper.puzzle.rules.table import CLUES, OWN_LETTERS, parted

KEYS: Final = ("rules", "geometry", "mines")
"""The keys of the lines before the rows."""
_HEADER: Final = re.compile(r"[ \t]*([A-Za-z]+)[ \t]*:[ \t]*(.*?)[ \t\r]*")
_COVERED: Final = "?.-#H"
_FLAGS: Final = "F!*"


Fields = dict[str, Any]
"""The arguments of `Puzzle`, by name."""


def read_puzzle(data: str | bytes, source: str, mines: Total = KEEP) -> Fields:
    """Read a board in any format. Raises BoardError with source, line and column."""
    text = decoded(unwrapped(data, source), source)
    if not has_header(text):
        position = Position.parse(data, source=source, mines=mines)
        return of_position(position)
    return _read_text(text, source, mines)


def may_hold_rules(data: str | bytes) -> bool:
    """Whether a text may be a board that `Puzzle` has to read, from its first line alone."""
    text = data if isinstance(data, str) else data.decode("utf-8", "replace")
    return has_header(text)


def has_header(text: str) -> bool:
    """Whether the first line that is neither blank nor a comment is one of `KEYS` with a value."""
    for line in text.split("\n"):
        if line.strip() and not line.startswith((";", "# ")):
            found = _HEADER.fullmatch(line)
            return found is not None and found[1] in KEYS
    return False


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


def _read_text(text: str, source: str, mines: Total) -> Fields:
    values: dict[str, tuple[int, int, str]] = {}
    rows: list[tuple[int, list[tuple[int, str]]]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.removesuffix("\r")
        if not line.strip() or line.startswith((";", "# ")):
            continue
        header = _HEADER.fullmatch(line)
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
                clues[cell] = _clue(token, letters)
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


def _rules(values: dict[str, tuple[int, int, str]], source: str) -> tuple[str, ...]:
    line, column, text = values.get("rules", (1, 1, ""))
    letters = tuple(text.split())
    try:
        _, clues = parted(letters)
        if OWN_LETTERS not in clues:
            clue_kind(clues)
        elif len(clues) > 1:
            raise RuleError(f"rules {' '.join(clues)}: with # each clue has its own letters")
    except RuleError as error:
        raise BoardError(source, line, column, str(error)) from None
    return letters


def _total(values: dict[str, tuple[int, int, str]], source: str) -> int | None:
    line, column, text = values.get("mines", (1, 1, "?"))
    if text in ("?", "unknown"):
        return None
    if text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    raise BoardError(source, line, column, f"{text!r}: a number of mines, or ?")


def _clue(token: str, letters: tuple[str, ...]) -> Clue:
    _, clues = parted(letters)
    if OWN_LETTERS not in clues:
        kind = clue_kind(clues)
        return Clue(kind, kind.parse(token))
    # The longest letters of a rule with which the clue begins: 2X' comes before 2X.
    own = max((each for each in CLUES if token.startswith(each)), key=len, default="")
    if not own:
        raise RuleError(f"{token!r}: a clue begins with the letters of its rule")
    kind = clue_kind((own,))
    return Clue(kind, kind.parse(token.removeprefix(own)))
