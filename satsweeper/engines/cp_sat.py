"""CP-SAT of OR-Tools: each cell as high and as low as the clues allow.

Complete. Two ways of asking, with the same answers: `classify_by_optimising` maximises and
minimises a cell's variable, which is the published method; `classify_by_assumptions` has no
objective and assumes the cell to be a mine, then to be safe. Both keep one model, and CP-SAT starts
afresh on it with each question. On 8x8 boards they take the same time, on 16x16 assumptions are a
little faster: `classify` is with assumptions.

The status of every answer is checked. A solver's values mean nothing unless its status says that it
found a layout: without that check they call cells of a contradictory board safe. A layout is
checked on the board; that there is no layout is taken from the solver.

Reference: Chlond: Puzzle - Minesweeper Puzzles, INFORMS Transactions on Education 11(2), 2011. This
is the only importer of OR-Tools, which is an extra.
"""

from collections.abc import Callable
from typing import Any

from satsweeper.answers.classification import Classification
from satsweeper.answers.options import Options
from satsweeper.engines.parts.import_conflicts import classify_apart, require
from satsweeper.engines.parts.position_sums import PositionSums
from satsweeper.engines.parts.query_loop import Ask, Found, decide
from satsweeper.position import Position
from satsweeper.solvers.protocol import SolverFailedError


def classify(position: Position, options: Options) -> Classification:
    """Classify in the faster of the two ways, which is that with assumptions.

    Raises:
        EngineMissingError: OR-Tools is not installed.
    """
    return classify_by_assumptions(position, options)


def classify_by_optimising(position: Position, options: Options) -> Classification:
    """Classify by maximising and minimising; arguments and errors as `classify`."""
    require("ortools", "cp")
    return classify_apart("highspy", _optimising, position, options)


def classify_by_assumptions(position: Position, options: Options) -> Classification:
    """Classify by assumptions on one model; arguments and errors as `classify`."""
    require("ortools", "cp")
    return classify_apart("highspy", _assuming, position, options)


def _optimising(position: Position, options: Options) -> Classification:
    def aim(model: Any, variables: list[Any], literal: int) -> None:
        model.clear_objective()
        if literal > 0:
            model.maximize(variables[literal - 1])
        elif literal:
            model.minimize(variables[-literal - 1])

    return decide(position, options, lambda board: _asking(board, aim))


def _assuming(position: Position, options: Options) -> Classification:
    def aim(model: Any, variables: list[Any], literal: int) -> None:
        model.clear_assumptions()
        if literal:
            variable = variables[abs(literal) - 1]
            model.add_assumption(variable if literal > 0 else ~variable)

    return decide(position, options, lambda board: _asking(board, aim))


def _asking(board: PositionSums, aim: Callable[[Any, list[Any], int], None]) -> Ask:
    """A model of the board, and what asks it after ``aim`` has pointed it at a literal."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    variables: list[Any] = [model.new_bool_var(f"{r},{c}") for r, c in board.cells]
    for row, number in board.rows:
        model.add(cp_model.LinearExpr.sum([variables[v - 1] for v in row]) == number)

    def ask(literal: int, seconds: float | None) -> Found:
        aim(model, variables, literal)
        solver = cp_model.CpSolver()
        # Starting more workers costs more than these questions.
        solver.parameters.num_workers = 1
        if seconds is not None:
            solver.parameters.max_time_in_seconds = seconds
        status = solver.solve(model)
        if status == cp_model.INFEASIBLE:
            return False
        if status == cp_model.UNKNOWN:
            return None
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            raise SolverFailedError(f"CP-SAT: {solver.status_name(status)}")
        mines = frozenset(v for v, x in enumerate(variables, 1) if solver.boolean_value(x))
        if literal and (abs(literal) in mines) is not (literal > 0):
            # Even the best value is not the value in question, if it is proved to be the best.
            return False if status == cp_model.OPTIMAL else None
        return mines

    return ask
