"""Layouts drawn from words: equal words draw equal layouts, on every machine and in every version.

Random indices are cut from SHAKE-256 of the words (FIPS 202). Indices that are no cell, and cells
that are drawn already, are skipped. So all sets of cells of one size are equally likely, exactly:
no number is rounded, and no generator of a library is used.
"""

from enum import StrEnum
from hashlib import shake_256
from itertools import count
from struct import unpack
from typing import Final

from pbcnf.wording import counted
from satsweeper.board.codes import Cell
from satsweeper.board.geometry import Square
from satsweeper.board.layout import Layout, every_cell
from satsweeper.board.planes import indices
from satsweeper.board.size import BoardSize, size_text

# The promise of a game about the cell that is opened first: four conventions. A convention changes
# the share of games won far more than any strategy does, so a share means nothing without one.


class FirstClick(StrEnum):
    """A convention of the first click; the value is its name on the command line."""

    NONE = "none"
    """No promise: the first cell is a mine as often as any other."""

    SAFE = "safe"
    """The first cell has no mine; nothing is promised about its neighbours."""

    OPENING = "opening"
    """The first cell and its neighbours have no mine, so that the first click opens an area."""

    WINDOWS = "windows"
    """Windows' way: a mine at the first cell is moved to the first free cell, row by row from the
    top left. The possible layouts are those of ``SAFE``, but they are *not* equally likely: cells
    near the top left corner are mines too often, and odds that take all layouts for equally likely
    are slightly wrong.
    """


def promised(first_click: FirstClick, geometry: Square, first: int) -> int:
    """The cells that have no mine if the cell of the index ``first`` is opened first: a bit board.

    >>> from satsweeper.board.geometry import Square
    >>> bin(promised(FirstClick.OPENING, Square(2, 3), 0))
    '0b110011'
    """
    if first_click is FirstClick.NONE:
        return 0
    free = 1 << first
    if first_click is FirstClick.OPENING:
        for near in geometry.neighbours(first):
            free |= 1 << near
    return free


def usual_start(board: BoardSize, first_click: FirstClick) -> Cell:
    """The first cell of published win rates: the corner, or well inside if an opening is promised.

    Under OPENING the cell is (2, 2), on the expert board (3, 3), or on a smaller board the nearest
    cell to these. Most authors count rows and columns from 1 and write (3, 3) and (4, 4); the
    published rates confirm this reading.
    """
    if first_click is not FirstClick.OPENING:
        return 0, 0
    inside = 3 if board == BoardSize(16, 30, 99) else 2
    return min(inside, board.rows - 1), min(inside, board.columns - 1)


_BLOCK: Final = 136
"""The number of indices made at a time: at two bytes each, two blocks of output of SHAKE-256."""
_ZERO, _ONE = b"01"


def game_layout(
    board: BoardSize, first: Cell, first_click: FirstClick, seed: int, number: int = 0
) -> Layout:
    """The layout of game ``number`` of a seed, if ``first`` is opened first.

    Under NONE the layout does not depend on ``first``; under WINDOWS the layout depends on
    ``first`` only if that cell would be a mine. Raises as ``room``.

    >>> game_layout(BoardSize(3, 4, 2), (0, 0), FirstClick.SAFE, seed=1).mines.bit_count()
    2
    """
    return draw_layout(board, first, first_click, f"{board} seed {seed} game {number}")


def draw_layout(board: BoardSize, first: Cell, first_click: FirstClick, words: str) -> Layout:
    """A layout for a game in which ``first`` is opened first, drawn from ``words`` alone.

    Under every convention but WINDOWS, all layouts that the convention allows are equally likely.
    Raises as ``room``.
    """
    geometry = Square(board.rows, board.columns)
    cells = room(board, first, first_click)
    if first_click is not FirstClick.WINDOWS:
        return Layout(geometry, drawn(cells, board.mines, words))
    # Windows draws among all cells; ``free`` is the first cell, whose mine moves to the lowest bit
    # of the cells without one.
    every = every_cell(geometry)
    free = every & ~cells
    mines = drawn(every, board.mines, words)
    if mines & free:
        others = every & ~mines
        mines ^= free | others & -others
    return Layout(geometry, mines)


def rows_of(layout: Layout) -> list[str]:
    """The layout as one string a row: ``*`` is a mine, ``.`` a free cell."""
    geometry = layout.geometry
    rows = [["."] * geometry.columns for _ in range(geometry.rows)]
    for index in indices(layout.mines, geometry.size):
        row, column = geometry.cell(index)
        rows[row][column] = "*"
    return ["".join(row) for row in rows]


def room(board: BoardSize, first: Cell, first_click: FirstClick) -> int:
    """The cells that may have mines if ``first`` is opened first, as a bit board.

    Raises:
        ValueError: ``first`` is not on the board, or the mines do not fit into these cells.
    """
    row, column = first
    if not (0 <= row < board.rows and 0 <= column < board.columns):
        raise ValueError(f"first cell {first}: the board is {size_text(board.rows, board.columns)}")
    geometry = Square(board.rows, board.columns)
    cells = every_cell(geometry) & ~promised(first_click, geometry, geometry.index(first))
    most = cells.bit_count()
    if not 0 <= board.mines <= most:
        what = f"first click {str(first_click)!r} leaves room for {most}"
        raise ValueError(f"{counted(board.mines, 'mine')}: {what}")
    return cells


def drawn(among: int, number: int, words: str) -> int:
    """Draw ``number`` cells of the bit board ``among``; all sets are equally likely.

    Raises ``ValueError`` if ``among`` has fewer cells.

    >>> drawn(0b1011, 3, "any words") == 0b1011
    True
    """
    cells = among.bit_count()
    if not 0 <= number <= cells:
        raise ValueError(f"{number} of {counted(cells, 'cell')}")
    if 2 * number > cells:
        # Draw the complement, so that at most half of the cells are ever taken.
        return among ^ drawn(among, cells - number, words)
    if not number:
        return 0
    # An index has the least number of bits that reaches the highest cell of ``among``. Indices are
    # uniform; skipping those without a cell left keeps every remaining cell equally likely.
    bits = (among.bit_length() - 1).bit_length()
    mask = (1 << bits) - 1
    width, code = (2, "H") if bits <= 16 else (4, "I")
    left = bytearray(format(among, f"0{1 << bits}b").encode())
    left.reverse()
    for block in count():
        data = shake_256(f"{words} block {block}".encode()).digest(width * _BLOCK)
        for word in unpack(f"<{_BLOCK}{code}", data):
            index = word & mask
            if left[index] == _ONE:
                left[index] = _ZERO
                number -= 1
                if not number:
                    left.reverse()
                    return among ^ int(left, 2)
    raise AssertionError("count() has no end")
