"""Which format a board is in: by its own header or content, never by the name of its file."""

from __future__ import annotations

import re
from typing import Final

_BOM: Final = b"\xef\xbb\xbf"
UTF16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
_MINE: Final = rb"([0-9]+)x([0-9]+)x[0-9]+[ \t\r]*"
_GAME_ID: Final = rb"[ \t]*+[0-9]++(?:x[0-9]++)?+(?:[A-Za-z0-9.]*+:|n[0-9]++a?#)"
_MINESWEEPR = b".*x012345678 \t\r\n"
_BINARY: Final = rb"[\x00-\x08]"


def detect(raw: bytes) -> str:
    """The name of the format that the bytes of a board are in; ``"text"`` if it is no other.

    >>> detect(b"8x8:0,0,0004"), detect(b"2x1x1\\nHF\\n"), detect(b"1x\\n"), detect(b"1?\\n")
    ('tatham', 'mine', 'minesweepr', 'text')
    """
    if is_mbf(raw):
        return "mbf"
    raw = raw.removeprefix(_BOM)
    head = _first_line(raw)
    if head.startswith(b"# MINESWEEPER-BOARD"):
        return "board"
    if head.lstrip().startswith(b"{"):
        return "json"
    if head.startswith(b"Minesweeper "):
        return "danamlund"
    size = re.fullmatch(_MINE, head)
    drawn = b"x" in raw and not raw.translate(None, _MINESWEEPR)
    if size and not (drawn and not _fits(raw, int(size[1][:9]), int(size[2][:9]))):
        return "mine"
    if re.match(_GAME_ID, head):
        return "tatham"
    return "minesweepr" if drawn else "text"


def is_mbf(raw: bytes) -> bool:
    """Four bytes of size, of which the third is no text; or a length that is exactly right."""
    if len(raw) < 4:
        return False
    if len(raw) == 4 + 2 * int.from_bytes(raw[2:4], "big"):
        # Text in UTF-16 may have that length by chance: but no mine is told twice.
        pairs = (
            [raw[at : at + 2] for at in range(4, len(raw), 2)]
            if raw.startswith(UTF16_MARKS)
            else []
        )
        return re.search(_BINARY, raw) is not None and len(set(pairs)) == len(pairs)
    return raw[2] < 9 and not raw.startswith((b";", b"# ", *UTF16_MARKS))


def _first_line(raw: bytes) -> bytes:
    """The first line that is neither blank nor a comment; a header that begins with # counts."""
    start = 0
    while start < len(raw):
        end = raw.find(b"\n", start)
        end = len(raw) if end < 0 else end
        line = raw[start:end]
        if line.startswith(b"# MINESWEEPER-BOARD"):
            return line
        if line.strip() and not line.startswith((b";", b"# ")):
            return line
        start = end + 1
    return b""


def _fits(raw: bytes, columns: int, rows: int) -> bool:
    """Whether the rows below a first line that may be a size are of that size."""
    below = raw.split()[1:]
    return len(below) == rows and all(len(line) == columns for line in below)
