"""The optional first line ``rows columns mines``, distinguished from a row of three cells."""

import re
from dataclasses import dataclass
from itertools import compress
from typing import NamedTuple

from satsweeper.board.codes import MAX_CELLS
from satsweeper.notation.error import BoardError, printable
from satsweeper.notation.symbols import CODES, SPACES

_HEADER = re.compile(r"[ \t]*([0-9]+)[ \t]+([0-9]+)[ \t]+([^ \t]+)")
_NUMBER = re.compile(r"[0-9]+")
_TOTAL = re.compile(r"[0-9]+|\?")


class Line(NamedTuple):
    """A line of a file: its number from 1, its text, and its cells, a character each.

    ``places``: the column of each cell, from 1; empty where the cells are the text without spaces.
    """

    number: int
    text: str
    cells: str
    places: tuple[int, ...] = ()

    def column(self, cell: int) -> int:
        """Return the column, from 1, of a cell counted from 0."""
        if self.places:
            return self.places[cell]
        return [i for i, c in enumerate(self.text, 1) if c not in SPACES][cell]


@dataclass(frozen=True, slots=True)
class Header:
    """A header as written: three words and the size and total that they claim."""

    line: Line
    words: tuple[str, str, str]

    @property
    def rows(self) -> int:
        """Rows claimed, capped far above any limit."""
        return capped_number(self.words[0])

    @property
    def columns(self) -> int:
        """Columns claimed, capped far above any limit."""
        return capped_number(self.words[1])

    @property
    def has_total(self) -> bool:
        """Whether the third word is a number or ``?``."""
        return _TOTAL.fullmatch(self.words[2]) is not None

    def fits(self, rows: list[Line]) -> bool:
        """Whether the grid has exactly the rows and columns claimed."""
        return len(rows) == self.rows and all(len(row.cells) == self.columns for row in rows)

    def total(self, rows: int, columns: int, source: str) -> int | None:
        """Return the total number of mines, ``None`` for ``?``, checked against the grid below."""
        if (self.rows, self.columns) != (rows, columns):
            raise self.wrong_size(rows, columns, source)
        word = self.words[2]
        if not self.has_total:
            raise self.error(
                2, f"total {shortened(word)!r}: the total is an integer or ? for unknown", source
            )
        if word == "?":
            return None
        mines = capped_number(word)
        if mines > rows * columns:
            raise self.error(
                2,
                f"{size_said(word, 'mine')} in {size_said(str(rows * columns), 'cell')}: "
                f"the total is 0 to {rows * columns}, or ? for unknown",
                source,
            )
        return mines

    def wrong_size(self, rows: int, columns: int, source: str, more: str = "") -> BoardError:
        """Return the error that the board has another size than the header claims.

        ``more``: an end of the message.
        """
        wrong = [self.rows != rows, self.columns != columns]
        claims = (size_said(self.words[0], "row"), size_said(self.words[1], "column"))
        claimed = " and ".join(compress(claims, wrong))
        has = " and ".join(map(str, compress((rows, columns), wrong)))
        swapped = (self.rows, self.columns) == (columns, rows)
        hint = ": rows come first" if swapped else ""
        what = f"the header says {claimed}, the board has {has}{hint}{more}"
        return self.error(wrong.index(True), what, source)

    def error(self, word: int, message: str, source: str) -> BoardError:
        """Return an error at the word with index ``word``, 0 to 2."""
        first_cell = sum(map(len, self.words[:word]))
        return BoardError(source, self.line.number, self.line.column(first_cell), message)


def looks_like_header(line: Line) -> bool:
    """Whether ``line`` has three words: two integers, then an integer or ``?``."""
    header = header_of(line)
    return header is not None and header.has_total


def split_header(lines: list[Line], source: str) -> tuple[Header | None, list[Line]]:
    """Return the header, if the first line is a header, and the rows; ``lines`` is not empty.

    A header whose claims do not fit is returned all the same: the caller checks the rows first, so
    that the error of ``Header.total`` can name the size of the grid.
    """
    header, rows = header_of(lines[0]), lines[1:]
    if header is None or not _claims(header, rows):
        _refuse_torn(lines[0], rows, source)
        return None, lines
    if header.rows * header.columns > MAX_CELLS:
        size = f"{shortened(header.words[1])}x{shortened(header.words[0])} cells"
        raise header.error(0, f"{size}: the limit is {MAX_CELLS}", source)
    if not rows:
        raise header.error(0, "no rows: a header and nothing below it", source)
    return header, rows


def _claims(header: Header, rows: list[Line]) -> bool:
    """Whether the first line is meant as a header, right or wrong, rather than as a row."""
    # Three words of one cell symbol each may be a row of three cells.
    single = all(word in CODES for word in header.words)
    if not header.has_total:
        if rows and header.fits(rows):
            return not (single and header.columns == 3)
        return bool(rows) and _is_no_row(header.line, rows)
    if rows and header.fits(rows):
        return True
    widths = {len(row.cells) for row in rows}
    if not single or widths == {3}:
        return not single
    if not rows:
        return False
    # Rows of different widths: a matching number of rows indicates a header, a row of three cells
    # indicates a row.
    return len(widths) == 1 or len(rows) == header.rows or 3 not in widths


def _is_no_row(line: Line, rows: list[Line]) -> bool:
    """Whether the line above ``rows`` has another width than all rows, and not only cells."""
    strange = any(character not in CODES for character in line.cells)
    return strange and all(len(row.cells) != len(line.cells) for row in rows)


def _refuse_torn(line: Line, rows: list[Line], source: str) -> None:
    """Raise BoardError if ``line`` looks like a header with a word too few or too many."""
    words = line.text.split()
    if not rows or len(words) < 2 or not all(map(_NUMBER.fullmatch, words[:2])):
        return
    size = (capped_number(words[0]), capped_number(words[1]))
    fits = size == (len(rows), len(rows[0].cells)) and size[1] != len(line.cells)
    if fits or _is_no_row(line, rows):
        what = f"header {shortened(line.text)!r}: a header is 'rows columns mines', as 16 30 99"
        raise BoardError(source, line.number, line.column(0), f"{what} or 16 30 ?")


def header_of(line: Line) -> Header | None:
    """Return ``line`` as a header; None if ``line`` has another form."""
    match = _HEADER.fullmatch(line.text)
    return Header(line, (match[1], match[2], match[3])) if match else None


def capped_number(word: str) -> int:
    """Return a string of digits as a number, capped far above any limit."""
    # Python refuses to convert thousands of digits, and no valid number has more than ten.
    digits = word.lstrip("0")
    return int(digits or "0") if len(digits) <= 10 else 10**10


def size_said(digits: str, noun: str) -> str:
    """Return a number with its noun, as in "1 row" and "16 rows"."""
    return f"{shortened(digits)} {noun}{'' if capped_number(digits) == 1 else 's'}"


def shortened(word: str) -> str:
    """Return ``word`` for a message: printable, and shortened if longer than 20 characters."""
    word = printable(word)
    return word if len(word) <= 20 else f"{word[:8]}...({len(word)} characters)"
