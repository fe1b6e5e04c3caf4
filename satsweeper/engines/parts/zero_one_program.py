"""A position asked as a 0/1 program, one cell after the other."""

from collections.abc import Callable

from satsweeper.answers.options import Options
from satsweeper.engines.parts.questions import Ask, Board, decide
from satsweeper.engines.parts.reduction import reduction_of
from satsweeper.engines.parts.weak_duality import with_proofs
from satsweeper.engines.protocol import EngineAnswer
from satsweeper.linear.highs import Program
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline


def classify_by_program(
    position: Position, options: Options, asking: Callable[[Program, int], Ask]
) -> EngineAnswer:
    """Classify with a program that is kept from question to question; verdicts proved in integers.

    Args:
        asking: from the program and its number of variables, what asks it.
    """
    deadline = Deadline.after(options.timeout)
    reduction = reduction_of(position, options.flags)
    variables = reduction.num_vars

    def begin(board: Board) -> Ask:
        del board
        return asking(Program(variables, reduction.rows(), integer=True), variables)

    return with_proofs(decide(position, options, begin), reduction, deadline)
