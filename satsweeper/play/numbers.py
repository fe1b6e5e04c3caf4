"""A layout as the kernel has it: what each cell shows."""

from satsweeper.board.geometry import Square
from satsweeper.board.layout import Layout
from satsweeper.board.planes import flat, indices
from satsweeper.play.kernel.arrays import Bytes, numpy, octets
from satsweeper.play.kernel.deduce import EXPLODED


def numbers_of(layout: Layout) -> Bytes:
    """What each cell shows, row by row; ``EXPLODED`` for a mine."""
    geometry = layout.geometry
    assert isinstance(geometry, Square)
    planes = (*layout.numbers, layout.mines)
    worth = (1, 2, 4, 8, EXPLODED)
    if numpy is None:
        numbers = octets(geometry.rows * geometry.columns)
        for plane, value in zip(planes, worth, strict=True):
            for index in indices(plane, geometry.size):
                row, column = geometry.cell(index)
                numbers[row * geometry.columns + column] += value
        return numbers
    b0, b1, b2, b3, mines = (flat(plane, geometry.size)[: geometry.size] for plane in planes)
    shown = b0 + 2 * b1 + 4 * b2 + 8 * b3 + EXPLODED * mines
    grid = shown.reshape(geometry.rows, geometry.stride)[:, : geometry.columns]
    shown_rows: Bytes = numpy.ascontiguousarray(grid, dtype="int8").reshape(-1)
    return shown_rows
