"""Rows as people paste them: cells between ``|`` or commas, emoji, squares, full-width digits.

What a symbol means must be certain. A digit in a key cap is a clue, a banner or a bomb a flag. A
square is a covered cell where no other symbol on the board is one: if any cell is covered, the
square must be it. Beside another symbol for covered cells it might as well be an open cell, and is
refused. So is an empty place between separators, which might be a 0.

>>> pasted_line(Line(1, "|2|?|", "|2|?|"), "b.txt")
Line(number=1, text='|2|?|', cells='2?', places=(2, 4))
"""

import re
from bisect import bisect
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from satsweeper.notation.error import BoardError
from satsweeper.notation.header import Line, header_of, shortened
from satsweeper.notation.symbols import COVERED_SYMBOLS

SQUARES: Final = "_■□▢▣█▓▒░◼◻⬛⬜🟦🟩🔲🔳\uff0d"
"""Squares, read as covered cells where a board has one kind and no other symbol for them."""

FLAGS: Final = "🚩⚑💣"
"""Emoji that are read as flags."""

SEPARATED: Final = ",|│┃║"
"""Separators between cells; all but the comma may stand at both ends of a row, too."""

_MARK: Final = re.compile(f"[+_{SEPARATED}]|[^\\x00-\\x7f]")
_RULE: Final = re.compile(r"[+┌├└┏┣┗╔╠╚╭╰][-+─━═┬┼┴┳╋┻╦╬╩]*[+┐┤┘┓┫┛╗╣╝╮╯]")
_CELL: Final = re.compile("([0-9])\ufe0f?\u20e3|([^ \t])[\ufe0e\ufe0f]?")
_WIDE: Final = "".join(map(chr, range(0xFF10, 0xFF1A))) + "\uff1f"
_PLAIN: Final = str.maketrans(f"{_WIDE}❓❔{FLAGS}", "0123456789???" + "F" * len(FLAGS))
_COVERED: Final = str.maketrans(dict.fromkeys(SQUARES, "?"))


def pasted_line(line: Line, source: str) -> Line | None:
    """Return ``line`` with its cells found; None for a rule between rows, such as ``+---+``.

    Raises ``BoardError`` for separators between which not every place holds one cell.
    """
    if not _MARK.search(line.text):
        return line
    if _RULE.fullmatch(line.text.strip(" \t")):
        return None
    cells, places = [], []
    for start, field in _fields(line, source):
        for found in _CELL.finditer(field):
            cells.append((found[1] or found[2]).translate(_PLAIN))
            places.append(start + found.start() + 1)
    return Line(line.number, line.text, "".join(cells), tuple(places))


def _fields(line: Line, source: str) -> Iterator[tuple[int, str]]:
    """Yield the offset and the text of each field of ``line``, or of the row without separators."""
    text = line.text
    bars = text.translate(str.maketrans("│┃║", "|||"))
    separator = "|" if "|" in bars else ","
    start, end = 0, len(text)
    if "|" in bars:
        # Between bars dashes may be covered cells, or the rule below the head of a Markdown table:
        # the full-width dash is one of the squares, so that they are refused beside other symbols.
        text = text.replace("-", "\uff0d")
        if (bars[0] == "|") != (bars[-1] == "|") or bars == "|":
            what = "'|' at one end of the row only: at both ends or at none"
            raise BoardError(source, line.number, 1 if bars[0] == "|" else end, what)
        if bars[0] == "|":
            start, end = 1, end - 1
    fields = bars[start:end].split(separator)
    for field in fields:
        held = len(_CELL.findall(field))
        if held == 0 or (held > 1 and len(fields) > 1):
            found = f"{shortened(field.strip())!r}" if held else "nothing"
            what = (
                f"{found} between separators: one cell is needed there, 0 if it is open and empty"
            )
            raise BoardError(source, line.number, start + 1, what)
        yield start, text[start : start + len(field)]
        start += len(field) + 1


def refuse_header(lines: list[Line], source: str) -> None:
    """Raise ``BoardError`` if the first of ``lines`` has commas and may be a row or a header."""
    first, *rows = lines
    if "," not in first.text or not rows:
        return
    header = header_of(Line(first.number, " ".join(first.cells), first.cells))
    if header is not None and header.fits(rows):
        row = repr(shortened(first.text))
        what = f"{row} may be a row or the size: 'rows columns mines' stand apart by blanks"
        raise BoardError(source, first.number, 1, what)


def refuse_table_head(rules: list[int], rows: list[Line], source: str) -> None:
    """Raise ``BoardError`` if lines of ``rules`` are between some ``rows`` and not between all."""
    ruled = [
        above.number
        for above, below in pairwise(rows)
        if bisect(rules, above.number) < bisect(rules, below.number)
    ]
    if 0 < len(ruled) < len(rows) - 1:
        what = (
            "a rule below this row and not below all: it may be the head of a table, and no cells"
        )
        raise BoardError(source, ruled[0], 1, what)


def with_squares(rows: list[Line], source: str) -> list[Line]:
    """Return ``rows`` with ``?``, a covered cell, in place of each square.

    Raises ``BoardError`` where squares and another symbol might both be covered cells.
    """
    symbols = set("".join([row.cells for row in rows]))
    if symbols.isdisjoint(SQUARES):
        return rows
    if len(symbols.intersection(SQUARES + COVERED_SYMBOLS)) > 1:
        raise _unsure(rows, source)
    return [row._replace(cells=row.cells.translate(_COVERED)) for row in rows]


def _unsure(rows: list[Line], source: str) -> BoardError:
    """Return the error at the second of the symbols in ``rows`` that may be covered cells."""
    kinds: dict[str, tuple[Line, int]] = {}
    for row in rows:
        for at, symbol in enumerate(row.cells):
            if symbol in SQUARES + COVERED_SYMBOLS:
                kinds.setdefault(symbol, (row, row.column(at)))
    (line, column), (other, there) = list(kinds.values())[:2]
    what = (
        f"{other.text[there - 1]!r} beside {line.text[column - 1]!r}: which of them is covered is"
        " not certain; ? is a covered cell, 0 an open one"
    )
    return BoardError(source, other.number, there, what)
