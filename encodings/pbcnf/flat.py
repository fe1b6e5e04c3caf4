"""Clauses in one row of integers, a 0 after each, as a buffer or an array; and as blocks."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import TypeAlias

from pbcnf.literals import Block, Lit

Buffer: TypeAlias = "array[int]"

_CHUNK = 2**18
"""So many integers are copied at a time."""


def split(flat: Block | Buffer) -> Iterator[tuple[Lit, ...]]:
    """Iterate over the clauses in one row."""
    lits: tuple[Lit, ...] = tuple(flat.tolist())
    start, length, index = 0, len(lits), lits.index
    while start < length:
        end = index(0, start)
        yield lits[start:end]
        start = end + 1


def as_array(part: Block | Buffer) -> Block:
    """Return a buffer as a read-only array, of the same memory; an array is returned as it is."""
    if isinstance(part, array):
        import numpy as np

        part = np.frombuffer(part, np.int32)
        part.flags.writeable = False
    return part


def by_width(flat: Block) -> Iterator[Block]:
    """Iterate over blocks that hold the clauses in one row, those of one width in their order."""
    import numpy as np

    ends = np.flatnonzero(flat == 0)
    starts = np.concatenate(([0], ends[:-1] + 1))
    widths = ends - starts
    for width in np.flatnonzero(np.bincount(widths)):
        yield flat.take(starts[widths == width][:, None] + np.arange(width))


def terminated(block: Block) -> Iterator[Block]:
    """Iterate over the clauses of a block in rows of moderate length."""
    import numpy as np

    step = max(1, _CHUNK // (block.shape[1] + 1))
    for start in range(0, len(block), step):
        rows = block[start : start + step]
        closed = np.zeros((len(rows), block.shape[1] + 1), dtype=np.int32)
        closed[:, :-1] = rows
        yield closed.ravel()
