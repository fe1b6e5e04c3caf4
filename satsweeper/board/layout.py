"""The truth behind a game: the mines, and the number that every other cell shows if opened."""

from dataclasses import dataclass, field

from satsweeper.board.geometry import Count, Square


@dataclass(frozen=True, slots=True, repr=False)
class Layout:
    """Mines on a grid, as bit boards.

    ``free``: the cells without a mine; ``numbers``: the numbers that free cells show, bit-sliced;
    ``zeros``: the free cells that show 0.
    """

    geometry: Square
    mines: int
    free: int = field(init=False)
    numbers: Count = field(init=False)
    zeros: int = field(init=False)

    def __post_init__(self) -> None:
        """Compute the other fields; raises ``ValueError`` for a mine outside of the grid."""
        cells = every_cell(self.geometry)
        if self.mines & ~cells:
            raise ValueError("a mine lies beside the grid")
        free = cells & ~self.mines
        b0, b1, b2, b3 = (plane & free for plane in self.geometry.count(self.mines))
        object.__setattr__(self, "free", free)
        object.__setattr__(self, "numbers", (b0, b1, b2, b3))
        object.__setattr__(self, "zeros", free & ~(b0 | b1 | b2 | b3))

    def __repr__(self) -> str:
        """The size and the number of mines: bit boards of large boards are too long to print."""
        columns, rows = self.geometry.columns, self.geometry.rows
        return f"Layout({columns}x{rows}/{self.mines.bit_count()})"


def every_cell(geometry: Square) -> int:
    """All cells of a grid, without the padding, as a bit board."""
    columns = geometry.columns
    return int(("0" * (geometry.stride - columns) + "1" * columns) * geometry.rows, 2)
