"""Recognition of boards that `Puzzle` reads by their first lines, without reading them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from satsweeper.notation.detect import UTF16_MARKS, is_mbf

HEADER: Final = re.compile(r"[ \t]*([A-Za-z]{2,})[ \t]*:[ \t]*(.*?)[ \t\r]*")
"""A line before the rows: its key and its value."""
KEYS: Final = ("rules", "geometry", "mines", "columns")
"""The keys of the lines before the rows."""
LEVEL: Final = "Hexcells level v1"
"""The first line of a level of Hexcells."""
SCHEMA: Final = "satsweeper/board/2"
"""The schema of boards of any geometry in JSON."""
GAME: Final = "satsweeper/game/2"
"""The schema of files of games on boards with rules."""
_HEAD: Final = 400
"""The characters of a line that are looked at."""


def may_hold_rules(data: str | bytes) -> bool:
    """Whether a text may be a board that `Puzzle` has to read.

    The first line that says something tells; of JSON, that the name of a schema occurs.
    """
    if isinstance(data, bytes):
        if is_mbf(data):
            return False
        if data.startswith(UTF16_MARKS):
            data = data.decode("utf-16", "replace")
    name = format_of(data)
    if name != "json":
        return name != ""
    return _occurs(SCHEMA, data) or _occurs(GAME, data)


def is_game(data: str | bytes) -> bool:
    """Whether a text may be the file of a game on a board with rules, in JSON."""
    return format_of(data) == "json" and _occurs(GAME, data)


def _occurs(schema: str, data: str | bytes) -> bool:
    return schema in data if isinstance(data, str) else schema.encode() in data


def format_of(data: str | bytes) -> str:
    """Return the format of a board that may have rules: "text", "json", "hexcells", else ""."""
    line = next(_beginnings(data), "")
    if line.startswith("{"):
        return "json"
    if line == LEVEL:
        return "hexcells"
    return "text" if HEADER.fullmatch(line) else ""


def _beginnings(data: str | bytes) -> Iterator[str]:
    """Yield the beginnings of lines that are neither blank nor comments nor code fences."""
    start = 0
    while 0 <= start < len(data):
        # Only as much as is asked for is looked at: a large board without rules is read elsewhere.
        end = data.find("\n", start) if isinstance(data, str) else data.find(b"\n", start)
        head = data[start : min(end if end >= 0 else len(data), start + _HEAD)]
        line = head if isinstance(head, str) else head.decode("utf-8", "replace")
        line = line.removeprefix("\ufeff").strip()
        # The header of ms_toollib begins as a comment, and lines `key: value` follow.
        if line.startswith("# MINESWEEPER-BOARD"):
            return
        if line and not line.startswith((";", "# ", "```", "~~~")):
            yield line
        start = end + 1 if end >= 0 else -1
