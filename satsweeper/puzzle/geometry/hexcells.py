"""Hexagons in columns, at any places: the levels of Hexcells, which have holes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.geometry.geometry import Geometry
from satsweeper.puzzle.geometry.grids import Offsets

SIX: Final[Offsets] = ((-2, 0), (-1, 1), (1, 1), (2, 0), (1, -1), (-1, -1))
"""The six hexagons around a hexagon, clockwise from above; two rows are the height of one."""
EIGHTEEN: Final[Offsets] = (
    *SIX, (-4, 0), (-3, 1), (-2, 2), (0, 2), (2, 2), (3, 1), (4, 0), (3, -1), (2, -2), (0, -2),
    (-2, -2), (-3, -1),
)  # fmt: skip
"""The hexagons at distance 1 and 2, whether or not those between are there."""


def hexcells(places: Iterable[tuple[int, int]]) -> Geometry:
    """Return hexagons at ``places``, rows and columns of a level: cells in reading order.

    A hexagon is two rows high, and those of the next column lie one row higher and lower.

    Raises RuleError for a place that is there twice, or that overlaps the one below.
    """
    cells = tuple(sorted(places))
    numbers = {cell: number for number, cell in enumerate(cells)}
    if len(numbers) < len(cells):
        twice = next(cell for number, cell in enumerate(cells) if numbers[cell] != number)
        raise RuleError(f"the hexagon {twice} is there twice")
    for row, column in cells:
        if (row + 1, column) in numbers:
            raise RuleError(f"the hexagon {(row + 1, column)} overlaps the one a row above")
    rings = tuple(
        tuple(numbers.get((row + down, column + right)) for down, right in SIX)
        for row, column in cells
    )
    near = tuple(tuple(cell for cell in ring if cell is not None) for ring in rings)
    return Geometry("hexcells", cells, neighbours=near, touching=near, beside=near, rings=rings)
