"""The plain predicate over all layouts of a small board: the oracle of the other engines.

Promise: complete, and so short that it can be checked by reading. It tries each of the ``2^n`` ways
to place mines in ``n`` covered cells, and refuses a board with more than 22 of them.
"""

from typing import Final

import numpy as np

from satsweeper.answers.classification import Classification
from satsweeper.answers.options import Options
from satsweeper.engines.parts.position_sums import PositionSums
from satsweeper.engines.protocol import EngineRefusedError
from satsweeper.position import Position

MOST_CELLS: Final = 22
"""Covered cells of the largest board that is tried: 4 million candidates."""


def classify(position: Position, options: Options) -> Classification:
    """Keep the layouts that meet the clues and the total, and see what they agree on."""
    sums = PositionSums(position, options)
    n = len(sums.cells)
    if n > MOST_CELLS:
        raise EngineRefusedError(
            f"brute_force tries 2^n layouts of n covered cells, and here n is {n}: "
            f"at most {MOST_CELLS}"
        )
    # Bit v of a candidate says whether variable v is a mine; there is no variable 0.
    layouts = np.arange(0, 2 << n, 2, dtype=np.uint32)
    for variables, mines in sums.rows:
        here = np.uint32(sum(1 << v for v in variables))
        layouts = layouts[np.bitwise_count(layouts & here) == mines]
    if not len(layouts):
        return sums.inconsistent()
    always = {v for v in sums.variables if np.all(layouts & np.uint32(1 << v))}
    ever = {v for v in sums.variables if np.any(layouts & np.uint32(1 << v))}
    decided = {v: v in always for v in sums.variables if v in always or v not in ever}
    return sums.answer(decided, complete=True)
