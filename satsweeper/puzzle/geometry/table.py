"""The table of geometries that text files name."""

from collections.abc import Callable
from typing import Final

from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.geometry.geometry import Geometry
from satsweeper.puzzle.geometry.grids import cross, knight, square, torus
from satsweeper.puzzle.geometry.hexagonal import hexagonal
from satsweeper.puzzle.geometry.triangular import triangular

GRIDS: Final[dict[str, Callable[[int, int], Geometry]]] = {
    "square": square,
    "torus": torus,
    "hexagonal": hexagonal,
    "triangular": triangular,
    "knight": knight,
    "cross": cross,
}
"""Name -> function from rows and columns to the geometry."""
IN_JSON: Final = ("cubes", "graph", "hexcells")
"""Geometries that only JSON can state."""


def grid(name: str, rows: int, columns: int) -> Geometry:
    """Return the geometry ``name`` of this size. Raises RuleError for an unknown name."""
    if name not in GRIDS:
        from pbcnf.wording import unknown_name

        raise RuleError(unknown_name("geometry", name, GRIDS))
    return GRIDS[name](rows, columns)
