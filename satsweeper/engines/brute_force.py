"""The plain predicate over all layouts of a small board: the oracle of the other engines.

Promise: complete, and so short that it can be checked by reading. It tries each of the ``2^n`` ways
to place mines in ``n`` covered cells, and refuses a board with more than 22 of them.
"""

from typing import Final

import numpy as np

from satsweeper.answers.options import Options
from satsweeper.engines.parts.cell_sums import CellSums
from satsweeper.engines.protocol import EngineAnswer, EngineRefusedError
from satsweeper.position import Position

MOST_CELLS: Final = 22
"""Covered cells of the largest board that is tried: 4 million candidates."""


def classify(position: Position, options: Options) -> EngineAnswer:
    """Keep the layouts that meet the clues and the total, and see what they agree on."""
    board = CellSums.of(position, options.flags)
    n = len(board.cells)
    if n > MOST_CELLS:
        raise EngineRefusedError(
            f"brute_force tries 2^n layouts of n covered cells, and here n is {n}: "
            f"at most {MOST_CELLS}"
        )
    # Bit i of a candidate says whether cell i is a mine.
    layouts = np.arange(1 << n, dtype=np.uint32)
    for cells, need in board.sums:
        here = np.uint32(sum(1 << cell for cell in cells))
        layouts = layouts[np.bitwise_count(layouts & here) == need]
    if board.total is not None:
        layouts = layouts[np.bitwise_count(layouts) == board.total]
    if not len(layouts):
        return board.inconsistent()
    always = sum(1 << cell for cell in range(n) if np.all(layouts & np.uint32(1 << cell)))
    ever = sum(1 << cell for cell in range(n) if np.any(layouts & np.uint32(1 << cell)))
    decided = {
        cell: bool(always >> cell & 1)
        for cell in range(n)
        if always >> cell & 1 or not ever >> cell & 1
    }
    return board.answer(decided, complete=True)
