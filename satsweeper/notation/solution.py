"""Solutions of boards: every cell opened, mines as flags, nothing covered.

A solution is held like the cells of a position: one code a byte, each row followed by a padding
byte; a mine is ``FLAG``, every other cell its number.
"""

from typing import Final

from satsweeper.board.codes import COVERED, FLAG, PADDING, Cell
from satsweeper.board.geometry import Square
from satsweeper.board.layout import every_cell
from satsweeper.board.planes import Planes, spaced, unequal

MINE: Final = FLAG & 255
"""The byte of a mine in a solution, and of a flag in a position."""

HIDDEN: Final = COVERED & 255
"""The byte of a covered cell."""


def covered_grid(rows: int, columns: int) -> bytes:
    """Return a grid with every cell covered."""
    return (bytes([HIDDEN]) * columns + bytes([PADDING])) * rows


def mines_of(padded: bytes) -> int:
    """Return the cells with the code ``FLAG`` as a bit board."""
    return Planes.of(padded).flags


def solved(mines: int, rows: int, columns: int) -> bytes:
    """The solution in which exactly the cells of a bit board are mines.

    >>> solved(0b10, 1, 3)[:3] == bytes([1, MINE, 1])
    True
    """
    square = Square(rows, columns)
    cells = every_cell(square)
    open_cells = cells & ~mines
    # A byte a cell: codes of mines and padding, then digit by digit the numbers of open cells.
    codes = MINE * spaced(mines, square.size) + PADDING * spaced(
        (1 << square.size) - 1 ^ cells, square.size
    )
    for k, plane in enumerate(square.count(mines)):
        codes += spaced(plane & open_cells, square.size) << k
    return codes.to_bytes(square.size, "little")


def implied(padded: bytes, mines: int | None) -> bytes | None:
    """Return the solution that the flags of a board imply, or ``None``.

    Flags imply a solution if they are as many as the total ``mines`` (with ``mines`` None: if no
    other cell is covered), and if the opened cells show the numbers of that solution.
    """
    planes = Planes.of(padded)
    flags = planes.flags.bit_count()
    if planes.covered if mines is None else mines != flags:
        return None
    rows, columns = shape(padded)
    solution = solved(planes.flags, rows, columns)
    return solution if disagreement(planes, Planes.of(solution)) == 0 else None


def shape(padded: bytes) -> tuple[int, int]:
    """Return the rows and columns of padded cells."""
    columns = padded.index(PADDING)
    return len(padded) // (columns + 1), columns


def disagreement(shown: Planes, truth: Planes) -> int:
    """Return the opened cells of ``shown`` that contradict ``truth``, as a bit board."""
    return shown.clues & (truth.flags | unequal(shown.values, truth.values))


def opened_from(solution: bytes, columns: int, cell: Cell) -> bytes:
    """Return the padded cells of a game after its first click, at ``cell``.

    Each opened 0 opens its neighbours. ``cell`` must not be a mine in ``solution``.
    """
    square = Square(len(solution) // (columns + 1), columns)
    padded = bytearray(covered_grid(square.rows, columns))
    waiting = [square.index(cell)]
    padded[waiting[0]] = solution[waiting[0]]
    while waiting:
        index = waiting.pop()
        if padded[index]:
            continue
        for near in square.neighbours(index):
            if padded[near] == HIDDEN:
                padded[near] = solution[near]
                waiting.append(near)
    return bytes(padded)
