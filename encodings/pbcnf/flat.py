"""Row in one row of integers, a 0 after each, as a buffer or an array; and as blocks."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias, TypeVar, cast

from pbcnf.literals import Block, Lit

Buffer: TypeAlias = "array[int]"

Row = TypeVar("Row", list[int], tuple[int, ...])

_FEW = 2**10
"""Most integers of a block that is cut clause by clause."""

_MANY = 2**13
"""Clauses that become Python objects at a time."""

_CHUNK = 2**18
"""Integers that are copied at a time."""


def lists(part: Block | Buffer) -> Iterator[Iterable[list[Lit]]]:
    """Yield the clauses of a part, in order, as lists, some thousand at a time."""
    return _pieces(part, list, lambda rows: cast(list[list[Lit]], rows.tolist()))


def tuples(part: Block | Buffer) -> Iterator[Iterable[tuple[Lit, ...]]]:
    """Yield the clauses of a part, in order, as tuples, some thousand at a time."""
    return _pieces(
        part,
        tuple,
        lambda rows: list(zip(*rows.T.tolist(), strict=True)) if rows.size else [()] * len(rows),
    )


def _pieces(
    part: Block | Buffer,
    kind: Callable[[list[Lit]], Row],
    rows: Callable[[Block], list[Row]],
) -> Iterator[Iterable[Row]]:
    if not isinstance(part, array) and part.ndim == 2:
        for start in range(0, len(part), _MANY):
            yield rows(part[start : start + _MANY])
    elif len(part) > _FEW and "numpy" in sys.modules:
        yield from _by_block(as_array(part), rows)
    else:
        yield _split(kind(part.tolist()))


def _split(lits: Row) -> Iterator[Row]:
    start, length, index = 0, len(lits), lits.index
    while start < length:
        end = index(0, start)
        yield lits[start:end]
        start = end + 1


def _by_block(flat: Block, rows: Callable[[Block], list[Row]]) -> Iterator[Iterable[Row]]:
    """Yield the clauses in one row: made of blocks of one width, which is faster for many."""
    import numpy as np

    ends = np.flatnonzero(flat == 0)
    starts = np.concatenate(([0], ends[:-1] + 1))
    for first in range(0, len(ends), _MANY):
        start = starts[first : first + _MANY]
        widths = ends[first : first + _MANY] - start
        made: list[Row] = []
        places = np.empty(len(start), dtype=np.intp)
        for width in np.flatnonzero(np.bincount(widths)):
            chosen = widths == width
            block = flat.take(start[chosen][:, None] + np.arange(width))
            places[chosen] = np.arange(len(made), len(made) + len(block))
            made += rows(block)
        yield map(made.__getitem__, places.tolist())


def as_array(part: Block | Buffer) -> Block:
    """Return a buffer as a read-only array without a copy; an array is returned unchanged."""
    if isinstance(part, array):
        import numpy as np

        part = np.frombuffer(part, np.int32)
        part.flags.writeable = False
    return part


def by_width(flat: Block) -> Iterator[Block]:
    """Iterate over the clauses as blocks, a block for each width, in the order of emission."""
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
