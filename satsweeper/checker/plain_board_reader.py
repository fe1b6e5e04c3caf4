"""The checker's own reader of a board in the plain notation, for the board that a caller expects.

A row a line: ``0``-``8`` a clue, ``?`` (also ``#``, ``.``, ``H``, ``-``) a covered cell, ``F``
(also ``!``, ``*``) a flag. The first line may be ``rows columns mines``, mines an integer or ``?``.
Blanks between cells, empty lines and lines that begin with ``;`` mean nothing. What could be
anything else, a mistake among it, is not read here: others know more notations and say more.
"""

import re
from typing import Final, NamedTuple

_SYMBOLS: Final = {**dict.fromkeys("?#.H-", "?"), **dict.fromkeys("F!*", "F")}
_SIZE: Final = re.compile(r"[ \t]*([0-9]{1,9})[ \t]+([0-9]{1,9})[ \t]+([0-9]{1,9}|\?)")
_ROW: Final = re.compile(r"[0-8?#.H\-F!*]+")
_CONTROL: Final = re.compile(r"[^\n\r\t -\uffff\U00010000-\U0010ffff]")


class PlainBoard(NamedTuple):
    """Rows of ``0``-``8``, ``?`` and ``F``, and the total; None if the board states none."""

    rows: tuple[str, ...]
    mines: int | None


def plain_board(text: str | bytes) -> PlainBoard | None:
    """Return the board in ``text``, or None if ``text`` is not certainly in the plain notation.

    >>> plain_board("; mine\\n1 2 1\\n1 #\\n")
    PlainBoard(rows=('1?',), mines=1)
    >>> plain_board("8x8:0,0,0004") is None
    True
    """
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError:
            return None
    text = text.removeprefix("\ufeff")
    if _CONTROL.search(text):
        return None
    lines = [line.rstrip(" \t\r") for line in text.split("\n")]
    lines = [line for line in lines if line and line.lstrip(" \t")[0] != ";"]
    rows = [line.replace(" ", "").replace("\t", "") for line in lines]
    if not lines or any(line.startswith("# ") for line in lines):
        return None
    mines = None
    size = _SIZE.fullmatch(lines[0])
    # A line alone is a row: of a header there is nothing below.
    alone = len(rows) == 1
    if size is not None and not (alone and len(rows[0]) == len(size.groups())):
        rows = rows[1:]
        if not rows or (len(rows), len(rows[0])) != (int(size[1]), int(size[2])):
            # Three cells, or a mistake.
            return None
        mines = None if size[3] == "?" else int(size[3])
        if mines is not None and mines > len(rows) * len(rows[0]):
            return None
    if any(len(row) != len(rows[0]) or not _ROW.fullmatch(row) for row in rows):
        return None
    same = str.maketrans(_SYMBOLS)
    return PlainBoard(tuple(row.translate(same) for row in rows), mines)
