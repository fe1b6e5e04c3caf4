"""Boards in any format: which one a text is in, and the board that it holds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from pbcnf.wording import counted
from satsweeper.board.codes import COVERED, FLAG
from satsweeper.board.size import size_text
from satsweeper.notation.detect import detect, unwrapped
from satsweeper.notation.error import BoardError
from satsweeper.notation.json_board import MOST_BYTES, json_object
from satsweeper.notation.text import decoded
from satsweeper.position import KEEP, Position, Total
from satsweeper.puzzle.clue import Clue, read_clue
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.fields import MOST_CELLS, Fields
from satsweeper.puzzle.game_record import GameRecord
from satsweeper.puzzle.geometry.table import grid
from satsweeper.puzzle.headers import GAME, SCHEMA, format_of, may_hold_rules
from satsweeper.puzzle.hexcells import read_level
from satsweeper.puzzle.json_board import fields_of
from satsweeper.puzzle.rules.kind import clue_kind
from satsweeper.puzzle.rules.table import parted
from satsweeper.puzzle.text_board import read_text_board

_SIZE: Final = re.compile(r"^[0-9]{1,9} [0-9]{1,9} ([0-9]{1,9}|\?)[ \t\r]*$", re.MULTILINE)
"""The line of `Position`'s text with rows, columns and mines."""


def read_puzzle(
    data: str | bytes,
    source: str,
    mines: Total = KEEP,
    stated: Mapping[str, str] | None = None,
    *,
    own_rules: bool = False,
) -> Fields:
    """Read a board in any format.

    ``stated``: values of the lines ``rules`` and ``geometry`` that replace those of the board.
    ``own_rules``: whether the board may name rules ``MODULE:NAME``, which are imported and called;
    those ``stated`` are in any case.
    Raises BoardError with source, line and column.
    """
    stated = stated or {}
    allowed = None if own_rules else stated.get("rules", "").split()
    if may_hold_rules(data):
        text = decoded(unwrapped(data, source), source)
        name = format_of(text)
        if name == "text":
            return read_text_board(text, source, mines, stated, allowed)
        if name == "hexcells":
            return _restated(read_level(text, source).fields(source, mines), stated, source)
        if len(text) > MOST_BYTES:
            what = f"{counted(len(text), 'character')} of JSON: {MOST_BYTES} at most"
            raise BoardError(source, message=what)
        found = json_object(text, "board", source)
        if found.get("schema") == SCHEMA:
            return _restated(fields_of(found, source, mines, allowed), stated, source)
        if found.get("schema") == GAME:
            game = GameRecord.read(text, source, allowed)
            return _restated(game.fields(mines), stated, source)
    plain = unwrapped(data, source) if "rules" in stated else ""
    raw = plain if isinstance(plain, bytes) else plain.encode("utf-8", "surrogatepass")
    position: Position | None = None
    try:
        position = Position.parse(data, source=source, mines=mines)
    except BoardError:
        if not raw or detect(raw) != "text":
            raise
    if raw and detect(raw) == "text":
        # Clues of several characters are no text for `Position`, or are other cells to it: the rows
        # are read as rows under rules. Rows drawn in other ways, as emoji, are left to `Position`.
        text = _SIZE.sub(lambda size: f"mines: {size[1]}", decoded(plain, source), count=1)
        try:
            return read_text_board(text, source, mines, stated)
        except BoardError as error:
            if position is None:
                raise
            try:
                return _restated(of_position(position, source), stated, source)
            except BoardError:
                raise error from None
    assert position is not None
    return _restated(of_position(position, source), stated, source)


def _restated(fields: Fields, stated: Mapping[str, str], source: str) -> Fields:
    """Return a board of any format with the rules and geometry ``stated``, clues read anew."""
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


def to_position(fields: Fields, source: str) -> Position:
    """Return squares under rule V as a position. Raises BoardError for a clue above 8."""
    geometry = fields["geometry"]
    rows, columns = geometry.shape
    codes = [COVERED] * (rows * columns)
    for cell, clue in fields["clues"].items():
        codes[cell] = clue.value
    for cell in fields.get("flags", ()):
        codes[cell] = FLAG
    lines = [codes[start : start + columns] for start in range(0, len(codes), columns)]
    try:
        return Position(lines, fields["mines"])
    except ValueError as error:
        raise BoardError(source, message=str(error)) from None


def of_position(position: Position, source: str) -> Fields:
    """Return a board of squares under rule V. Raises BoardError for a large one."""
    if position.rows * position.columns > MOST_CELLS:
        size = size_text(position.rows, position.columns)
        raise BoardError(source, message=f"{size} cells: a puzzle has {MOST_CELLS} at most")
    geometry = grid("square", position.rows, position.columns)
    kind = clue_kind(("V",))
    # The padded bytes and not the array of cells: numpy may be missing.
    width = position.columns + 1
    codes = [
        code - 256 if code > 127 else code
        for start in range(0, len(position.padded), width)
        for code in position.padded[start : start + position.columns]
    ]
    return {
        "geometry": geometry,
        "rules": (),
        "clues": {cell: Clue(kind, code) for cell, code in enumerate(codes) if code >= 0},
        "flags": frozenset(cell for cell, code in enumerate(codes) if code == -2),
        "mines": position.mines,
    }


def is_plain(fields: Fields) -> bool:
    """Whether a board has nothing but squares, flags, a total and clues under rule V.

    A board with a flag on a clue, which is none at all, is not plain.
    """
    if fields["geometry"].name != "square" or not {*fields["rules"]} <= {"V"}:
        return False
    plain = {"geometry", "rules", "clues", "flags", "mines"}
    if any(value for name, value in fields.items() if name not in plain and name != "dyed"):
        return False
    if not fields.get("flags", frozenset()).isdisjoint(fields["clues"]):
        return False
    return all(clue.kind.letters == ("V",) for clue in fields["clues"].values())
