"""``.mbf``, the binary format of several Minesweeper programs: the places of the mines alone.

Byte 0 is the number of columns, byte 1 of rows, bytes 2 and 3 of mines (high byte first); then
column and row of every mine, a byte each. A board is at most 255 x 255. Layout as read and written
by JSMinesweeper (github.com/DavidNHill/JSMinesweeper).

Read as a position, every cell is covered and the total is the number of mines.

>>> record = read(bytes([3, 1, 0, 1, 2, 0]), "b.mbf")
>>> record.reading.cells.tolist(), record.mines, write(record).hex()
([[-1, -1, -1]], 1, '030100010200')
"""

from typing import Final

from pbcnf.wording import counted
from satsweeper.board.planes import board_of, indices
from satsweeper.board.size import size_text
from satsweeper.notation.error import BoardError, CannotHoldError
from satsweeper.notation.record import Record
from satsweeper.notation.solution import MINE, covered_grid, mines_of, solved

MOST: Final = 255
"""Limit on rows, and on columns."""


def read(data: bytes, source: str) -> Record:
    """Read an ``.mbf`` file; raises ``BoardError`` with the offending byte, from 0."""
    if len(data) < 4:
        what = f"{counted(len(data), 'byte')}: an .mbf file has 4 for the size, and 2 for each mine"
        raise BoardError(source, message=what)
    columns, rows = data[0], data[1]
    mines = int.from_bytes(data[2:4], "big")
    if not columns or not rows:
        what = f"{counted(rows, 'row')} x {columns} columns: a board has one of each at least"
        raise BoardError(source, message=f"byte {0 if not columns else 1}: {what}")
    if mines > rows * columns:
        what = f"{counted(mines, 'mine')} in {counted(rows * columns, 'cell')}"
        raise BoardError(source, message=f"byte 2: {what}")
    if len(data) != 4 + 2 * mines:
        cut = "truncated: " if len(data) < 4 + 2 * mines else ""
        what = f"with a mine count of {mines} an .mbf file has {4 + 2 * mines}"
        raise BoardError(source, message=f"{cut}{counted(len(data), 'byte')}: {what}")
    seen: set[int] = set()
    for at in range(4, len(data), 2):
        column, row = data[at], data[at + 1]
        if column >= columns or row >= rows:
            what = (
                f"mine in row {row}, column {column} of {counted(rows, 'row')} x {columns} columns"
            )
            raise BoardError(source, message=f"byte {at}: {what}")
        index = row * (columns + 1) + column
        if index in seen:
            what = f"a second mine in row {row}, column {column}"
            raise BoardError(source, message=f"byte {at}: {what}")
        seen.add(index)
    solution = solved(board_of(seen, rows * (columns + 1)), rows, columns)
    return Record(covered_grid(rows, columns), columns, mines, solution)


def write(record: Record) -> bytes:
    """Return the file; ``CannotHoldError`` for a board larger than 255 x 255."""
    rows, columns, solution = record.rows, record.columns, record.truth
    if rows > MOST or columns > MOST:
        most = size_text(MOST, MOST)
        raise CannotHoldError(f"mbf cannot hold {size_text(rows, columns)} cells: {most} at most")
    assert solution is not None, "write_record checks that"
    mines = indices(mines_of(solution), len(solution))
    places = (divmod(index, columns + 1) for index in mines)
    cells = bytes(byte for row, column in places for byte in (column, row))
    return bytes([columns, rows]) + solution.count(MINE).to_bytes(2, "big") + cells
