"""Neighbourhoods: which cells a clue counts, for one cell and for a whole bit board at once.

A *bit board* is a set of cells held in one Python integer: bit ``row * stride + column``, with
``stride = columns + 1``. The padding column is always 0, so that shifting a board by one row or
one column never carries a cell round the edge of the grid. A whole expert board is 496 bits, and
the neighbour counts of all its clues cost about thirty integer operations.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from satsweeper.board.codes import Cell
from satsweeper.board.value import Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    from satsweeper.board.arrays import np

Count = tuple[int, int, int, int]
"""A number for every cell, bit-sliced: plane ``k`` holds bit ``k`` of each cell's number."""


class Square(Value):
    """The rectangular grid of the classic game: up to eight neighbours a cell.

    Cells are indices into a padded, row-major bit board.
    """

    rows: int
    columns: int

    @property
    def stride(self) -> int:
        """The distance in the bit board between a cell and the cell below."""
        return self.columns + 1

    @property
    def size(self) -> int:
        """Bits in a bit board, padding included."""
        return self.rows * (self.columns + 1)

    @property
    def reach(self) -> int:
        """Greatest distance in the bit board between a cell and a neighbour."""
        return self.columns + 2

    @property
    def window(self) -> int:
        """The neighbours of the cell at bit ``reach``, as a bit board."""
        w = self.columns + 1
        return 7 | 5 << w | 7 << 2 * w

    @property
    def offsets(self) -> tuple[int, ...]:
        """Distances in the bit board from a cell to its neighbours, ascending."""
        w = self.columns + 1
        return (-w - 1, -w, 1 - w, -1, 1, w - 1, w, w + 1)

    def index(self, cell: Cell) -> int:
        """Bit of the cell ``(row, column)``."""
        return cell[0] * (self.columns + 1) + cell[1]

    def cell(self, index: int) -> Cell:
        """The cell ``(row, column)`` of a bit."""
        return divmod(index, self.columns + 1)

    def named(self) -> tuple[Cell, ...]:
        """Every bit as ``(row, column)``, the padding too; kept for small boards."""
        rows, stride = self.rows, self.columns + 1
        return (_named if rows * stride < _KEPT else _named.__wrapped__)(rows, stride)

    def every(self) -> dict[Cell, None]:
        """Every cell ``(row, column)``, row by row; kept for small boards."""
        rows, columns = self.rows, self.columns
        return (_every if rows * columns < _KEPT else _every.__wrapped__)(rows, columns)

    def neighbours(self, index: int) -> Iterator[int]:
        """The neighbours of one cell, row by row."""
        row, column = divmod(index, self.columns + 1)
        for r in range(max(row - 1, 0), min(row + 2, self.rows)):
            for c in range(max(column - 1, 0), min(column + 2, self.columns)):
                if (r, c) != (row, column):
                    yield r * (self.columns + 1) + c

    def neighbour_table(self, indices: NDArray[np.intp]) -> NDArray[np.intp]:
        """Neighbours of many cells, shape ``(cells, 8)``.

        An entry may be a padding cell, or negative and so an index from the end. An array indexed
        with the table needs zeros in the padding, and at least ``reach`` zeros behind the last
        cell; then entries without a neighbour read 0.
        """
        table: NDArray[np.intp] = indices[:, None] + np.array(self.offsets)
        return table

    def spread(self, board: int) -> int:
        """The cells of ``board`` and all their neighbours; padding bits may be set."""
        w = self.columns + 1
        row = board | board << 1 | board >> 1
        return row | row << w | row >> w

    def count(self, board: int) -> Count:
        """Return the number of neighbours in ``board`` of each cell, the cell itself included.

        Callers read the planes at clues only, which are never in ``board``. Bits in the padding
        have no meaning.
        """
        # Carry-save addition: s0 and s1 are the binary digits of the sum of each run of three
        # cells in a row. Three such sums, of the row above, the row and the row below, add up to
        # the four digits of the count.
        w = self.columns + 1
        left = board << 1
        right = board >> 1
        half = left ^ board
        s0 = half ^ right
        s1 = left & board | half & right
        a0 = s0 << w
        b0 = s0 >> w
        a1 = s1 << w
        b1 = s1 >> w
        half = a0 ^ b0
        t0 = half ^ s0
        carry = a0 & b0 | half & s0
        half = a1 ^ b1
        u = half ^ s1
        v = a1 & b1 | half & s1
        w1 = u & carry
        return t0, u ^ carry, v ^ w1, v & w1


square = lru_cache(maxsize=64)(Square)
"""Returns the grid of some rows and columns; grids of the latest sizes are kept."""

_KEPT = 8_000
"""Bits of a bit board up to which the names of its cells are kept."""


@lru_cache(maxsize=8)
def _named(rows: int, stride: int) -> tuple[Cell, ...]:
    return tuple([(row, column) for row in range(rows) for column in range(stride)])


@lru_cache(maxsize=8)
def _every(rows: int, columns: int) -> dict[Cell, None]:
    return dict.fromkeys([(row, column) for row in range(rows) for column in range(columns)])
