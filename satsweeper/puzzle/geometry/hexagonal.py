"""Hexagons in rows; odd rows lie half a cell to the right."""

from satsweeper.puzzle.geometry.geometry import Geometry


def hexagonal(rows: int, columns: int) -> Geometry:
    """Return a grid of hexagons, six around each, clockwise from above left."""
    cells = tuple((row, column) for row in range(rows) for column in range(columns))

    def place(row: int, column: int) -> int | None:
        return row * columns + column if 0 <= row < rows and 0 <= column < columns else None

    rings = []
    for row, column in cells:
        left = column - 1 + row % 2
        rings.append(
            (
                place(row - 1, left),
                place(row - 1, left + 1),
                place(row, column + 1),
                place(row + 1, left + 1),
                place(row + 1, left),
                place(row, column - 1),
            )
        )
    near = tuple(tuple(cell for cell in ring if cell is not None) for ring in rings)
    return Geometry(
        "hexagonal",
        cells,
        neighbours=near,
        touching=near,
        beside=near,
        shape=(rows, columns),
        rings=tuple(rings),
    )
