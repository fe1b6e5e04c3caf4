"""Rows as people paste them: cells between ``|`` or commas, emoji, squares, full-width digits.

The meaning of every symbol must be certain. A digit in a key cap is a clue, a banner or a bomb a
flag. A square is a covered cell if the board has no other symbol for covered cells. Beside another
such symbol a square might be an open cell, and the board is refused. An empty place between
separators, which might be a 0, is refused as well.

>>> pasted_line(Line(1, "|2|?|", "|2|?|"), "b.txt")
Line(number=1, text='|2|?|', cells='2?', places=(2, 4))
"""

import re
from bisect import bisect
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from satsweeper.board.codes import MAX_CELLS, PADDING
from satsweeper.board.size import size_text
from satsweeper.notation.error import BoardError
from satsweeper.notation.header import (
    Header,
    Line,
    header_of,
    looks_like_header,
    shortened,
    split_header,
)
from satsweeper.notation.reading import Reading, clue_beyond_reach
from satsweeper.notation.symbols import CODES, COVERED_SYMBOLS, INVALID, TO_CODES, refusal

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
        # Dashes between bars may be covered cells, or the rule below the head of a Markdown table.
        # As full-width dashes, which are among the squares, they are refused beside other symbols.
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
    """Return the error at the second kind of symbol in ``rows`` that may be a covered cell."""
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


# The text format read line by line, with errors that name the character.

_WORD = re.compile(r"[A-Za-z]{3,}")
_PADDING = bytes([PADDING])


def read_lines(text: str, source: str) -> Reading:
    """Read a board from text without a byte order mark; raises ``BoardError``."""
    lines, rules = _content(text, source)
    if not lines:
        what = "only blank lines, comments and remarks" if text else "the file is empty"
        raise BoardError(source, message=f"no rows: {what}")
    refuse_header(lines, source)
    header, rows = split_header(lines, source)
    refuse_table_head(rules, rows, source)
    rows = with_squares(rows, source)
    codes = _PADDING.join([_codes(row, source) for row in rows]) + _PADDING
    columns = _columns(header, rows, source)
    if len(rows) * columns > MAX_CELLS:
        what = f"{size_text(len(rows), columns)} cells: the limit is {MAX_CELLS}"
        raise BoardError(source, message=what)
    mines = header.total(len(rows), columns, source) if header else None
    reading = Reading(codes, columns, mines)
    beyond = clue_beyond_reach(reading)
    if beyond is not None:
        (row, column), message = beyond
        torn = header_of(rows[0]) if row == 0 and len(rows) > 1 else None
        if torn and torn.has_total:
            more = f" (or, if that is a row: {message})"
            raise torn.wrong_size(len(rows) - 1, columns, source, more)
        raise BoardError(source, rows[row].number, rows[row].column(column), message)
    return reading


def _content(text: str, source: str) -> tuple[list[Line], list[int]]:
    """Return header and rows, and the numbers of the lines that are rules such as ``+---+``."""
    lines: list[Line] = []
    rules: list[int] = []
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.rstrip(" \t\r")
        cells = stripped.replace(" ", "").replace("\t", "")
        if not cells or cells[0] == ";":
            continue
        opening = not lines or (len(lines) == 1 and looks_like_header(lines[0]))
        if not (opening and is_remark(stripped)):
            found = pasted_line(Line(number, stripped, cells), source)
            if found is None:
                rules.append(number)
            else:
                lines.append(found)
    return lines, rules


def is_remark(line: str) -> bool:
    """Whether a line begins with ``# `` and holds a word; F and H alone are a run of cells."""
    words = _WORD.findall(line) if line.startswith("# ") else []
    return any(set(word) - {"F", "H"} for word in words)


def _codes(row: Line, source: str) -> bytes:
    codes = row.cells.encode("ascii", "ignore").translate(TO_CODES)
    if len(codes) == len(row.cells) and INVALID not in codes:
        return codes
    index, character = next((i, c) for i, c in enumerate(row.cells) if c not in CODES)
    raise BoardError(source, row.number, row.column(index), refusal(character))


def _columns(header: Header | None, rows: list[Line], source: str) -> int:
    """Return the width of all rows; raises ``BoardError`` at the first row that differs."""
    widths = {len(row.cells) for row in rows}
    if len(widths) == 1:
        return widths.pop()
    expected, origin = len(rows[0].cells), f"as in line {rows[0].number}"
    if header and header.columns in widths:
        expected, origin = header.columns, f"by the header in line {header.line.number}"
    row = next(row for row in rows if len(row.cells) != expected)
    found = len(row.cells)
    column = row.column(expected) if found > expected else len(row.text) + 1
    raise BoardError(
        source,
        row.number,
        column,
        f"row of {found} cell{'s' * (found != 1)}: every row has {expected}, {origin}",
    )
