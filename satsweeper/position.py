"""Positions: the cells that a player sees, and the total number of mines if it is known."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal, Self

from pbcnf.shown import Drawn
from satsweeper.board.codes import COVERED, FLAG, MAX_CELLS, MAX_CLUE, PADDING, Cell
from satsweeper.board.facts import Flags, View
from satsweeper.board.geometry import Square, square
from satsweeper.board.planes import Planes, indices, pad, unpadded
from satsweeper.board.size import size_text
from satsweeper.board.value import Value
from satsweeper.notation.board_file import board_data
from satsweeper.notation.error import BoardError
from satsweeper.notation.read_board import read_board
from satsweeper.notation.text import padded_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray
else:
    from satsweeper.board.arrays import np


class _Keep(Enum):
    KEEP = "keep"

    def __repr__(self) -> str:
        return self.name


KEEP: Final = _Keep.KEEP
"""The default total: the number in the text of the board."""

Total = int | Literal[_Keep.KEEP] | None
"""A total that replaces the board's own: a number, ``None`` for unknown, or ``KEEP``."""


class Position(Drawn, Value):
    """Cells, total and geometry of a board; immutable.

    ``cells`` is a read-only int8 array of shape ``(rows, columns)``: ``0``-``8`` a clue, ``-1``
    covered, ``-2`` a flag. ``mines`` is the total of the whole board, flags included, or ``None``
    if unknown. A position without a layout is a valid value: classifications report the
    contradiction.

    >>> position = Position.parse("1 ? ?\\n1 2 ?\\n0 1 ?\\n")
    >>> position, position.clue_cells()[:2]
    (Position(3x3, total unknown), [(0, 0), (1, 0)])
    >>> print(position.with_clue((0, 2), 1).text(), end="")
    3 3 ?
    1?1
    12?
    01?
    """

    padded: bytes
    """The cells' codes row by row, each row followed by a padding byte."""
    mines: int | None
    geometry: Square

    def __init__(
        self, cells: ArrayLike, mines: int | None = None, *, geometry: Square | None = None
    ) -> None:
        """Copy and check ``cells``; without a ``geometry`` the board is a `Square` grid.

        Raises ``ValueError`` for a wrong shape, a cell outside -2..8, a total that does not fit
        the board or a geometry of another size, ``TypeError`` for a total that is no integer.
        """
        padded, columns = _from_lists(cells) or _from_array(cells)
        rows = len(padded) // (columns + 1)
        grid = square(rows, columns) if geometry is None else geometry
        if (grid.rows, grid.columns) != (rows, columns):
            raise ValueError(
                f"geometry of {size_text(grid.rows, grid.columns)} for a board of"
                f" {size_text(rows, columns)}"
            )
        total = _checked_total(mines, rows * columns)
        self.__dict__.update(padded=padded, mines=total, geometry=grid)

    @classmethod
    def parse(
        cls,
        text: str | bytes,
        *,
        source: str = "<text>",
        mines: Total = KEEP,
        format: str | None = None,
    ) -> Self:
        """Read a board from text or bytes; ``mines`` replaces the total that the text states.

        ``format`` is a name in ``notation.formats.FORMATS``; by default the format is recognised by
        the header or the content of the text. If the text holds a whole layout, the position has
        only what the player sees: all cells are covered if the text has nothing but the mines.
        ``source`` names the text in error messages.

        Raises ``BoardError`` with source, line and column for a text that is not a board, and
        ``KeyError`` for an unknown format.
        """
        padded, columns, total = read_board(text, source, format)
        rows = len(padded) // (columns + 1)
        if mines is None:
            total = None
        elif mines is not KEEP:
            try:
                total = _checked_total(mines, rows * columns)
            except ValueError as error:
                raise BoardError(source, message=str(error)) from None
        self = object.__new__(cls)
        # The reader has checked the cells and the total; __init__ would check and copy them again.
        self.__dict__.update(padded=padded, mines=total, geometry=square(rows, columns))
        return self

    @classmethod
    def of_padded(cls, padded: bytes, mines: int | None, geometry: Square) -> Self:
        """Return a position from ``padded`` codes and a total; the arguments are not checked."""
        self = object.__new__(cls)
        self.__dict__.update(padded=padded, mines=mines, geometry=geometry)
        return self

    @classmethod
    def read(
        cls, path: str | os.PathLike[str], *, mines: Total = KEEP, format: str | None = None
    ) -> Self:
        """Read a board file; ``-`` is standard input. Raises the errors of ``parse``."""
        data, source = board_data(path)
        return cls.parse(data, source=source, mines=mines, format=format)

    @property
    def rows(self) -> int:
        """Number of rows, one at least."""
        return self.geometry.rows

    @property
    def columns(self) -> int:
        """Number of columns, one at least."""
        return self.geometry.columns

    @cached_property
    def cells(self) -> NDArray[np.int8]:
        """The cells as a read-only int8 array of shape ``(rows, columns)``."""
        return unpadded(self.padded, self.geometry.columns)

    @cached_property
    def planes(self) -> Planes:
        """The cells as bit boards."""
        return Planes.of(self.padded)

    def view(self, flags: Flags = "trust") -> View:
        """Return the position as bit boards, flags taken for mines or for covered cells.

        Raises ``ValueError`` unless ``flags`` is ``"trust"`` or ``"ignore"``.
        """
        if flags not in ("trust", "ignore"):
            raise ValueError(f"flags={flags!r}: 'trust' or 'ignore'")
        planes = self.planes
        covered, trusted = planes.covered, planes.flags
        if flags == "ignore":
            covered, trusted = covered | trusted, 0
        return View(
            self.geometry,
            self.padded,
            planes.clues,
            planes.values,
            covered,
            trusted,
            self.mines,
            flags,
        )

    def text(self) -> str:
        """Return the board in the text format with its header; ``parse`` reads it back."""
        return padded_text(self.padded, self.columns, self.mines)

    def with_clue(self, cell: Cell, clue: int) -> Self:
        """Return the position after opening the covered ``cell``, which then shows ``clue``.

        Raises ``ValueError`` for a cell outside the board, opened or flagged, and for a clue
        outside 0..8.
        """
        row, column = cell
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            raise ValueError(
                f"cell {cell}: rows are 0 to {self.rows - 1}, columns 0 to {self.columns - 1}"
            )
        if isinstance(clue, bool) or not 0 <= operator.index(clue) <= MAX_CLUE:
            raise ValueError(f"clue {clue!r}: a clue is 0 to {MAX_CLUE}")
        index = self.geometry.index(cell)
        held = self.padded[index]
        if held != COVERED & 255:
            what = "carries a flag" if held == FLAG & 255 else f"is open and shows {held}"
            raise ValueError(f"cell {cell} {what}: only a covered cell without a flag is opened")
        padded = bytearray(self.padded)
        padded[index] = operator.index(clue)
        return self.of_padded(bytes(padded), self.mines, self.geometry)

    def clue_cells(self) -> list[Cell]:
        """Return the opened cells, row by row."""
        return self._cells_of(self.planes.clues)

    def flag_cells(self) -> list[Cell]:
        """Return the flagged cells, row by row."""
        return self._cells_of(self.planes.flags)

    def covered_cells(self) -> list[Cell]:
        """Return the covered cells without a flag, row by row."""
        return self._cells_of(self.planes.covered)

    def _cells_of(self, board: int) -> list[Cell]:
        return [*map(self.geometry.cell, indices(board, self.geometry.size))]

    def __repr__(self) -> str:
        from pbcnf.wording import counted

        total = "total unknown" if self.mines is None else counted(self.mines, "mine")
        return f"Position({size_text(self.rows, self.columns)}, {total})"

    def __str__(self) -> str:
        """Return the board in the text format; ``parse`` reads it back."""
        return self.text().rstrip("\n")

    def __reduce__(self) -> tuple[Callable[..., Position], tuple[Any, ...]]:
        # Cached properties are not pickled: an unpickled array would be writeable.
        return self.of_padded, (self.padded, self.mines, self.geometry)


