"""The active clues as arrays, one row a clue; both clue rules on them, to their joint fixpoint.

The pair rule: let ``A`` and ``B`` be two clues' undecided cells, ``a`` and ``b`` of them mines.
If ``a - b = |A without B|``, the cells of ``A`` outside ``B`` are all mines and those of ``B``
outside ``A`` are all safe. On a few clues a solver settles this sooner; on thousands, arrays do.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from satsweeper.board.geometry import Count, Geometry
from satsweeper.board.planes import flat, members, subtract

_BITS = np.array([pattern.bit_count() for pattern in range(256)], np.int8)


@dataclass
class Rows:
    """``m`` active clues.

    ``at``: their board indices, shape ``(m,)``; ``table``: their neighbours, ``(m, degree)``;
    ``held``: which of those are undecided; ``need``: how many of them are mines. ``present``: the
    undecided cells of the whole board.
    """

    at: NDArray[np.intp]
    table: NDArray[np.intp]
    held: NDArray[np.bool_]
    need: NDArray[np.int8]
    present: NDArray[np.bool_]

    @classmethod
    def of(
        cls, geometry: Geometry, active: int, values: Count, undecided: int, mines: int
    ) -> "Rows":
        """The rows of the clues in ``active``, whose neighbours hold these mines already."""
        at = members(active, geometry.size)
        left = subtract(values, geometry.count(mines))
        need = np.zeros(len(at), np.int8)
        for k, plane in enumerate(left):
            need += flat(plane & active, geometry.size)[at].view(np.int8) << np.int8(k)
        present = np.concatenate(
            (flat(undecided, geometry.size), np.zeros(geometry.reach, np.uint8))
        ).view(np.bool_)
        table = geometry.neighbour_table(at)
        return cls(at, table, present[table], need, present)

    def settle(self, safe: NDArray[np.intp], mines: NDArray[np.intp]) -> bool:
        """Take cells out that have been decided; False when some cell is both."""
        self.present[safe] = False
        if not self.present[mines].all():
            return False
        self.present[mines] = False
        found = np.zeros(len(self.present), np.bool_)
        found[mines] = True
        self.need -= found[self.table].sum(axis=1, dtype=np.int8)
        self.held = self.present[self.table]
        return True


class Closed(NamedTuple):
    """The cells that the rules decided, as indices; ``clash``: a clue that cannot hold, or -1."""

    safe: NDArray[np.intp]
    mines: NDArray[np.intp]
    clash: int


def close_rows(geometry: Geometry, rows: Rows, over: Callable[[], bool]) -> Closed:
    """Apply the single-clue and the pair rule to the rows until nothing changes.

    Rows without undecided cells are dropped on the way. What is decided when ``over`` says that the
    time is over is right, but may not be all.
    """
    all_safe: list[NDArray[np.intp]] = []
    all_mines: list[NDArray[np.intp]] = []

    def closed(clash: int = -1) -> Closed:
        none = [np.empty(0, np.intp)]
        return Closed(np.concatenate(none + all_safe), np.concatenate(none + all_mines), clash)

    while True:
        count = rows.held.sum(axis=1, dtype=np.int8)
        wrong = (rows.need < 0) | (rows.need > count)
        if wrong.any():
            return closed(int(rows.at[wrong][0]))
        some = count > 0
        rows.at, rows.table, count = rows.at[some], rows.table[some], count[some]
        rows.held, rows.need = rows.held[some], rows.need[some]
        # The single-clue rule: no mine left, or all cells left are mines.
        met, tight = rows.need == 0, rows.need == count
        safe = rows.table[met][rows.held[met]]
        mines = rows.table[tight][rows.held[tight]]
        if not len(safe) and not len(mines):
            safe, mines = _pairs(geometry, rows, count)
            if not len(safe) and not len(mines):
                return closed()
        safe, mines = _distinct(safe), _distinct(mines)
        all_safe.append(safe)
        all_mines.append(mines)
        if not rows.settle(safe, mines):
            both = safe[np.isin(safe, mines)][0]
            return closed(int(rows.at[(rows.table == both).any(axis=1)][0]))
        if over():
            return closed()


def _distinct(cells: NDArray[np.intp]) -> NDArray[np.intp]:
    # np.unique would import numpy's masked arrays, which takes longer than all of this.
    cells = np.sort(cells)
    first = np.ones(len(cells), np.bool_)
    first[1:] = cells[1:] != cells[:-1]
    return cells[first]


def _pairs(
    geometry: Geometry, rows: Rows, count: NDArray[np.int8]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    row_at = np.full(len(rows.present) + 2 * geometry.reach, -1, np.int32)
    row_at[rows.at] = np.arange(len(rows.at))
    pattern = np.packbits(rows.held, axis=1, bitorder="little")[:, 0]
    free = count - rows.need
    safe: list[NDArray[np.intp]] = []
    mines: list[NDArray[np.intp]] = []
    for offset, shared_a, shared_b in _overlaps(geometry.offsets):
        b = row_at[rows.at + offset]
        a = np.flatnonzero(b >= 0)
        b = b[a]
        # a - b = |A without B| = |A| - |A and B|, solved for what A and B share.
        hit = _BITS[pattern[a] & shared_a] == free[a] + rows.need[b]
        a, b = a[hit], b[hit]
        if len(a):
            only_a = rows.held[a] & ~_unpack(shared_a)
            only_b = rows.held[b] & ~_unpack(shared_b)
            mines.append(rows.table[a][only_a])
            safe.append(rows.table[b][only_b])
    none = [np.empty(0, np.intp)]
    return np.concatenate(none + safe), np.concatenate(none + mines)


@cache
def _overlaps(offsets: tuple[int, ...]) -> list[tuple[int, int, int]]:
    """Distances of clues that share neighbours, and the neighbours that each clue shares.

    A bit a neighbour, in the order of ``offsets``, which are all of one clue's neighbours.
    """
    found = []
    for distance in sorted({p - q for p in offsets for q in offsets} - {0}):
        a = sum(1 << k for k, p in enumerate(offsets) if p - distance in offsets)
        b = sum(1 << k for k, q in enumerate(offsets) if q + distance in offsets)
        found.append((distance, a, b))
    return found


def _unpack(pattern: int) -> NDArray[np.bool_]:
    return np.array([pattern >> k & 1 for k in range(8)], np.bool_)
