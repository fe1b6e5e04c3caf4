"""Grids of squares: the classic board, the torus, and clues that count distant squares."""

from typing import Final

from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.geometry.geometry import Geometry, Neighbourhood

Offsets = tuple[tuple[int, int], ...]
"""Steps from a cell: rows down, columns to the right."""

RING: Final[Offsets] = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))
"""The eight squares around a square, clockwise."""
ORTHOGONAL: Final[Offsets] = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""The four squares that share an edge with a square, clockwise."""
KNIGHT: Final[Offsets] = ((-2, -1), (-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2))
"""A knight's moves, clockwise."""
CROSS: Final[Offsets] = tuple(
    (far * down, far * right) for far in (1, 2) for down, right in ORTHOGONAL
)
"""The squares at distance 1 and 2 in the row and the column."""


def square(rows: int, columns: int) -> Geometry:
    """Return the grid of the classic game: a clue counts up to eight squares around it."""
    return _grid("square", rows, columns, RING)


def torus(rows: int, columns: int) -> Geometry:
    """Return a grid that goes on at the opposite edge, at least 3x3 so that neighbours differ.

    Raises RuleError for a smaller one.
    """
    if min(rows, columns) < 3:
        raise RuleError(f"a torus has 3 rows and 3 columns at least, not {rows} and {columns}")
    return _grid("torus", rows, columns, RING, wraps=True)


def knight(rows: int, columns: int) -> Geometry:
    """Return a grid on which a clue counts the squares at a knight's move."""
    return _grid("knight", rows, columns, KNIGHT)


def cross(rows: int, columns: int) -> Geometry:
    """Return a grid on which a clue counts the squares at distance 1 and 2 in row and column."""
    return _grid("cross", rows, columns, CROSS)


def _grid(name: str, rows: int, columns: int, counted: Offsets, *, wraps: bool = False) -> Geometry:
    cells = tuple((row, column) for row in range(rows) for column in range(columns))

    def place(row: int, column: int) -> int | None:
        if wraps:
            return row % rows * columns + column % columns
        return row * columns + column if 0 <= row < rows and 0 <= column < columns else None

    def around(offsets: Offsets) -> tuple[tuple[int | None, ...], ...]:
        return tuple(
            tuple(place(row + down, column + right) for down, right in offsets)
            for row, column in cells
        )

    def inside(found: tuple[tuple[int | None, ...], ...]) -> Neighbourhood:
        return tuple(tuple(cell for cell in near if cell is not None) for near in found)

    ring = around(RING)
    return Geometry(
        name,
        cells,
        neighbours=inside(around(counted)),
        touching=inside(ring),
        beside=inside(around(ORTHOGONAL)),
        shape=(rows, columns),
        rings=ring if counted is RING else None,
        squares=True,
        wraps=wraps,
    )
