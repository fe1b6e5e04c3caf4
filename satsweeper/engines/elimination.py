"""Linear algebra on the clues: Gaussian elimination modulo 2 and 3, region by region.

Every clue is an equation. Rows that elimination finds are added up again in integers before they
count; short rows are small facts, which are joined with each other and with the bounds of the
clues until nothing is new (`satsweeper.linear.closure`). In the end the total, if it is known, is
one more equation over all undecided cells.

Promise: sound, never searches, incomplete. A mutilated chessboard clashes modulo 3 and a parity
lattice modulo 2, in milliseconds. It misses what counting modulo a prime does not show, such as
that five pigeons need more than four holes, and cells whose proof needs a case distinction.
Elimination is not begun where it would not fit into memory, and a note says so.
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
        # Last, so that it knows what the regions have decided.
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
