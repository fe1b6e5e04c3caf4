"""The shape of a board: cells with names, and named neighbourhoods of each cell."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from pbcnf.wording import counted
from satsweeper.puzzle.errors import RuleError

Neighbourhood = tuple[tuple[int, ...], ...]
"""For each cell, by number, the numbers of other cells in an order that the geometry gives."""


@dataclass(frozen=True)
class Geometry:
    """Cells, numbered from 0 in reading order, and their neighbourhoods.

    ``neighbours`` are the cells that a clue counts, and ``touching`` the cells by which mines are
    connected; they differ where clues count distant cells, such as knight's moves. ``beside`` are
    the cells that share an edge.
    """

    name: str
    """The name in the table of geometries."""
    cells: tuple[Hashable, ...]
    """The names of the cells: ``(row, column)`` on a grid, ``(layer, row, column)`` in space."""
    neighbours: Neighbourhood
    touching: Neighbourhood
    beside: Neighbourhood
    shape: tuple[int, ...] = ()
    """Rows and columns of a grid, layers before them in space; empty for a graph."""
    rings: tuple[tuple[int | None, ...], ...] | None = None
    """For each cell its neighbours in cyclic order, None outside the board; None: no such order."""
    squares: bool = False
    """Whether `at` finds cells: whether the cells are the squares of a grid."""
    wraps: bool = False
    """Whether the grid goes on at the opposite edge."""
    numbers: dict[Hashable, int] = field(init=False, repr=False, compare=False)
    """Name of a cell -> its number."""

    def __post_init__(self) -> None:
        """Number the cells."""
        numbers = {name: number for number, name in enumerate(self.cells)}
        object.__setattr__(self, "numbers", numbers)

    def __hash__(self) -> int:
        return hash((self.name, self.cells))

    def __len__(self) -> int:
        """Return the number of cells."""
        return len(self.cells)

    def size_text(self) -> str:
        """Return the size in words: columns first of a grid, as of all boards, layers last."""
        return "x".join(map(str, reversed(self.shape))) or counted(len(self.cells), "cell")

    def at(self, cell: int, down: int, right: int) -> int | None:
        """Return the cell ``down`` rows below and ``right`` columns aside; None outside the board.

        Raises RuleError on a board without squares.
        """
        if not self.squares:
            raise RuleError(f"needs squares, which the geometry {self.name!r} does not have")
        rows, columns = self.shape
        row, column = divmod(cell, columns)
        row, column = row + down, column + right
        if self.wraps:
            return row % rows * columns + column % columns
        if 0 <= row < rows and 0 <= column < columns:
            return row * columns + column
        return None

    def cells_at(self, cell: int, offsets: Sequence[tuple[int, int]]) -> tuple[int, ...]:
        """Return the cells of the board at ``offsets`` of rows and columns from ``cell``."""
        found = (self.at(cell, down, right) for down, right in offsets)
        return tuple([each for each in found if each is not None])

    def ring(self, cell: int) -> tuple[int | None, ...]:
        """Return the neighbours of ``cell`` in cyclic order, None for each outside the board.

        Raises RuleError where neighbours have no such order.
        """
        if self.rings is None:
            what = "needs neighbours in a circle"
            raise RuleError(f"{what}, which the geometry {self.name!r} does not have")
        return self.rings[cell]

    @cached_property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """The cells of each row, from left to right. Raises RuleError without rows."""
        if len(self.shape) != 2:
            raise RuleError(f"needs rows, which the geometry {self.name!r} does not have")
        columns = self.shape[1]
        return tuple(
            tuple(range(start, start + columns)) for start in range(0, len(self.cells), columns)
        )

    @cached_property
    def columns(self) -> tuple[tuple[int, ...], ...]:
        """The cells of each column, from above. Raises RuleError without columns."""
        if not self.squares:
            raise RuleError(f"needs columns, which the geometry {self.name!r} does not have")
        return tuple(zip(*self.rows, strict=True))

    @cached_property
    def border(self) -> frozenset[int]:
        """The cells with an edge of the board; none where the grid wraps.

        Raises RuleError for a geometry without an edge in the plane.
        """
        if self.wraps:
            return frozenset()
        if len(self.shape) != 2:
            raise RuleError(f"needs a border, which the geometry {self.name!r} does not have")
        rows, columns = self.shape
        return frozenset(
            cell
            for cell in range(len(self.cells))
            if cell // columns in (0, rows - 1) or cell % columns in (0, columns - 1)
        )
