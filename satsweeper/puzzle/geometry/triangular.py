"""Triangles in rows; cell (r, c) points up where r + c is even."""

from typing import Final

from satsweeper.puzzle.geometry.geometry import Geometry

_UP: Final = (
    (-1, -1), (-1, 0), (-1, 1), (0, 1), (0, 2), (1, 2), (1, 1), (1, 0), (1, -1), (1, -2), (0, -2),
    (0, -1),
)  # fmt: skip
"""The twelve triangles that share a corner with a triangle that points up, clockwise: three at its
top, two at each side, five below."""


def triangular(rows: int, columns: int) -> Geometry:
    """Return a grid of triangles; neighbours share a corner, twelve of them in a circle.

    Three of them share an edge: the triangles to the left and to the right, and the one below a
    triangle that points up, or above one that points down.
    """
    cells = tuple((row, column) for row in range(rows) for column in range(columns))

    def place(row: int, column: int) -> int | None:
        return row * columns + column if 0 <= row < rows and 0 <= column < columns else None

    rings, beside = [], []
    for row, column in cells:
        # Turned upside down, a triangle that points down has the surroundings of one that points
        # up: the same circle with the rows' sign changed, read the other way round.
        up = 1 if (row + column) % 2 == 0 else -1
        ring = tuple(place(row + up * down, column + right) for down, right in _UP)
        rings.append(ring if up > 0 else ring[::-1])
        edges = (place(row, column - 1), place(row, column + 1), place(row + up, column))
        beside.append(tuple(cell for cell in edges if cell is not None))
    near = tuple(tuple(cell for cell in ring if cell is not None) for ring in rings)
    return Geometry(
        "triangular",
        cells,
        neighbours=near,
        touching=near,
        beside=tuple(beside),
        shape=(rows, columns),
        rings=tuple(rings),
    )
