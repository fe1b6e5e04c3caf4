"""Linear algebra on the clues: Gaussian elimination modulo 2 and 3, region by region.

Every clue is an equation. Each row of the elimination is checked in integers before it is used;
short rows are tables of values, which are joined with each other and with the bounds of the clues
until nothing new follows (`satsweeper.linear.closure`). The total, if known, is added last, as an
equation over all undecided cells.

Promise: sound, without search, incomplete. A mutilated chessboard is refuted modulo 3 and a parity
lattice modulo 2, in milliseconds. The engine misses consequences that need inequalities (five
pigeons do not fit into four holes) and verdicts whose proof needs a case distinction. Elimination
is not started if it would exceed the memory, and a note says so.
"""

from functools import partial

from satsweeper.answers.classification import Classification
from satsweeper.answers.options import Options
from satsweeper.engines.parts.position_sums import PositionSums, split, undecided
from satsweeper.engines.parts.query_loop import OUT_OF_TIME, PartialAnswers
from satsweeper.engines.single_clue import Propagation
from satsweeper.linear.closure import closed
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline

_TOO_LARGE = "elimination was not finished where it would have taken too much time or memory"


def classify(position: Position, options: Options) -> Classification:
    """Single-clue rules, then every region by itself, then all of them with the total."""
    deadline, answers = Deadline.after(options.timeout), PartialAnswers(options.tell)
    board = PositionSums(position, options)
    state = Propagation(board.clues)
    if not state.close():
        return board.inconsistent()
    decided = dict(state.decided)
    parts = split(undecided(board.clues, decided))
    if board.total is not None:
        # The total comes last, so that verdicts of the regions are substituted before.
        parts.append([*board.clues, (frozenset(board.variables), board.total)])
    complete = True
    for part in parts:
        if deadline.passed():
            return board.answer(decided, False, (OUT_OF_TIME,))
        rest = undecided(part, decided)
        equations = [(sorted(variables), mines) for variables, mines in rest]
        found = closed(equations, deadline.passed)
        if found.refuted:
            return board.inconsistent()
        decided |= found.decided
        complete &= found.complete
        answers.offer(partial(board.answer, decided, False))
    if complete:
        return board.answer(decided, False)
    return board.answer(decided, False, (OUT_OF_TIME if deadline.passed() else _TOO_LARGE,))
