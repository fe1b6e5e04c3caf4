"""CP-SAT of OR-Tools: each cell is assumed to be a mine, then to be safe.

Complete. One model without an objective is kept, and CP-SAT solves it from scratch for each
question. The published method maximises and minimises a cell's variable instead: on 8x8 boards both
take the same time, on 16x16 boards assumptions are a little faster.

The status of every answer is checked: the values of a solver mean nothing unless its status says
that a layout was found. A layout is checked on the board; the claim that there is no layout is
taken from the solver.

Reference: Chlond: Puzzle - Minesweeper Puzzles, INFORMS Transactions on Education 11(2), 2011. This
is the only importer of OR-Tools, which is an extra.
"""

from typing import Any

from satsweeper.answers.classification import Classification
from satsweeper.answers.options import Options
from satsweeper.engines.parts.position_sums import PositionSums
from satsweeper.engines.parts.query_loop import Ask, Found, classify_apart, decide
from satsweeper.position import Position
from satsweeper.solvers.protocol import SolverFailedError


def classify(position: Position, options: Options) -> Classification:
    """Classify by assuming each cell to be a mine, then to be safe."""
    return classify_apart("highspy", _assuming, position, options)


def _assuming(position: Position, options: Options) -> Classification:
    return decide(position, options, _asking)


def _asking(board: PositionSums) -> Ask:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    variables: list[Any] = [model.new_bool_var(f"{r},{c}") for r, c in board.cells]
    for row, number in board.rows:
        model.add(cp_model.LinearExpr.sum([variables[v - 1] for v in row]) == number)

    def ask(literal: int, seconds: float | None) -> Found:
        model.clear_assumptions()
        if literal:
            variable = variables[abs(literal) - 1]
            model.add_assumption(variable if literal > 0 else ~variable)
        solver = cp_model.CpSolver()
        # Starting further workers takes longer than such a question.
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
        return frozenset(v for v, x in enumerate(variables, 1) if solver.boolean_value(x))

    return ask
