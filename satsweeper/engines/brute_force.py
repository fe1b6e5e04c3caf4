"""All assignments of a small board, tested one by one: the oracle of the other engines.

Promise: complete, and short enough to be checked by reading. The engine tries each of the ``2^n``
ways to place mines in ``n`` covered cells, and refuses a board with more than 22 covered cells.
"""

from typing import Final

import numpy as np

from satsweeper.answers.classification import Classification
from satsweeper.answers.options import Options
from satsweeper.engines.parts.position_sums import PositionSums
from satsweeper.engines.protocol import EngineRefusedError
from satsweeper.position import Position

MOST_CELLS: Final = 22
"""The number of covered cells of the largest accepted board: 4 million candidates."""


def classify(position: Position, options: Options) -> Classification:
    """Return the verdicts on which all layouts that meet the clues and the total agree."""
    sums = PositionSums(position, options)
    n = len(sums.cells)
    if n > MOST_CELLS:
        raise EngineRefusedError(
            f"brute_force tries 2^n layouts of n covered cells, and here n is {n}: "
            f"at most {MOST_CELLS}"
        )
    # Bit v of a candidate says whether variable v is a mine; bit 0 is never set, hence step 2.
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
