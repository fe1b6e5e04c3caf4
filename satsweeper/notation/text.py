"""Boards as plain text: a row per line, one character a cell.

``0``-``8`` is a clue, ``?`` a covered cell (also ``#``, ``.``, ``H``, ``-``), ``F`` a flag (also
``!``, ``*``). Spaces and tabs between cells, blank lines and lines that begin with ``;`` mean
nothing. The first line may be a header, ``rows columns mines``, the total an integer or ``?``.
Before the first row, a line that begins with ``# `` and holds a word is a remark.

Pasted rows with separators, emoji or squares are read too: see ``pasted.py``.

>>> reading = read_text("2 3 1\\n01?\\n01?\\n")
>>> reading.cells.tolist(), reading.mines
([[0, 1, -1], [0, 1, -1]], 1)
>>> read_text("01?\\n01x\\n", "board.txt")
Traceback (most recent call last):
    ...
satsweeper.notation.error.BoardError: board.txt:2:3: unknown character 'x': a cell is 0-8, \
? (also # . H -) or F (also ! *)
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from satsweeper.board.codes import MAX_CELLS, PADDING
from satsweeper.board.planes import is_regular
from satsweeper.notation.detect import unwrapped
from satsweeper.notation.error import BoardError
from satsweeper.notation.reading import Reading
from satsweeper.notation.symbols import INVALID, TO_CODES, TO_TEXT

if TYPE_CHECKING:
    from satsweeper.notation.record import Record

_BOM = b"\xef\xbb\xbf"
_HEAD = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:;[^\n\x80-\xff]*\n)*(?:([0-9]+ [0-9]+) ([0-9]{1,9}|\?)\n)?"
)
"""Comments and the header of a regular board: rows and columns, and the total."""
_END = bytes([PADDING])


def read_text(data: str | bytes, source: str = "<text>") -> Reading:
    """Read a board from text or from UTF-8 bytes; ``source`` names it in errors.

    Raises ``BoardError`` for anything that is not a board, and for a clue larger than the number
    of its covered and flagged neighbours, which no game can show.
    """
    raw = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
    return read_regular(raw) or read_irregular(unwrapped(data, source), source)


def read_irregular(data: str | bytes, source: str) -> Reading:
    """Read a board line by line; for boards of which ``read_regular`` returns None."""
    from satsweeper.notation.pasted import read_lines

    return read_lines(decoded(data, source), source)


def padded_text(padded: bytes, columns: int, mines: int | None) -> str:
    """Return header and rows of ``padded``: valid cell codes, a padding byte after each row."""
    head = f"{len(padded) // (columns + 1)} {columns} {'?' if mines is None else mines}\n"
    return head + padded.translate(TO_TEXT).decode("ascii")


def read_regular(raw: bytes) -> Reading | None:
    """Read a board whose rows are all alike, without looking at single lines.

    The result is ``None`` if `read_irregular` has to read ``raw``: for any error, and already for
    an extra space.
    """
    head = _HEAD.match(raw)
    assert head is not None
    codes = raw[head.end() :].translate(TO_CODES)
    if codes[-1:] != _END:
        codes += _END
    stride = codes.find(PADDING) + 1
    if stride < 2:
        return None
    rows, rest = divmod(len(codes), stride)
    cells = len(codes) - rows
    if rest or cells > MAX_CELLS or INVALID in codes or not is_regular(codes, stride):
        return None
    stated, total = head.groups()
    mines = None
    if stated:
        if stated != b"%d %d" % (rows, stride - 1):
            return None
        mines = None if total == b"?" else int(total)
        if mines is not None and mines > cells:
            return None
    return Reading(codes, stride - 1, mines)


def decoded(data: str | bytes, source: str) -> str:
    """Return ``data`` as text without byte order mark; ``BoardError`` if it is not UTF-8."""
    if isinstance(data, str):
        return data.removeprefix("\ufeff")
    raw = data
    try:
        return raw.removeprefix(_BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        before = error.object[: error.start]
        line = before[before.rfind(b"\n") + 1 :].decode("utf-8")
        offset = len(raw) - len(error.object) + error.start
        raise BoardError(
            source,
            before.count(b"\n") + 1,
            len(line) + 1,
            f"byte 0x{raw[offset]:02x} at offset {offset} is not UTF-8: boards are UTF-8 text",
        ) from None


def read(data: bytes | str, source: str) -> Record:
    """Read a record in the text format; raises ``BoardError``."""
    from satsweeper.notation.record import Record

    reading = read_text(data, source)
    return Record(reading.padded, reading.columns, reading.mines)


def write(record: Record) -> bytes:
    """Return ``record`` as header and rows."""
    return padded_text(record.padded, record.columns, record.mines).encode("ascii")
