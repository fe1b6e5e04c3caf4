"""The player's view of a board, read from any format."""

from __future__ import annotations

import re

from satsweeper.notation.detect import detect, is_mbf, unwrapped
from satsweeper.notation.error import BoardError
from satsweeper.notation.reading import Reading
from satsweeper.notation.text import read_irregular, read_regular


def read_board(data: str | bytes, source: str, name: str | None = None) -> Reading:
    """Read the player's view of a board in the format ``name``, or in the format that is detected.

    ``source``: the name of the board in errors. Raises ``BoardError`` with source, line and column
    for data that is not a board.
    """
    raw = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
    if name in (None, "text"):
        # Nearly all boards are regular text, so this reader comes before imports and detection. An
        # .mbf file of 59 columns begins like a comment.
        regular = None if raw.startswith(b";") and is_mbf(raw) else read_regular(raw)
        if regular is not None:
            return regular
        data = unwrapped(data, source)
        raw = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
        if name == "text" or detect(raw) == "text":
            try:
                return read_irregular(data, source)
            except BoardError:
                _refuse_rules(raw, source)
                raise
    from satsweeper.notation.formats import read_record

    return read_record(data, source, name).reading


def _refuse_rules(raw: bytes, source: str) -> None:
    """Raise BoardError for a board with lines ``rules:`` or ``geometry:``, which `Puzzle` reads."""
    found = re.search(rb"^[ \t]*(rules|geometry)[ \t]*:", raw, re.MULTILINE)
    if found is not None:
        line = raw.count(b"\n", 0, found.start(1)) + 1
        what = f"a line '{found[1].decode()}:', where only squares with plain clues are taken"
        raise BoardError(source, line, 1, what)
