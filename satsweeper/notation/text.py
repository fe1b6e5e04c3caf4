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

from typing import TYPE_CHECKING

from satsweeper.board.codes import MAX_CELLS, PADDING
from satsweeper.board.planes import clues_beyond_reach
from satsweeper.notation.detect import unwrapped
from satsweeper.notation.error import BoardError
from satsweeper.notation.reading import Reading
from satsweeper.notation.symbols import INVALID, TO_CODES, TO_TEXT

if TYPE_CHECKING:
    from satsweeper.notation.record import Record

_BOM = b"\xef\xbb\xbf"
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
    start = 3 if raw.startswith(_BOM) else 0
    while raw.startswith(b";", start):
        end = raw.find(b"\n", start)
        if end < 0 or not raw[start:end].isascii():
            return None
        start = end + 1
    end = raw.find(b"\n", start)
    header = _header(raw[start:end]) if end > 0 else None
    if header:
        start = end + 1
        end = raw.find(b"\n", start)
    columns = (end if end >= 0 else len(raw)) - start
    if columns < 1:
        return None
    codes = raw[start:].translate(TO_CODES)
    if not raw.endswith(b"\n"):
        codes += _END
    rows, rest = divmod(len(codes), columns + 1)
    if (
        rest
        or codes[columns :: columns + 1].count(PADDING) != rows
        or codes.count(PADDING) != rows
        or INVALID in codes
        or rows * columns > MAX_CELLS
    ):
        return None
    mines = None
    if header:
        stated_rows, stated_columns, mines = header
        if stated_rows != rows or stated_columns != columns:
            return None
        if mines is not None and mines > rows * columns:
            return None
    return None if clues_beyond_reach(codes, columns + 1) else Reading(codes, columns, mines)


def _header(line: bytes) -> tuple[int, int, int | None] | None:
    """Return the rows, the columns and the total of a header, None if ``line`` is another line."""
    words = line.split(b" ")
    if len(words) != 3:
        return None
    rows, columns, mines = words
    if not (rows.isdigit() and columns.isdigit() and len(rows) < 10 > len(columns)):
        return None
    if mines == b"?":
        return int(rows), int(columns), None
    return (int(rows), int(columns), int(mines)) if mines.isdigit() and len(mines) < 10 else None


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
