"""The active clues as arrays, one row for each clue, and the fixpoint of both clue rules on them.

The pair rule: let ``A`` and ``B`` be two clues' undecided cells, ``a`` and ``b`` of them mines.
If ``a - b = |A without B|``, the cells of ``A`` outside ``B`` are all mines and those of ``B``
outside ``A`` are all safe. For a few clues a solver is faster than the pair rule; for thousands of
clues the rule on arrays is faster.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from satsweeper.board.geometry import Count, Square
from satsweeper.board.planes import flat, members, subtract

_BITS = np.array([pattern.bit_count() for pattern in range(256)], np.int8)


@dataclass
class Rows:
    """``m`` active clues.

    ``at``: the board indices of the clues, shape ``(m,)``; ``table``: the board indices of their
    neighbours, shape ``(m, degree)``; ``held``: whether each neighbour in ``table`` is undecided;
    ``need``: the number of mines among the undecided neighbours of each clue. ``present``: whether
    each cell of the board is undecided.
    """

    at: NDArray[np.intp]
    table: NDArray[np.intp]
    held: NDArray[np.bool_]
    need: NDArray[np.int8]
    present: NDArray[np.bool_]

    @classmethod
    def of(cls, geometry: Square, active: int, values: Count, undecided: int, mines: int) -> "Rows":
        """Return the rows of the clues in the bit board ``active``; ``mines``: the known mines."""
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
        """Remove the decided cells ``safe`` and ``mines``; False if some cell is in both."""
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
    """The cells that the rules decided, as board indices.

    ``clash``: the board index of a clue that no layout meets, or -1.
    """

    safe: NDArray[np.intp]
    mines: NDArray[np.intp]
    clash: int


def close_rows(geometry: Square, rows: Rows, over: Callable[[], bool]) -> Closed:
    """Apply the single-clue and the pair rule to the rows until nothing changes.

    Rows without undecided cells are dropped. ``over`` returns whether the time is over: the rules
    then stop before the fixpoint, and the cells decided so far are returned.
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
        # The single-clue rules: a need of 0 makes all undecided neighbours safe, and a need of all
        # undecided neighbours makes them mines. The pair rule runs only if both decide nothing.
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
    # np.unique would import numpy's masked arrays, which takes longer than this whole function.
    cells = np.sort(cells)
    first = np.ones(len(cells), np.bool_)
    first[1:] = cells[1:] != cells[:-1]
    return cells[first]


def _pairs(
    geometry: Square, rows: Rows, count: NDArray[np.int8]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the safe cells and the mines that the pair rule finds, with repetitions."""
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
        # a - b = |A without B| = |A| - |A and B|, solved for the shared cells:
        # |A and B| = (|A| - a) + b, with |A| - a the safe cells of A.
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
    """Return the distances of two clues with common neighbours, and each clue's common neighbours.

    ``offsets``: the board offsets of all neighbours of a clue. The common neighbours are bit masks
    with a bit for each neighbour, in the order of ``offsets``.
    """
    found = []
    for distance in sorted({p - q for p in offsets for q in offsets} - {0}):
        a = sum(1 << k for k, p in enumerate(offsets) if p - distance in offsets)
        b = sum(1 << k for k, q in enumerate(offsets) if q + distance in offsets)
        found.append((distance, a, b))
    return found


def _unpack(pattern: int) -> NDArray[np.bool_]:
    return np.array([pattern >> k & 1 for k in range(8)], np.bool_)
