"""A board as its clues say it: how many of which covered cells are mines.

Read from the plain text notation alone: a first line ``rows columns mines`` (mines an integer or
``?``), then a row a line: ``0``-``8`` a clue, ``?`` a covered cell, ``F`` a flag. Variables 1 .. n
are the covered cells row by row; trusted flags are mines and have no variable.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from satsweeper.checker.wrong import WrongCertificateError, counted

Cell = tuple[int, int]

BOARD: Final = "board.txt"
"""The file of a certificate that holds the board."""


@dataclass(frozen=True)
class Count:
    """Exactly ``mines`` of these variables are mines; ``mines`` may be out of their range."""

    variables: frozenset[int]
    mines: int


@dataclass(frozen=True)
class Board:
    """A board and what it says. ``clues``: one count a clue, by its cell; ``total``: None if
    unknown, else the count over all variables. ``mines``: the total, the ``flags`` included, which
    are those that are trusted."""

    rows: tuple[str, ...]
    cells: tuple[Cell, ...] = field(repr=False)
    variable: dict[Cell, int] = field(repr=False)
    clues: dict[Cell, Count] = field(repr=False)
    total: Count | None
    mines: int | None
    flags: tuple[Cell, ...]

    @property
    def size(self) -> tuple[int, int, int | None]:
        """Rows, columns, and the total."""
        return len(self.rows), len(self.rows[0]) if self.rows else 0, self.mines

    def broken_by(self, mines: Iterable[int]) -> str | None:
        """What a layout with these variables as mines breaks, or None if it is right."""
        held = set(mines)
        for cell, count in self.clues.items():
            found = len(count.variables & held)
            if found != count.mines:
                wanted = counted(count.mines, "mine")
                return f"the clue at {cell} wants {wanted} here, the layout has {found}"
        if self.total is not None and len(held) != self.total.mines:
            wanted = counted(self.total.mines, "mine")
            return f"the total wants {wanted} here, the layout has {len(held)}"
        return None


def read_board(text: str, trust_flags: bool) -> Board:
    """The board of a certificate.

    Raises:
        WrongCertificateError: the text is not a board in this notation.
    """
    lines = text.split("\n")
    head = lines[0].split(" ")
    if len(head) != 3 or not (_number(head[0]) and _number(head[1])):
        raise WrongCertificateError(BOARD, "line 1: not 'rows columns mines'")
    if not (_number(head[2]) or head[2] == "?"):
        raise WrongCertificateError(BOARD, f"line 1: {head[2]!r} is no number of mines")
    height, width = int(head[0]), int(head[1])
    rows = tuple(lines[1 : height + 1])
    if len(lines) != height + 2 or lines[-1]:
        raise WrongCertificateError(BOARD, f"not {counted(height, 'row')}")
    for number, row in enumerate(rows, start=2):
        if len(row) != width or row.strip("012345678?F"):
            raise WrongCertificateError(
                BOARD, f"line {number}: not {counted(width, 'cell')} of 0-8, ? and F"
            )
    mines = None if head[2] == "?" else int(head[2])
    return _understood(rows, mines, trust_flags)


def _understood(rows: tuple[str, ...], mines: int | None, trust_flags: bool) -> Board:
    places = [(r, c) for r, row in enumerate(rows) for c in range(len(row))]
    covered = "?" if trust_flags else "?F"
    cells = tuple((r, c) for r, c in places if rows[r][c] in covered)
    variable = {cell: v for v, cell in enumerate(cells, start=1)}
    flags = {(r, c) for r, c in places if rows[r][c] == "F" and trust_flags}
    clues = {}
    for r, c in places:
        if rows[r][c] in "012345678":
            around = [(r + dr, c + dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if dr or dc]
            hidden = frozenset(variable[cell] for cell in around if cell in variable)
            known = sum(cell in flags for cell in around)
            clues[r, c] = Count(hidden, int(rows[r][c]) - known)
    total = None
    if mines is not None:
        total = Count(frozenset(variable.values()), mines - len(flags))
    return Board(rows, cells, variable, clues, total, mines, tuple(sorted(flags)))


def _number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 10 and str(int(word)) == word
