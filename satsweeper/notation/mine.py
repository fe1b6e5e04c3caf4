"""``.mine`` of JSMinesweeper (github.com/DavidNHill/JSMinesweeper): a position, mines known or not.

The first line is ``WxHxM``: columns, rows, total. Then a row a line: ``H`` covered, ``F`` a flag,
digits; ``M`` or ``?`` a covered mine without a flag. A file with covered mines holds the whole
layout if covered mines and flags are as many as the total; otherwise its covered mines are read as
covered cells with a mark.

>>> read("3x1x1\\nM1H\\n", "b.mine").reading.cells.tolist()
[[-1, 1, -1]]
>>> read("3x1x1\\nM1H\\n", "b.mine").solution[:3] == bytes([254, 1, 0])
True
"""

import re
from dataclasses import replace
from typing import Final

from satsweeper.board.codes import COVERED, FLAG
from satsweeper.board.planes import Planes, spaced
from satsweeper.notation.error import BoardError, CannotHoldError
from satsweeper.notation.grid import (
    Alphabet,
    content,
    grid,
    no_more_rows,
    nothing_more,
    sized,
    total,
)
from satsweeper.notation.header import shortened
from satsweeper.notation.record import Record, checked
from satsweeper.notation.solution import HIDDEN, MINE, mines_of, solved
from satsweeper.notation.symbols import DIGITS, to_text

_HEADER = re.compile(r"([0-9]+)x([0-9]+)x([0-9]+)[ \t]*")
_UNFLAGGED: Final = 64
_ALPHABET = Alphabet(
    {**DIGITS, "H": COVERED, "F": FLAG, "M": _UNFLAGGED, "?": _UNFLAGGED},
    "a cell is 0-8, H (covered), F (flag), M or ? (mine without a flag)",
)
_TO_COVERED = bytes.maketrans(bytes([_UNFLAGGED]), bytes([HIDDEN]))
_TO_MINES = bytes.maketrans(bytes([_UNFLAGGED]), bytes([MINE]))
_TO_TEXT = to_text({HIDDEN: "H", MINE: "F", _UNFLAGGED: "M"})


def read(data: bytes | str, source: str) -> Record:
    """Read a ``.mine`` file; raises ``BoardError``."""
    lines = content(data, source)
    number, head = lines[0]
    match = _HEADER.fullmatch(head)
    if match is None:
        what = f"{shortened(head)!r}: a .mine file begins with columns x rows x mines, as 30x16x99"
        raise BoardError(source, number, 1, what)
    rows, columns = sized(match[2], match[1], source, number)
    mines = total(match[3], rows * columns, source, number)
    codes = grid(lines[1:], rows, columns, _ALPHABET, source)
    no_more_rows(lines[1 + rows :], rows, columns, source)
    nothing_more(lines[1 + rows :], source)
    unflagged = codes.count(_UNFLAGGED)
    record = Record(codes.translate(_TO_COVERED), columns, mines)
    if unflagged and unflagged + codes.count(MINE) == mines:
        laid = mines_of(codes.translate(_TO_MINES))
        record = replace(record, solution=solved(laid, rows, columns))
    elif unflagged:
        record = replace(record, marks=(("mine without a flag", unflagged),))
    return checked(record, number + 1, source)


def write(record: Record) -> bytes:
    """Return the file; covered mines are ``M`` if the record has a layout.

    Raises ``CannotHoldError`` for a flag where the layout has no mine: in this format every flag is
    a mine.
    """
    padded = record.padded
    if record.solution is not None:
        planes, mines = Planes.of(padded), mines_of(record.solution)
        wrong = (planes.flags & ~mines).bit_count()
        if wrong:
            what = f"flags where the layout has no mine ({wrong}): a flag is a mine there"
            raise CannotHoldError(f"mine cannot hold {what}", "flags")
        # A byte a cell: subtracting the difference turns HIDDEN into the code of a covered mine.
        difference = spaced(planes.covered & mines, len(padded)) * (HIDDEN - _UNFLAGGED)
        padded = (int.from_bytes(padded, "little") - difference).to_bytes(len(padded), "little")
    head = f"{record.columns}x{record.rows}x{record.mines}\n"
    return head.encode("ascii") + padded.translate(_TO_TEXT)
