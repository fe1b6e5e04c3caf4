"""Emission by arrays: many clauses from a few array operations, in chunks that stay small."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress
from math import prod
from typing import Final

import numpy as np
import numpy.typing as npt

from pbcnf.formula import Formula
from pbcnf.literals import Block, Lit
from pbcnf.sink import ClauseSink

Indices = npt.NDArray[np.intp]

CHUNK = 2**17
"""The number of clauses, about, that are computed at once: the result needs far more memory."""

_FEW: Final = 20
"""The largest number of clauses that are emitted faster one by one than as a block."""

_FEW_AS_BLOCKS: Final = 2**12
"""Literals and clauses together up to which sorting by width costs more than it saves."""

_MOST_BROADCAST: Final = 32
"""The largest number of arrays that `np.broadcast`, the faster way, takes in every numpy."""


def rows(*columns: npt.ArrayLike) -> Block:
    """Return the clauses whose literals are taken side by side from `columns`.

    The columns are integers or integer arrays that broadcast to one shape; there is one clause per
    place of it, in C order. The result has shape (clauses, columns), is int32, owns its memory and
    is read-only, so that `Formula.add_block` keeps it without a copy.

    >>> import numpy as np
    >>> rows([-1, -2], 7).tolist()
    [[-1, 7], [-2, 7]]
    >>> rows(np.array([[1], [2]]), [3, 4]).tolist()
    [[1, 3], [1, 4], [2, 3], [2, 4]]
    """
    arrays = [np.asarray(column) for column in columns]
    if len(arrays) <= _MOST_BROADCAST:
        shape = np.broadcast(*arrays).shape
    else:
        shape = np.broadcast_shapes(*(array.shape for array in arrays))
    block = np.empty((prod(shape), len(arrays)), dtype=np.int32)
    places = block.reshape(*shape, len(arrays))
    for index, array in enumerate(arrays):
        places[..., index] = array
    block.flags.writeable = False
    return block


def picked(lookups: Block, clauses: npt.NDArray[np.integer]) -> Block:
    """Return `clauses` once for every row of `lookups`, as a read-only int32 block.

    The literals of `clauses` are columns of `lookups`; -1 is the last column.

    >>> import numpy as np
    >>> picked(np.array([[0, 7, -7], [0, 9, -9]]), np.array([[1], [-1]])).tolist()
    [[7], [-7], [9], [-9]]
    """
    block = np.empty((len(lookups) * len(clauses), clauses.shape[1]), dtype=np.int32)
    out = block.reshape(len(lookups), clauses.size)
    np.take(lookups, clauses.ravel(), axis=1, out=out, mode="wrap")
    block.flags.writeable = False
    return block


def add_block(sink: ClauseSink, block: Block) -> None:
    """Add the clauses of `block`, which is made read-only and must not change any more."""
    if len(block) > _FEW:
        block.flags.writeable = False
        sink.add_block(block)
    else:
        for clause in block.tolist():
            sink.add_clause(clause)


def add_clauses(sink: ClauseSink, clauses: Sequence[tuple[Lit, ...]]) -> None:
    """Add some clauses of plain literals, at once where the sink takes them so."""
    add_terminated = getattr(sink, "add_terminated", None)
    if add_terminated is not None:
        add_terminated([lit for clause in clauses for lit in (*clause, 0)], len(clauses))
        return
    for clause in clauses:
        sink.add_clause(clause)


def add_rows(sink: ClauseSink, *columns: Block, where: npt.NDArray[np.bool_] | None = None) -> None:
    """Add the clauses ``rows(*columns)``, or only the clauses for which `where` is true."""
    if columns[0].size <= _FEW and len({column.shape for column in columns}) == 1:
        clauses = zip(*(column.ravel().tolist() for column in columns), strict=True)
        for clause in clauses if where is None else compress(clauses, where.flat):
            sink.add_clause(clause)
        return
    block = rows(*columns)
    add_block(sink, block if where is None else block[where.ravel()])


def lookup_array(
    lits: Sequence[Lit] | npt.NDArray[np.integer], first: Lit, auxiliaries: int
) -> Block:
    """Return 0, `lits` and the variables from `first` on, then their negations, the last first.

    Index v gives the literal for variable v of a template, index -v its negation.
    """
    plain = np.zeros(1 + len(lits) + auxiliaries, dtype=np.int32)
    plain[1 : len(lits) + 1] = lits
    plain[len(lits) + 1 :] = np.arange(first, first + auxiliaries)
    return np.concatenate((plain, -plain[:0:-1]))


def add_flat(sink: ClauseSink, flat: Block) -> None:
    """Add the clauses of `flat`, a 0 after each; `flat` must not change any more."""
    flat.flags.writeable = False
    at_once = getattr(sink, "add_flat", None)
    if at_once is not None:
        at_once(flat)
        return
    formula = Formula(sink.num_vars)
    formula.add_flat(flat)
    for clause in formula.tuples():
        sink.add_clause(clause)


def add_by_width(sink: ClauseSink, flat: Block) -> None:
    """Add the clauses of `flat`, a 0 after each; many clauses are added as blocks.

    Lists of Python ints are made faster from blocks than from a flat array.
    """
    if len(flat) <= _FEW_AS_BLOCKS:
        add_flat(sink, flat)
        return
    formula = Formula(sink.num_vars)
    formula.add_flat(flat)
    for block in formula.blocks():
        sink.add_block(block)


def side_by_side(number: int, columns: Sequence[Indices | int]) -> Indices:
    """Return an array with the given columns, each an array of length `number` or an integer.

    This is faster than `np.stack`.
    """
    found = np.empty((number, len(columns)), dtype=np.intp)
    for index, column in enumerate(columns):
        found[:, index] = column
    return found


def staircase(
    starts: Indices, stops: Indices, chunk: int = CHUNK
) -> Iterator[tuple[Indices, Indices]]:
    """Yield the rows and columns of all places (r, c) with ``starts[r] <= c < stops[r]``.

    The places come row by row, in arrays of at most `chunk` places unless a single row is longer.

    >>> [(r.tolist(), c.tolist()) for r, c in staircase(np.array([0, 5]), np.array([2, 6]))]
    [([0, 0, 1], [0, 1, 5])]
    """
    lengths = np.maximum(stops - starts, 0)
    ends = lengths.cumsum()
    row = done = 0
    while row < len(ends):
        # A chunk is the rows row .. stop - 1: as many as fit, at least one. `done` places came
        # before.
        stop = max(row + 1, int(np.searchsorted(ends, done + chunk, side="right")))
        size = int(ends[stop - 1]) - done
        if size:
            part = slice(row, stop)
            # The column of a place minus its position in the chunk, which is constant within a row.
            offsets = starts[part] + lengths[part] + done - ends[part]
            yield (
                np.repeat(np.arange(row, stop), lengths[part]),
                np.arange(size) + np.repeat(offsets, lengths[part]),
            )
        row, done = stop, done + size
