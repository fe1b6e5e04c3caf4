"""The codes of cells: a clue ``0``-``8``, covered, or flagged."""

from typing import Final

COVERED: Final = -1
"""A covered cell without a flag."""

FLAG: Final = -2
"""A covered cell that carries a flag."""

PADDING: Final = 127
"""Fills the column beside the grid in padded copies; never part of a position."""

MAX_CLUE: Final = 8

MAX_CELLS: Final = 100_000_000
"""Larger grids are refused before anything is allocated for them."""

Cell = tuple[int, int]
"""``(row, column)``, both counted from 0."""
