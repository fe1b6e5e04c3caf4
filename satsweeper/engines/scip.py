"""SCIP: a 0/1 program in which one cell after the other is fixed as a mine, then as safe.

Complete. One program is kept for all questions; for a question a variable is fixed and released
afterwards, and SCIP stops at the first layout. SCIP shares no code with the other solvers here and
handles both linear arguments and parity, so that it is an independent check of the other engines.

Statuses are checked, and every layout is checked on the board. The claim that there is no layout
comes from a solver that computes with doubles; if elimination proves the claim as well, the verdict
is exact. A note gives the number of verdicts without such a proof.

Reference: Bolusani and others: The SCIP Optimization Suite 9.0, arXiv 2402.17702, 2024. This is the
only importer of pyscipopt, which is an extra. It can be loaded beside OR-Tools and HiGHS.
"""

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
    left = options.replaced(timeout=deadline.left(), tell=None)
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
    # Stop at the first layout; leave Ctrl-C to Python.
    for name, value in (("limits/solutions", 1), ("misc/catchctrlc", False)):
        model.setParam(name, value)
    variables = [model.addVar(vtype="B") for _ in board.cells]
    for row, number in board.rows:
        model.addCons(quicksum(variables[v - 1] for v in row) == number)

    def ask(literal: int, seconds: float | None) -> Found:
        # Return from the solved state of the last question to the original program.
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
