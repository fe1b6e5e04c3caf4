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
