"""The reduction to a 0/1 program: a variable a covered cell, an equation a revealed cell. HiGHS.

Complete. For each cell its variable is minimised and maximised; among equals the solver prefers
layouts that show other cells differently, which saves most of the questions. Statuses are looked
at, and every layout is checked on the board. That there is no layout is said by a solver that
computes with doubles; where the linear relaxation proves it too, that is checked in integers
(`satsweeper.engines.parts.weak_duality`), and a note says how many verdicts are left on its word.
"""

from satsweeper.answers.options import Options
from satsweeper.engines.parts.apart import require, run_apart
from satsweeper.engines.parts.questions import Ask, Found
from satsweeper.engines.parts.zero_one_program import classify_by_program
from satsweeper.engines.protocol import EngineAnswer
from satsweeper.linear.highs import Program, mines_of
from satsweeper.position import Position


def classify(position: Position, options: Options) -> EngineAnswer:
    """Classify by minimising and maximising each cell over the 0/1 program.

    Raises:
        EngineMissingError: highspy is not installed.
    """
    require("highspy", "ilp")
    return run_apart("ortools", _classify, position, options)


def _classify(position: Position, options: Options) -> EngineAnswer:
    return classify_by_program(position, options, _asking)


def _asking(program: Program, variables: int) -> Ask:
    # It outweighs all others, whose costs only make layouts unlike those seen before.
    first = 4.0 * variables
    side = [0.0] * variables

    def ask(literal: int, seconds: float | None) -> Found:
        column = abs(literal) - 1
        if literal:
            program.cost(column, -first if literal > 0 else first)
        outcome = program.run(seconds)
        if literal:
            program.cost(column, side[column])
        if outcome.status != "optimal":
            return False if outcome.status == "infeasible" else None
        mines = mines_of(outcome.values, variables)
        if literal and (abs(literal) in mines) is not (literal > 0):
            return False
        for other in range(variables):
            wanted = 1.0 if other + 1 in mines else -1.0
            if literal and side[other] != wanted:
                wanted = 0.0
            if side[other] != wanted:
                side[other] = wanted
                program.cost(other, wanted)
        return mines

    return ask
