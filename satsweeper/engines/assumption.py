"""Assume that a cell is a mine, then that it is safe, and see whether the single-clue rules object.

An assumption that leads them to a contradiction proves the other value; so on, until no assumption
is refuted. This is failed-literal probing on the direct encoding of the clues.

Promise: sound, polynomial, stronger than ``single_clue``, incomplete. What needs two assumptions at
once is beyond it: so are a cell that is a mine in both cases of another one, and whatever needs the
total, which it never uses.
"""

from satsweeper.answers.options import Options
from satsweeper.engines.parts.cell_sums import CellSums
from satsweeper.engines.parts.single_clue_rules import Propagation
from satsweeper.engines.protocol import EngineAnswer
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline


def classify(position: Position, options: Options) -> EngineAnswer:
    """Test both values of every cell next to a clue until nothing changes."""
    deadline = Deadline.after(options.timeout)
    board = CellSums.of(position, options.flags)
    state = Propagation(board.sums)
    if not state.close():
        return board.inconsistent()
    frontier = sorted({cell for cells, _ in board.sums for cell in cells})
    refuted = True
    while refuted:
        refuted = False
        for cell in frontier:
            if cell in state.decided:
                continue
            if deadline.passed():
                note = "the time was over before every cell was tested"
                return board.answer(state.decided, complete=False, notes=[note])
            for mine in (True, False):
                before = len(state.trail)
                possible = state.assume(cell, mine)
                state.back_to(before)
                if not possible:
                    if not state.assume(cell, not mine):
                        return board.inconsistent()
                    refuted = True
                    break
    return board.answer(state.decided, complete=False)
