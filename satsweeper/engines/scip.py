"""SCIP: a 0/1 program in which one cell after the other is fixed as a mine, then as safe.

Complete. One program is kept from question to question; a variable is fixed in it and let go again,
and the first layout will do. SCIP shares nothing with the other solvers here, and finds both what
linear programs prove and what parity does, which makes it a judge of the others.

Statuses are checked, and every layout is checked on the board. That there is no layout is the claim
of a solver that computes with doubles; where elimination proves it too, the verdict is exact, and a
note says how many verdicts rest on SCIP's word.

Reference: Bolusani and others: The SCIP Optimization Suite 9.0, arXiv 2402.17702, 2024. This is the
only importer of pyscipopt, which is an extra. It can be loaded beside OR-Tools and HiGHS.
"""

from dataclasses import replace
from typing import Any, Final

from satsweeper.answers.classification import Classification, Status
from satsweeper.answers.options import Options
from satsweeper.engines import elimination
from satsweeper.engines.parts.position_sums import PositionSums
from satsweeper.engines.parts.query_loop import Ask, Found, decide
from satsweeper.engines.parts.weak_duality import with_note
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline
from satsweeper.solvers.protocol import SolverFailedError

_HALF: Final = 0.5


def classify(position: Position, options: Options) -> Classification:
    """Classify by fixing each undecided cell as a mine, then as safe."""
    deadline = Deadline.after(options.timeout)
    answer = decide(position, options, _asking)
    left = replace(options, timeout=deadline.left(), tell=None)
    exact = elimination.classify(position, left)
    if answer.status is Status.INCONSISTENT:
        return with_note(answer, "SCIP", 0 if exact.status is Status.INCONSISTENT else 1)
    certain = answer.safe_board | answer.mine_board
    proved = (answer.safe_board & exact.safe_board) | (answer.mine_board & exact.mine_board)
    return with_note(answer, "SCIP", (certain & ~proved).bit_count())


def _asking(board: PositionSums) -> Ask:
    from pyscipopt import Model, quicksum

    model: Any = Model()
    model.hideOutput()
    # One layout will do. Ctrl-C is Python's, as in all that is asked here.
    for name, value in (("limits/solutions", 1), ("misc/catchctrlc", False)):
        model.setParam(name, value)
    variables = [model.addVar(vtype="B") for _ in board.cells]
    for row, number in board.rows:
        model.addCons(quicksum(variables[v - 1] for v in row) == number)

    def ask(literal: int, seconds: float | None) -> Found:
        # Back from the answer before to the program as it was written.
        model.freeTransform()
        model.setParam("limits/time", model.infinity() if seconds is None else seconds)
        fixed = variables[abs(literal) - 1]
        if literal:
            model.chgVarLb(fixed, float(literal > 0))
            model.chgVarUb(fixed, float(literal > 0))
        model.optimize()
        status = model.getStatus()
        found: Found = None
        if status in ("optimal", "sollimit"):
            found = frozenset(v for v, x in enumerate(variables, 1) if model.getVal(x) > _HALF)
        elif status == "infeasible":
            found = False
        elif status != "timelimit":
            raise SolverFailedError(f"SCIP: {status}")
        if literal:
            model.freeTransform()
            model.chgVarLb(fixed, 0.0)
            model.chgVarUb(fixed, 1.0)
        return found

    return ask
