"""Detection of a board's format by header or content, and removal of wrappings.

The name of a file is never used. Wrappings are UTF-16 with a byte order mark, and Markdown code
fences.

>>> unwrapped("```text\\n1?\\n```\\n", "b.md")
'\\n1?\\n\\n'
>>> unwrapped("1?\\n".encode("utf-16"), "b.txt")
'1?\\n'
"""

from __future__ import annotations

import re
from typing import Final

from satsweeper.notation.error import BoardError

_BOM: Final = b"\xef\xbb\xbf"
UTF16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
_MINE: Final = rb"([0-9]+)x([0-9]+)x[0-9]+[ \t\r]*"
_GAME_ID: Final = rb"[ \t]*+[0-9]++(?:x[0-9]++)?+(?:[A-Za-z0-9.]*+:|n[0-9]++a?#)"
_SHORTEST: Final = 4 + 2 * (9 << 8)
"""The length of the shortest .mbf file whose third byte is above 8: that begins its length."""
_MINESWEEPR = b".*x012345678 \t\r\n"
_BINARY: Final = rb"[\x00-\x08]"
_OPENING: Final = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*[\w.+#-]*[ \t\r]*")


def detect(raw: bytes) -> str:
    """Return the name of the format of a board's bytes ``raw``; ``"text"`` if no other fits.

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
    if size:
        # A row of minesweepr may look like a size; then the rows below are no grid of that size.
        below, rows = raw.split()[1:], int(size[2][:9])
        grid = len(below) == rows and all(len(line) == int(size[1][:9]) for line in below)
        if grid or not drawn:
            return "mine"
    if re.match(_GAME_ID, head):
        return "tatham"
    return "minesweepr" if drawn else "text"


def is_mbf(raw: bytes) -> bool:
    """Whether ``raw`` is .mbf: with the declared length, or a third byte that is no text."""
    if len(raw) < 4 or (raw[2] > 8 and len(raw) < _SHORTEST):
        return False
    if len(raw) == 4 + 2 * int.from_bytes(raw[2:4], "big"):
        # Text in UTF-16 may have the declared length by chance; .mbf lists no mine twice.
        pairs = (
            [raw[at : at + 2] for at in range(4, len(raw), 2)]
            if raw.startswith(UTF16_MARKS)
            else []
        )
        return re.search(_BINARY, raw) is not None and len(set(pairs)) == len(pairs)
    return raw[2] < 9 and not raw.startswith((b";", b"# ", *UTF16_MARKS))


def _first_line(raw: bytes) -> bytes:
    """Return the first line that is neither blank nor a comment; a header with # is no comment."""
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


def unwrapped(data: str | bytes, source: str) -> str | bytes:
    """Return ``data`` without UTF-16 and code fences; lines keep their numbers.

    Raises ``BoardError`` for a UTF-16 mark before bytes that are not UTF-16, and for a fence
    without its end.
    """
    if isinstance(data, bytes) and data.startswith(UTF16_MARKS) and not is_mbf(data):
        data = _from_utf16(data, source)
    if isinstance(data, str):
        return _without_fence(data, source) if "```" in data or "~~~" in data else data
    if (b"```" in data or b"~~~" in data) and not is_mbf(data):
        # Bytes that are no UTF-8 are kept as surrogates, so that the reader reports their place.
        text = _without_fence(data.decode("utf-8", "surrogateescape"), source)
        return text.encode("utf-8", "surrogateescape")
    return data


def _from_utf16(data: bytes, source: str) -> str:
    try:
        return data.decode("utf-16")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-16")
        what = f"byte 0x{data[error.start]:02x} at offset {error.start} is not UTF-16"
        column = len(before) - before.rfind("\n")
        line = before.count("\n") + 1
        message = f"{what}, which the byte order mark announces"
        raise BoardError(source, line, column, message) from None


def _without_fence(text: str, source: str) -> str:
    """Return ``text`` with blank lines in place of the code fences, if two enclose one board."""
    lines = text.removeprefix("\ufeff").split("\n")
    filled = [at for at, line in enumerate(lines) if line.strip(" \t\r")]
    first = next((at for at in filled if not lines[at].startswith((";", "# "))), None)
    opening = None if first is None else _OPENING.fullmatch(lines[first])
    if first is None or opening is None:
        return text
    closing = lines[filled[-1]].strip(" \t\r")
    if filled[-1] == first or set(closing) != set(opening[1]) or len(closing) < len(opening[1]):
        # Imported late: boards as plain text need nothing of it.
        from satsweeper.notation.header import shortened

        fence = shortened(opening[1])
        what = f"code fence {fence!r}: a line {fence!r} must follow the last row, and nothing else"
        raise BoardError(source, first + 1, opening.start(1) + 1, what)
    lines[first] = lines[filled[-1]] = ""
    return "\n".join(lines)
