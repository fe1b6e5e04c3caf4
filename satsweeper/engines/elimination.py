"""Linear algebra on the clues: Gaussian elimination modulo 2 and 3, region by region.

Every clue is an equation. Rows that elimination finds are added up again in integers before they
are believed; short ones are small facts, which are joined with each other and with the bounds of
the clues until nothing is new (`satsweeper.linear.closure`). In the end the total, if it is known,
is one more equation over all that is left.

Promise: sound, never searches, incomplete. A mutilated chessboard clashes modulo 3 and a parity
lattice modulo 2, in milliseconds. What counting modulo a prime cannot see is beyond it, such as
that five pigeons need more than four holes; so is a cell that is certain only when cases are told
apart. Elimination is not begun where it would not fit into memory, and a note says so.
"""

from functools import partial

from satsweeper.answers.options import Options
from satsweeper.engines.parts.backtracking import split
from satsweeper.engines.parts.cell_sums import CellSums, undecided
from satsweeper.engines.parts.questions import OUT_OF_TIME, PartialAnswers
from satsweeper.engines.parts.single_clue_rules import Propagation
from satsweeper.engines.protocol import EngineAnswer
from satsweeper.linear.closure import closed
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline

_TOO_LARGE = "elimination was not finished where it would have taken too much time or memory"


def classify(position: Position, options: Options) -> EngineAnswer:
    """Single-clue rules, then every region by itself, then all of them with the total."""
    deadline, answers = Deadline.after(options.timeout), PartialAnswers(options.tell)
    board = CellSums.of(position, options.flags)
    state = Propagation(board.sums)
    if not state.close():
        return board.inconsistent()
    decided = dict(state.decided)
    parts = split(undecided(board.sums, decided))
    if board.total is not None:
        # Last, so that it knows what the regions have decided.
        parts.append([*board.sums, (frozenset(range(len(board.cells))), board.total)])
    complete = True
    for part in parts:
        if deadline.passed():
            return board.answer(decided, False, (OUT_OF_TIME,))
        rest = undecided(part, decided)
        equations = [([cell + 1 for cell in sorted(cells)], need) for cells, need in rest]
        found = closed(equations, deadline.passed)
        if found.refuted:
            return board.inconsistent()
        decided |= {v - 1: one for v, one in found.decided.items()}
        complete &= found.complete
        answers.offer(partial(board.answer, decided, False))
    if complete:
        return board.answer(decided, False)
    return board.answer(decided, False, (OUT_OF_TIME if deadline.passed() else _TOO_LARGE,))
