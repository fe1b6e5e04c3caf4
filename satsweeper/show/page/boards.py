"""Boards of the page, read from every notation and written in every notation.

The page has a board as ``{"rows": ["1?F", ...], "mines": 4}``, the total null if it is unknown.
"""

from base64 import b64decode, b64encode
from dataclasses import replace
from typing import Any, Final

from satsweeper.board.errors import LimitError
from satsweeper.board.size import size_text
from satsweeper.notation.detect import detect
from satsweeper.notation.formats import read_record, write_record
from satsweeper.notation.record import Record
from satsweeper.position import Position

MOST_CELLS: Final = 10_000
"""The most cells of a board that the page draws."""
_SYMBOLS: Final = {254: "F", 255: "?", **{clue: str(clue) for clue in range(9)}}


class BoardTooLargeError(LimitError):
    """A board with more cells than the page draws."""


def position_of(board: dict[str, Any]) -> Position:
    """The position of a board of the page; raises ``BoardError``."""
    return Position.parse(_text(board), source="board", format="text")


def read(asked: dict[str, Any]) -> dict[str, Any]:
    """A board in any notation, as ``text`` or as ``base64``.

    The answer has its rows, its total and its ``format``; and if the file tells where the mines
    are, the game ID (``id``) under which it can be played.

    Raises:
        BoardError: it is no board.
        BoardTooLargeError: it has more cells than the page draws.
    """
    raw = b64decode(asked["base64"]) if "base64" in asked else asked["text"].encode()
    name = detect(raw)
    record = read_record(raw, asked.get("name", "board"), name)
    if record.rows * record.columns > MOST_CELLS:
        size = size_text(record.rows, record.columns)
        raise BoardTooLargeError(f"{size}: the page draws {MOST_CELLS} cells at the most")
    found = {"rows": _rows(record), "mines": record.mines, "format": name, "id": None}
    if record.truth is not None:
        covered = record.without("view")
        found["id"] = write_record(_bare(covered), "tatham").decode().strip()
    return found


def write(asked: dict[str, Any]) -> dict[str, Any]:
    """The ``board`` in the notation ``format``, as ``base64``; ``id`` adds where the mines are.

    Raises:
        CannotHoldError: the notation has no place for a part of it, or needs more.
    """
    record = read_record(_text(asked["board"]), "board", "text")
    if asked.get("id"):
        told = read_record(asked["id"], "game ID", "tatham")
        record = replace(record, mines=told.mines, solution=told.truth)
    data = write_record(record, asked["format"])
    return {"base64": b64encode(data).decode()}


def _text(board: dict[str, Any]) -> str:
    rows, mines = board["rows"], board["mines"]
    total = "?" if mines is None else mines
    return "\n".join([f"{len(rows)} {len(rows[0]) if rows else 0} {total}", *rows, ""])


def _rows(record: Record) -> list[str]:
    padded, width = record.padded, record.columns + 1
    return [
        "".join(_SYMBOLS[code] for code in padded[at : at + record.columns])
        for at in range(0, len(padded), width)
    ]


def _bare(record: Record) -> Record:
    return replace(record, notes=(), marks=(), first=None)