_PADDING: Final = bytes([PADDING])
_CELLS: Final = bytes([COVERED & 255, FLAG & 255, *range(MAX_CLUE + 1)])
"""The codes of cells."""


def _from_lists(values: ArrayLike) -> tuple[bytes, int] | None:
    """Return the padded codes and the number of columns of nested lists of int.

    None if ``values`` is anything else, or holds no valid board: `_from_array` then decides.
    """
    if not isinstance(values, list | tuple) or not values:
        return None
    if not {*map(type, values)} <= {list, tuple} or len({*map(len, values)}) != 1:
        return None
    # Imported late: boards are rarely made of lists by the command.
    from struct import error, pack

    every: list[Any] = []
    for row in values:
        every += row
        every.append(PADDING)
    if {*map(type, every)} != {int} or len(every) > MAX_CELLS:
        return None
    try:
        padded = pack(f"{len(every)}b", *every)
    except error:
        return None
    # Nothing is left but the padding if the codes of cells are taken away.
    columns = len(values[0])
    if not columns or padded.translate(None, _CELLS) != _PADDING * len(values):
        return None
    return padded, columns


def _from_array(values: ArrayLike) -> tuple[bytes, int]:
    given = np.asarray(values)
    if given.ndim != 2 or not given.size:
        raise ValueError(f"cells of shape {given.shape}: (rows, columns), both at least 1")
    if given.size > MAX_CELLS:
        raise ValueError(f"{size_text(*given.shape)} cells: the limit is {MAX_CELLS}")
    if given.dtype.kind not in "iu":
        raise ValueError(f"cells of type {given.dtype}: integers are needed")
    if given.min() < FLAG or given.max() > MAX_CLUE:
        wrong = np.argwhere((given < FLAG) | (given > MAX_CLUE))
        row, column = wrong[0].tolist()
        raise ValueError(
            f"cell {(row, column)} holds {given[row, column]}: "
            f"a cell is 0 to {MAX_CLUE}, {COVERED} (covered) or {FLAG} (flag)"
        )
    return pad(given), given.shape[1]


def _checked_total(mines: int | None, cells: int) -> int | None:
    if mines is None:
        return None
    if isinstance(mines, bool) or type(mines).__name__ == "bool":
        raise TypeError(f"mines={mines!r}: the total is an integer, or None for unknown")
    total = operator.index(mines)
    if not 0 <= total <= cells:
        from pbcnf.wording import counted

        size = counted(cells, "cell")
        raise ValueError(f"{counted(total, 'mine')} in {size}: the total is 0 to {cells}")
    return total
