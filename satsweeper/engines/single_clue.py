"""One clue at a time: a clue that is met makes its other cells safe, one that is tight mines.

Promise: sound, fast at any size, incomplete. It never compares two clues and never uses the total,
so ``1 2 1`` along a wall is beyond it. It sees a contradiction only if some clue, by what was
decided before, has too many mines around it or too few cells; that a board is consistent it can say
only when it has decided every cell.
"""

from satsweeper.answers.options import Options
from satsweeper.engines.parts.cell_sums import CellSums
from satsweeper.engines.parts.single_clue_rules import Propagation
from satsweeper.engines.protocol import EngineAnswer
from satsweeper.position import Position


def classify(position: Position, options: Options) -> EngineAnswer:
    """Apply both rules until nothing changes."""
    board = CellSums.of(position, options.flags)
    state = Propagation(board.sums)
    if not state.close():
        return board.inconsistent()
    return board.answer(state.decided, complete=False)
