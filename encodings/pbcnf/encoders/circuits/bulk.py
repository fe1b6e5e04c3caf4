"""Emission in bulk: many clauses from a few array operations, in chunks that stay small."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress

import numpy as np
import numpy.typing as npt

from pbcnf.encoders.circuits.blocks import rows
from pbcnf.literals import Block, Lit
from pbcnf.sink import ClauseSink

Indices = npt.NDArray[np.intp]

CHUNK = 2**17
"""About as many clauses are computed at once: the memory it takes is small beside the result."""

_FEW = 20
"""So many clauses cost less one by one than as a block."""


def add_block(sink: ClauseSink, block: Block) -> None:
    """Add the clauses of a block that nobody else will change."""
    if len(block) > _FEW:
        block.flags.writeable = False
        sink.add_block(block)
    else:
        for clause in block.tolist():
            sink.add_clause(clause)


def add_tuples(sink: ClauseSink, clauses: Sequence[tuple[Lit, ...]]) -> None:
    """Add clauses of valid literals, all at once where the sink can."""
    add_terminated = getattr(sink, "add_terminated", None)
    if add_terminated is not None:
        add_terminated([lit for clause in clauses for lit in (*clause, 0)], len(clauses))
        return
    for clause in clauses:
        sink.add_clause(clause)


def add_rows(sink: ClauseSink, *columns: Block, where: npt.NDArray[np.bool_] | None = None) -> None:
    """Add the clauses ``rows(*columns)``, or those of them `where` holds."""
    if columns[0].size <= _FEW and len({column.shape for column in columns}) == 1:
        clauses = zip(*(column.ravel().tolist() for column in columns), strict=True)
        for clause in clauses if where is None else compress(clauses, where.flat):
            sink.add_clause(clause)
        return
    block = rows(*columns)
    add_block(sink, block if where is None else block[where.ravel()])


def staircase(
    starts: Indices, stops: Indices, chunk: int = CHUNK
) -> Iterator[tuple[Indices, Indices]]:
    """Yield the rows and columns of all places (r, c) with ``starts[r] <= c < stops[r]``.

    They come row by row, in arrays of at most `chunk` places unless one row alone is longer.

    >>> [(r.tolist(), c.tolist()) for r, c in staircase(np.array([0, 5]), np.array([2, 6]))]
    [([0, 0, 1], [0, 1, 5])]
    """
    lengths = np.maximum(stops - starts, 0)
    ends = lengths.cumsum()
    row = done = 0
    while row < len(ends):
        stop = max(row + 1, int(np.searchsorted(ends, done + chunk, side="right")))
        size = int(ends[stop - 1]) - done
        if size:
            part = slice(row, stop)
            offsets = starts[part] + lengths[part] + done - ends[part]
            yield (
                np.repeat(np.arange(row, stop), lengths[part]),
                np.arange(size) + np.repeat(offsets, lengths[part]),
            )
        row, done = stop, done + size
