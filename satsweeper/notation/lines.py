"""The text format read line by line, with errors that name the character."""

import re

from satsweeper.board.codes import MAX_CELLS, PADDING
from satsweeper.board.size import size_text
from satsweeper.notation.error import BoardError
from satsweeper.notation.header import Header, Line, header_of, looks_like_header, split_header
from satsweeper.notation.pasted import pasted_line, refuse_header, refuse_table_head, with_squares
from satsweeper.notation.reading import Reading, clue_beyond_reach, reading_of
from satsweeper.notation.symbols import CODES, INVALID, TO_CODES, refusal

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
    reading = reading_of(codes, columns, mines)
    _check_reach(reading, rows, source)
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
        if not (opening and _is_remark(stripped)):
            found = pasted_line(Line(number, stripped, cells), source)
            if found is None:
                rules.append(number)
            else:
                lines.append(found)
    return lines, rules


def _is_remark(line: str) -> bool:
    # A word spelt in F and H alone is a run of cells.
    return line.startswith("# ") and any(set(word) - {"F", "H"} for word in _WORD.findall(line))


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


def _check_reach(reading: Reading, rows: list[Line], source: str) -> None:
    beyond = clue_beyond_reach(reading)
    if beyond is None:
        return
    (row, column), message = beyond
    header = header_of(rows[0]) if row == 0 and len(rows) > 1 else None
    if header and header.has_total:
        more = f" (or, if that is a row: {message})"
        raise header.wrong_size(len(rows) - 1, reading.columns, source, more)
    raise BoardError(source, rows[row].number, rows[row].column(column), message)
