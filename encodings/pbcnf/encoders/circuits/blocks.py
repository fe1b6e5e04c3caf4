"""Blocks: many clauses of one width as one array, built column by column."""

from __future__ import annotations

from math import prod
from typing import Final

import numpy as np
import numpy.typing as npt

from pbcnf.literals import Block

_MOST_BROADCAST: Final = 32
"""The faster of two ways takes no more arrays in every version of numpy."""


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


def picked(lookup: Block, clauses: npt.NDArray[np.integer]) -> Block:
    """Return the clauses once for every row of `lookup`, as a block like that of `rows`.

    They are given as an array of columns in it; -1 is the last column.

    >>> import numpy as np
    >>> picked(np.array([[0, 7, -7], [0, 9, -9]]), np.array([[1], [-1]])).tolist()
    [[7], [-7], [9], [-9]]
    """
    block = np.empty((len(lookup) * len(clauses), clauses.shape[1]), dtype=np.int32)
    columns = (clauses % lookup.shape[1]).ravel()
    out = block.reshape(len(lookup), columns.size)
    np.take(lookup, columns, axis=1, out=out, mode="clip")
    block.flags.writeable = False
    return block
