"""A board as equalities: the numbers of mines among covered cells, for each clue and the total.

Read from the plain text notation alone: a first line ``rows columns mines`` (mines an integer or
``?``), then a row a line: ``0``-``8`` a clue, ``?`` a covered cell, ``F`` a flag. Variables 1 .. n
are the covered cells row by row; trusted flags are mines and have no variable.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from satsweeper.checker.errors import WrongCertificateError, counted

# Clues checked all at once. The rows are one text with padding around them; a set of places in the
# text is an integer, whose highest bit is the first character. Numbers of mines around all places
# are four such integers, a binary digit of every number in each.

_EDGE: Final = "."


class PaddedGrid(NamedTuple):
    """A board of ``rows`` x ``columns`` cells as one padded text; a *place* is an index into it.

    The padding is one character behind each row, and a row of ``columns + 1`` above and below.
    """

    rows: int
    columns: int

    @property
    def step(self) -> int:
        """Distance from a place to the place below."""
        return self.columns + 1

    def text(self, rows: Sequence[str]) -> str:
        """Return ``rows`` as one text, with padding between and around the rows."""
        beyond = _EDGE * self.step
        return f"{beyond}{_EDGE.join(rows)}{_EDGE}{beyond}"

    def place(self, cell: tuple[int, int]) -> int:
        """The place of ``cell``."""
        return (cell[0] + 1) * self.step + cell[1]

    def cell(self, place: int) -> tuple[int, int]:
        """Row and column of ``place``, which must be a cell and no padding."""
        row, column = divmod(place - self.step, self.step)
        return row, column

    def around(self) -> tuple[int, ...]:
        """Return the distances from a cell to the eight places around it."""
        step = self.step
        return -step - 1, -step, -step + 1, -1, 1, step - 1, step, step + 1

    def first(self, places: int) -> int:
        """The first place, in the order of the text, of the non-empty set ``places``."""
        return (self.rows + 2) * self.step - places.bit_length()

    def beside(self, mines: int) -> Iterator[int]:
        """Yield eight sets: the places whose neighbour in one direction is in the set ``mines``."""
        for step in self.around():
            yield mines << step if step > 0 else mines >> -step


def added_up(sets: Iterable[int]) -> list[int]:
    """Return, for all places at once, how many of ``sets`` hold the place, at most 15.

    The result is four sets, the lowest digit first: bit p of set d is binary digit d of the number
    at place p.
    """
    sums = [0, 0, 0, 0]
    # Each set is added as a carry into the lowest digit, which ripples through the higher ones.
    for carry in sets:
        for digit, plane in enumerate(sums):
            sums[digit], carry = plane ^ carry, plane & carry
    return sums


def places(text: str, marks: str) -> int:
    """Return the places of the ASCII ``text`` that hold one of ``marks``."""
    chosen = dict.fromkeys(range(128), "0") | dict.fromkeys(map(ord, marks), "1")
    return int(text.translate(chosen), 2)


Cell = tuple[int, int]
CountPair = tuple[tuple[int, ...], int]
"""Variables in ascending order, and the exact number of mines among them."""

BOARD: Final = "board.txt"
"""The file of a certificate that holds the board."""
_DIGITS: Final = frozenset("012345678")
_CLUES: Final = bytes(mark - 47 if chr(mark) in _DIGITS else 0 for mark in range(256))
"""Character -> number of a clue plus 1; 0 for characters that are no clue."""


@dataclass(frozen=True, slots=True)
class CellCount:
    """The equality that exactly ``mines`` of ``variables`` are mines; it may be unsatisfiable."""

    variables: frozenset[int]
    mines: int


@dataclass(frozen=True)
class CheckedBoard:
    """A board with its clues as equalities over its covered cells.

    ``mines``: the total, trusted flags included; None if unknown. ``flags``: the trusted flags.
    ``text``: the rows, covered cells as ``?``, padded by ``grid``. ``near``: place of a clue -> the
    variables around the clue and the number of mines among them, trusted flags subtracted; clues
    without covered cells are left out if the flags around them are as many as they show.
    """

    rows: tuple[str, ...]
    cells: tuple[Cell, ...] = field(repr=False)
    mines: int | None
    flags: tuple[Cell, ...]
    grid: PaddedGrid
    text: str = field(repr=False)
    near: Mapping[int, CountPair] = field(repr=False)

    @property
    def size(self) -> tuple[int, int, int | None]:
        """Rows, columns, and the total."""
        return *self.grid, self.mines

    @property
    def plain_rows(self) -> Sequence[str]:
        """The rows, with ``?`` for all covered cells."""
        step = self.grid.step
        return [
            self.text[start : start + step - 1]
            for start in range(step, len(self.text) - step, step)
        ]

    @cached_property
    def covered(self) -> bytes:
        """A byte for each cell, row by row: 1 for a covered cell, 0 for any other cell."""
        kinds = bytes(mark == ord("?") for mark in range(256))
        return "".join(self.plain_rows).encode("ascii").translate(kinds)

    @cached_property
    def variable(self) -> Mapping[Cell, int]:
        """Covered cell -> variable."""
        return {cell: v for v, cell in enumerate(self.cells, start=1)}

    @property
    def counts(self) -> list[CellCount]:
        """The equalities that the clues state, row by row."""
        return [self._count(place) for place, mark in enumerate(self.text) if mark in _DIGITS]

    def clue_at(self, cell: Cell) -> CellCount | None:
        """Return the equality that the clue at ``cell`` states; None if no clue is there."""
        row, column = cell
        if not (0 <= row < self.grid.rows and 0 <= column < self.grid.columns):
            return None
        place = self.grid.place(cell)
        return self._count(place) if self.text[place] in _DIGITS else None

    def _count(self, place: int) -> CellCount:
        variables, mines = self.near.get(place, ((), 0))
        return CellCount(frozenset(variables), mines)

    @cached_property
    def total(self) -> CellCount | None:
        """The equality of all variables that the total states; None if the total is unknown."""
        pair = self.total_pair
        return None if pair is None else CellCount(frozenset(pair[0]), pair[1])

    @property
    def total_pair(self) -> CountPair | None:
        """`total` as a pair: variables and number of mines."""
        if self.mines is None:
            return None
        return tuple(range(1, len(self.cells) + 1)), self.mines - len(self.flags)

    @cached_property
    def _flagged(self) -> int:
        return places(self.text, "F")

    @cached_property
    def _clue_planes(self) -> tuple[int, list[int]]:
        """The set of places of clues, and four subsets: clues with binary digit 1, 2, 4, 8."""
        digits = [places(self.text, marks) for marks in ("1357", "2367", "4567", "8")]
        return places(self.text, "012345678"), digits

    def broken_by_places(self, mines: int) -> str | None:
        """Return a message about the first clue, or the total, that ``mines`` breaks, else None.

        Args:
            mines: the set of places of a layout's mines, without the trusted flags.
        """
        # All clues at once: a place is wrong if some binary digit of its clue differs from that
        # digit of the number of mines counted around the place.
        clues, digits = self._clue_planes
        sums = added_up(self.grid.beside(mines | self._flagged))
        wrong = 0
        for digit, counted_there in zip(digits, sums, strict=True):
            wrong |= digit ^ counted_there
        if wrong & clues:
            broken = self.grid.first(wrong & clues)
            around = self.grid.around()
            last = len(self.text) - 1
            found = sum(mines >> last - broken - step & 1 for step in around)
            cell = self.grid.cell(broken)
            wanted = counted(self._count(broken).mines, "mine")
            return f"the clue at {cell} wants {wanted} here, the layout has {found}"
        total = self.total_pair
        if total is not None and mines.bit_count() != total[1]:
            wanted = counted(total[1], "mine")
            return f"the total wants {wanted} here, the layout has {mines.bit_count()}"
        return None


def read_board(text: str, trust_flags: bool) -> CheckedBoard:
    """Return the board of a certificate, read from the plain ``text`` of board.txt.

    Args:
        text: the whole file.
        trust_flags: whether flags are mines without a variable, instead of covered cells.

    Raises:
        WrongCertificateError: ``text`` is not a board in the plain notation.
    """
    lines = text.split("\n")
    head = lines[0].split(" ")
    if len(head) != 3 or not (_number(head[0]) and _number(head[1])):
        raise WrongCertificateError(BOARD, "line 1: not 'rows columns mines'")
    if not (_number(head[2]) or head[2] == "?"):
        raise WrongCertificateError(BOARD, f"line 1: {head[2]!r} is no number of mines")
    height, width = int(head[0]), int(head[1])
    if not height or not width:
        raise WrongCertificateError(BOARD, "line 1: a board has a row and a column at least")
    rows = tuple(lines[1 : height + 1])
    if len(lines) != height + 2 or lines[-1]:
        raise WrongCertificateError(BOARD, f"not {counted(height, 'row')}")
    for number, row in enumerate(rows, start=2):
        if len(row) != width or row.strip("012345678?F"):
            raise WrongCertificateError(
                BOARD, f"line {number}: not {counted(width, 'cell')} of 0-8, ? and F"
            )
    mines = None if head[2] == "?" else int(head[2])
    # Each clue becomes an equality over the covered cells around it.
    grid = PaddedGrid(len(rows), len(rows[0]) if rows else 0)
    text = grid.text(rows)
    if not trust_flags:
        text = text.replace("F", "?")
    around = grid.around()
    clues = text.encode("ascii").translate(_CLUES)
    covered = [place for place, mark in enumerate(text) if mark == "?"]
    hidden: dict[int, list[int]] = {}
    for v, place in enumerate(covered, start=1):
        for step in around:
            beside = place + step
            if clues[beside]:
                if beside in hidden:
                    hidden[beside].append(v)
                else:
                    hidden[beside] = [v]
    flags = [place for place, mark in enumerate(text) if mark == "F"]
    flagged = Counter(place + step for place in flags for step in around)
    known = flagged.get
    # Clues with no covered neighbour stay only if flags miss their number: a plain contradiction.
    near = {
        place: (tuple(hidden.get(place, ())), clue - 1 - known(place, 0))
        for place, clue in enumerate(clues)
        if clue and (place in hidden or clue - 1 != known(place, 0))
    }
    return CheckedBoard(
        rows, tuple(map(grid.cell, covered)), mines, tuple(map(grid.cell, flags)), grid, text, near
    )


def _number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 10 and str(int(word)) == word
