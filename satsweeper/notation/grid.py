"""Rows of cells in formats that put a row on each line: sizes, widths and characters checked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Final

from pbcnf.wording import counted
from satsweeper.board.codes import MAX_CELLS, PADDING
from satsweeper.notation.error import BoardError
from satsweeper.notation.header import capped_number, shortened, size_said
from satsweeper.notation.solution import mines_of, solved
from satsweeper.notation.symbols import INVALID, refusal
from satsweeper.notation.text import decoded

Lines = Sequence[tuple[int, str]]
"""Lines of a file with their line numbers, from 1."""

SLOW_CELLS: Final = 4_000_000
"""Limit on cells in formats that are read and written cell by cell."""


@dataclass(frozen=True)
class Alphabet:
    """Characters of a grid and their cell codes; codes 64 to 96 have a meaning in one format only.

    ``allowed``: the characters in words, for errors. ``table``: byte -> code, ``INVALID`` for bytes
    that are no cell.
    """

    codes: Mapping[str, int]
    allowed: str
    table: bytes = field(init=False)

    def __post_init__(self) -> None:
        every = (self.codes.get(chr(byte), INVALID) & 255 for byte in range(256))
        object.__setattr__(self, "table", bytes(every))


MOST_LINES: Final = 1_000_000
"""Limit on rows in formats other than text, a line a row."""


def content(data: bytes | str, source: str) -> Lines:
    """Return the lines from the first that is neither blank nor a comment (``;`` or ``# ``).

    Raises ``BoardError`` if there is none.
    """
    lines = all_lines(data, source)
    for i, (_, line) in enumerate(lines):
        if line.strip() and not line.startswith((";", "# ")):
            return lines[i:]
    what = "only blank lines and comments" if data else "the file is empty"
    raise BoardError(source, message=f"no board: {what}")


def all_lines(data: bytes | str, source: str) -> Lines:
    """Return the lines without their ends; raises ``BoardError`` for bytes that are not UTF-8."""
    text = decoded(data, source)
    if text.count("\n") > 2 * MOST_LINES + 100:
        raise BoardError(
            source, message=f"{counted(text.count(chr(10)), 'line')}: {MOST_LINES} rows at most"
        )
    lines = text.removesuffix("\n").split("\n")
    return [(n, line.removesuffix("\r")) for n, line in enumerate(lines, 1)]


def sized(
    rows: str, columns: str, source: str, line: int, limit: int = MAX_CELLS
) -> tuple[int, int]:
    """Return rows and columns from their digits; ``BoardError`` for more than ``limit`` cells."""
    height, width = capped_number(rows), capped_number(columns)
    claim = f"{size_said(rows, 'row')} x {shortened(columns)} columns"
    if not height or not width:
        raise BoardError(source, line, 1, f"{claim}: a board has one of each at least")
    if height * width > limit:
        raise BoardError(source, line, 1, f"{claim}: the limit is {counted(limit, 'cell')}")
    return height, width


def total(digits: str, cells: int, source: str, line: int) -> int:
    """Return the total number of mines from its ``digits``, at most ``cells``."""
    mines = capped_number(digits)
    if mines > cells:
        what = f"{size_said(digits, 'mine')} in {counted(cells, 'cell')}: the total is 0 to {cells}"
        raise BoardError(source, line, 1, what)
    return mines


def grid(
    lines: Lines,
    rows: int,
    columns: int,
    alphabet: Alphabet,
    source: str,
    what: str = "the board",
) -> bytes:
    """Return the padded codes of the first ``rows`` lines; more lines may follow.

    ``what``: the name of these lines in messages.
    """
    parts = []
    for number, line in lines[:rows]:
        if not line:
            break
        if len(line) != columns:
            found = f"row of {counted(len(line), 'cell')}: every row has {columns}"
            if len({len(row) for _, row in lines[:rows] if row}) == 1:
                found = f"the header says {counted(columns, 'column')}, {what} has {len(line)}"
            raise BoardError(source, number, min(len(line), columns) + 1, found)
        codes = line.encode("ascii", "ignore").translate(alphabet.table)
        if len(codes) != columns or INVALID in codes:
            at = next(i for i, c in enumerate(line) if c not in alphabet.codes)
            raise BoardError(source, number, at + 1, refusal(line[at], alphabet.allowed))
        parts.append(codes)
    if len(parts) < rows:
        last = lines[len(parts) - 1][0] if parts else None
        found = f"the header says {counted(rows, 'row')}, {what} has {len(parts)}"
        raise BoardError(source, last, None, found)
    return b"".join(part + _PADDING for part in parts)


def check_numbers(solution: bytes, columns: int, first_line: int, whose: str, source: str) -> None:
    """Raise ``BoardError`` at the first opened cell that the mines of ``solution`` contradict.

    ``first_line``: the line of the first row; ``whose``: the subject of the message.
    """
    truth = solved(mines_of(solution), len(solution) // (columns + 1), columns)
    if truth != solution:
        index = next(i for i in range(len(truth)) if solution[i] != truth[i])
        row, column = divmod(index, columns + 1)
        what = f"{whose} has {solution[index]} here: its mines make it {truth[index]}"
        raise BoardError(source, first_line + row, column + 1, what)


def no_more_rows(lines: Lines, rows: int, columns: int, source: str) -> None:
    """Refuse lines that look like more rows than the header declares."""
    more = [number for number, _ in takewhile(lambda line: len(line[1]) == columns, lines)]
    if more:
        found = f"the header says {counted(rows, 'row')}, the board has {rows + len(more)}"
        raise BoardError(source, more[0], 1, found)


def nothing_more(lines: Lines, source: str) -> None:
    """Refuse anything but blank lines behind the board."""
    for number, line in lines:
        if line.strip():
            raise BoardError(source, number, 1, f"{shortened(line)!r} behind the last row")


_PADDING = bytes([PADDING])
