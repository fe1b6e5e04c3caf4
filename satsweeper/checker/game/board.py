"""The board of a game's proof: opened cells, verdicts and layouts, as stated so far.

A set of cells is a bit board, an integer in which bit ``row * columns + column`` is a cell. A board
has up to a million cells, and a proof may have a line for each cell: a bit board a line would need
memory quadratic in the cells. So a fixed number of bit boards is kept, and the memory for a line is
linear in its length.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from satsweeper.checker.board import added_up

Mines = frozenset[int]
"""Cells by number, not a bit board: of a large board a proof may show many layouts of few mines."""
_NOT_EMPTY: Final = re.compile(rb"[^\0]")


class GameBoard:
    """The board so far: opened cells, given mines (flags), proved verdicts, and shown layouts.

    ``refuted``: the cores of at most one assumption, as tuples of literals. ``total``: the number
    of mines on the whole board; None if it is unknown.
    """

    def __init__(self, rows: int, columns: int, total: int | None) -> None:
        self.rows, self.columns, self.total = rows, columns, total
        self.size = rows * columns
        self.opened = self.given = self.safe = self.mines = self.zeros = 0
        self.clues: dict[int, int] = {}
        self.refuted: set[tuple[int, ...]] = set()
        self.layouts: set[Mines] = set()
        """The layouts that the proof has shown, each kept as long as it fits the position.

        A kept layout is the set of its mines among the covered cells next to a clue. The other
        covered cells are *free*: no clue counts them, so the rest of the total may be in any of
        them.
        """
        self.inconsistent = False
        self.near = 0
        """Cells next to an opened one."""
        self._guesses = 0
        self._batch: list[int] = []
        """Cells opened since the last verdict without a proof that they are safe: by a guess, or by
        a 0 beside them. `count_guesses` empties the list."""
        self._digits = [0, 0, 0, 0]
        """Bit boards of the cells whose clue has 1, 2, 4 and 8 in its binary form."""
        first_column, whole = self.board_of(range(0, self.size, columns)), (1 << self.size) - 1
        self._beside_one = whole & ~first_column, whole & ~(first_column << columns - 1)
        """The cells with a left neighbour, and the cells with a right neighbour."""

    @property
    def covered(self) -> int:
        """The cells that get a verdict."""
        return (1 << self.size) - 1 & ~(self.opened | self.given)

    @property
    def verdicts(self) -> tuple[int, int]:
        """The covered cells that are proved to be safe, and to be mines."""
        return self.safe & self.covered, self.mines & self.covered

    @property
    def free(self) -> int:
        """The covered cells that no clue counts."""
        return self.covered & ~self.near

    def around(self, cell: int) -> int:
        """The neighbours of ``cell``."""
        row, column = divmod(cell, self.columns)
        left, right = min(column, 1), min(self.columns - 1 - column, 1)
        above, below = min(row, 1), min(self.rows - 1 - row, 1)
        across = (1 << left + 1 + right) - 1
        # Runs of one to three cells in one to three rows, moved to the neighbour up left.
        block = sum([across << self.columns * down for down in range(above + 1 + below)])
        return block << cell - left - self.columns * above & ~(1 << cell)

    def open(self, cell: int, clue: int) -> None:
        """Open ``cell``, which shows ``clue``."""
        bit, around = 1 << cell, self.around(cell)
        # Kept layouts leave free cells open, so a clue that counts a free cell cannot be checked
        # against them: all are dropped.
        if self.layouts and self.free & around:
            self.layouts = set()
        self.opened |= bit
        self.clues[cell] = clue
        self._digits = [
            plane | bit if clue >> digit & 1 else plane for digit, plane in enumerate(self._digits)
        ]
        self.near |= around
        if self.layouts:
            covered = cells_of(around & self.covered)
            mines = clue - (around & self.given).bit_count()
            self._keep(
                shown
                for shown in self.layouts
                if cell not in shown and sum([each in shown for each in covered]) == mines
            )
        if not self.safe & bit:
            # Not proved to be safe: the cell was clicked as a guess, or opened by a 0 beside it.
            self._batch.append(cell)
        if clue == 0:
            self.zeros |= bit
        self.safe &= ~bit
        self.mines &= ~bit

    def put(self, cell: int) -> None:
        """Take ``cell`` for a mine, because a flag is there."""
        self.count_guesses()
        counted = bool(self.near >> cell & 1)
        self.given |= 1 << cell
        self.safe &= ~self.given
        self.mines &= ~self.given
        if counted:
            # Layouts with a mine in the cell stay; they list only covered cells, so no longer this.
            self.layouts = {shown - {cell} for shown in self.layouts if cell in shown}
        self._keep(self.layouts)

    def show(self, literals: Iterable[int]) -> None:
        """Keep the layout of ``literals`` if it fits all clues, the flags and the total.

        Args:
            literals: variable ``cell + 1`` for a mine, or its negation; other variables mean no
                cell. Literals of free cells are ignored: the total alone decides about those cells.
        """
        cells = [lit for lit in literals if abs(lit) <= self.size]
        mines = self.board_of(lit - 1 for lit in cells if lit > 0)
        safe = self.board_of(-lit - 1 for lit in cells if lit < 0)
        near = self.near & self.covered
        if mines & self.opened or safe & self.given or near & ~(mines | safe):
            return
        mines &= near
        # Eight planes added digit by digit count the mines around all cells at once.
        found = zip(added_up(self._beside(mines | self.given)), self._digits, strict=True)
        least, most = self._mine_bounds()
        fits = not any((counted ^ shown) & self.opened for counted, shown in found)
        if fits and least <= mines.bit_count() <= most:
            self.layouts.add(frozenset(cells_of(mines)))

    def shown(self) -> tuple[int, int]:
        """The covered cells that are a mine in some kept layout, and those safe in some."""
        if not self.layouts:
            return 0, 0
        least, most = self._mine_bounds()
        sizes = {len(shown) for shown in self.layouts}
        near, free = self.near & self.covered, self.free
        # Free cells are interchangeable: if the total leaves a mine (or a safe cell) among the free
        # cells of some layout, each free cell can be the mine (or the safe cell).
        mines = self.board_of(Mines().union(*self.layouts))
        safe = near & ~self.board_of(Mines.intersection(*self.layouts))
        return mines | (free if min(sizes) < most else 0), safe | (
            free if max(sizes) > least else 0
        )

    def prove(self, cell: int, mine: bool) -> None:
        """Note the verdict of ``cell``: a mine, or safe."""
        self.count_guesses()
        if mine:
            self.mines |= 1 << cell
        else:
            self.safe |= 1 << cell

    def alike(self, first: int, second: int) -> bool:
        """Whether the cells ``first`` and ``second`` are covered and counted by no clue.

        Then exchanging the two cells turns every layout into a layout: a verdict proved of either
        cell holds for both.
        """
        pair = 1 << first | 1 << second
        return not pair & (self.near | self.opened | self.given)

    def board_of(self, cells: Iterable[int]) -> int:
        """Return the bit board of ``cells``, made in place: a changed integer is a copy."""
        found = bytearray(self.size // 8 + 1)
        for cell in cells:
            found[cell >> 3] |= 1 << (cell & 7)
        return int.from_bytes(found, "little")

    def text(self, *, verdicts: bool) -> tuple[str, ...]:
        """The board as rows, covered cells as ``?`` or with their verdicts."""
        marks = bytearray(b"?" * self.size)
        # Later statements win: a verdict was about the cell when it was covered.
        for cells, mark in ((self.mines, b"M"), (self.safe, b"S")) if verdicts else ():
            for cell in cells_of(cells):
                marks[cell : cell + 1] = mark
        for cell in cells_of(self.given):
            marks[cell : cell + 1] = b"F"
        for cell, clue in self.clues.items():
            marks[cell : cell + 1] = b"%d" % clue
        text = marks.decode("ascii")
        return tuple(text[at : at + self.columns] for at in range(0, self.size, self.columns))

    def _keep(self, layouts: Iterable[Mines]) -> None:
        """Keep the members of ``layouts`` with a number of mines that the total allows."""
        least, most = self._mine_bounds()
        self.layouts = {mines for mines in layouts if least <= len(mines) <= most}

    def _mine_bounds(self) -> tuple[int, int]:
        """The least and most mines that the total allows the covered cells next to clues."""
        if self.total is None:
            return -1, self.size + 1
        # The free cells hold the rest of the total: from no mine at all to a mine in each.
        most = self.total - self.given.bit_count()
        return most - self.free.bit_count(), most

    def _beside(self, mines: int) -> Iterator[int]:
        """Yield eight bit boards: the cells whose neighbour in one direction is in ``mines``.

        Bits above the last row may be set: no opened cell is there.
        """
        has_left, has_right = self._beside_one
        columns = mines << 1 & has_left, mines, mines >> 1 & has_right
        yield from columns[::2]
        for moved in columns:
            yield moved << self.columns
            yield moved >> self.columns

    def count_guesses(self) -> int:
        """Return the fewest clicks on cells not proved safe that open all opened cells.

        The clicks for cells opened since the last verdict are added to a running sum. A click on a
        0 opens the area of zeros around the cell and the border of that area, a click on another
        clue only that cell. So zeros are clicked first: each area needs a click anyway.
        """
        waiting, self._batch = self._batch, []
        if not waiting:
            return self._guesses
        new = self.board_of(waiting)
        # Opened cells outside the batch were no guesses; zeros among them open their neighbours.
        done = self.opened & ~new
        queue = cells_of(self.zeros & done)
        order = iter(sorted(waiting, key=lambda cell: not self.zeros >> cell & 1))
        while True:
            while queue:
                fresh = self.around(queue.pop()) & new & ~done
                done |= fresh
                queue += cells_of(fresh & self.zeros)
            guess = next((cell for cell in order if not done >> cell & 1), None)
            if guess is None:
                return self._guesses
            self._guesses += 1
            done |= 1 << guess
            if self.zeros >> guess & 1:
                queue.append(guess)


def cells_of(board: int) -> list[int]:
    """Return the cells of the bit board ``board``, ascending."""
    data = board.to_bytes(board.bit_length() // 8 + 1, "little")
    found = _NOT_EMPTY.finditer(data)
    return [8 * at.start() + bit for at in found for bit in range(8) if at[0][0] >> bit & 1]
