"""The method of test constraints: force a cell to be a mine, and see whether a layout is left.

Complete, since it is run as the 0/1 program that it is, by HiGHS, and since cells are also forced
to be safe. One program is kept; the test constraint of a cell is added to it, and removed before
the next. Its name in the literature is linear programming; what the program without integrality can
prove is `satsweeper.engines.lp_relaxation`; where that suffices, verdicts are checked in integers,
and a note says how many rest on HiGHS's doubles.
"""

from satsweeper.answers.options import Options
from satsweeper.engines.parts.apart import require, run_apart
from satsweeper.engines.parts.questions import Ask, Found
from satsweeper.engines.parts.zero_one_program import classify_by_program
from satsweeper.engines.protocol import EngineAnswer
from satsweeper.linear.highs import Program, mines_of
from satsweeper.position import Position


def classify(position: Position, options: Options) -> EngineAnswer:
    """Classify by test constraints, two a cell at the most.

    Raises:
        EngineMissingError: highspy is not installed.
    """
    require("highspy", "ilp")
    return run_apart("ortools", _classify, position, options)


def _classify(position: Position, options: Options) -> EngineAnswer:
    return classify_by_program(position, options, _asking)


def _asking(program: Program, variables: int) -> Ask:
    def ask(literal: int, seconds: float | None) -> Found:
        column = abs(literal) - 1
        if literal:
            forced = 1.0 if literal > 0 else 0.0
            program.bounds(column, forced, forced)
        outcome = program.run(seconds)
        if literal:
            program.bounds(column, 0.0, 1.0)
        if outcome.status == "optimal":
            return mines_of(outcome.values, variables)
        return False if outcome.status == "infeasible" else None

    return ask
