"""The board in arrays: neighbours of every cell, codes of what is known, and return codes.

Cells are numbered row by row, ``row * columns + column``. What is known of a cell is one ``int8``:
the clue, 0 to 8, of an open cell, else ``UNKNOWN``, ``KNOWN_MINE`` or ``KNOWN_SAFE``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from satsweeper.board.arrays import listed

# The arrays that the kernel works on: numpy's, or lists where numpy is not installed.
#
# Machine code needs arrays of numpy. Plain Python takes lists as well, with equal results: the
# kernel uses indices, ``fill`` and ``tolist`` only.

__all__ = ["Bytes", "Floats", "Ints", "floats", "ints", "np", "octets"]

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    numpy: Any = np
    Bytes = NDArray[np.int8]
    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]
else:
    Bytes = Ints = Floats = Any
    try:
        import numpy
    except ImportError:
        numpy = None


def octets(*shape: int) -> Bytes:
    """An array of zeros of the type ``int8``."""
    zeros: Bytes = listed(shape, 0) if numpy is None else numpy.zeros(shape, numpy.int8)
    return zeros


def ints(*shape: int) -> Ints:
    """An array of integer zeros; all have one type, so that every function is compiled once."""
    zeros: Ints = listed(shape, 0) if numpy is None else numpy.zeros(shape, numpy.int64)
    return zeros


def floats(*shape: int) -> Floats:
    """An array of zeros of the type ``float64``."""
    zeros: Floats = listed(shape, 0.0) if numpy is None else numpy.zeros(shape)
    return zeros


UNKNOWN: Final = -1
KNOWN_MINE: Final = -2
KNOWN_SAFE: Final = -3
"""Codes of covered cells: nothing is proved; proved to be a mine; proved to be safe, not open."""

DONE: Final = 1
IMPOSSIBLE: Final = 0
NO_ROOM: Final = -1
"""Return codes of functions that count: the results are in the arrays; no layout exists; a region
has more states than the arrays hold, so that there is no result."""


class Adjacency(NamedTuple):
    """The neighbours of ``cell`` are ``near[cell, :degree[cell]]``, ascending.

    ``columns``: the number of columns of the board.
    """

    near: Ints
    degree: Ints
    columns: int


@lru_cache(maxsize=16)
def grid_of(rows: int, columns: int) -> Adjacency:
    """The neighbours of every cell of a board of ``rows`` by ``columns``.

    >>> grid = grid_of(2, 3)
    >>> grid.near[0, : grid.degree[0]].tolist()
    [1, 3, 4]
    """
    near, degree = ints(rows * columns, 8), ints(rows * columns)
    steps = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
    for cell in range(rows * columns):
        row, column = divmod(cell, columns)
        found = 0
        for down, right in steps:
            r, c = row + down, column + right
            if 0 <= r < rows and 0 <= c < columns:
                near[cell, found] = r * columns + c
                found += 1
        degree[cell] = found
        for rest in range(found, 8):
            near[cell, rest] = -1
    return Adjacency(near, degree, columns)


def touches(grid: Adjacency, cell: int, other: int) -> bool:
    """Whether two cells are neighbours."""
    if abs(cell - other) > grid.columns + 1:
        # Neighbours differ by at most columns + 1 in their numbers. This test settles most pairs;
        # for the rest a loop over eight cells is quicker than divisions.
        return False
    for i in range(grid.degree[cell]):  # noqa: SIM110 - numba has no any()
        if grid.near[cell, i] == other:
            return True
    return False


def has_unknown(grid: Adjacency, cells: Bytes, cell: int) -> bool:
    """Whether a neighbour of ``cell`` is unknown."""
    for i in range(grid.degree[cell]):  # noqa: SIM110 - numba has no any()
        if cells[grid.near[cell, i]] == UNKNOWN:
            return True
    return False


def is_inside(grid: Adjacency, cells: Bytes, cell: int) -> bool:
    """Whether ``cell``, which is unknown, is in the interior: no clue touches the cell."""
    for i in range(grid.degree[cell]):  # noqa: SIM110 - numba has no all()
        if cells[grid.near[cell, i]] >= 0:
            return False
    return True
