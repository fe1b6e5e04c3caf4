"""SMT through pysmt, with z3: sums of integers, two questions a cell in one solver.

Complete. A covered cell is a Boolean, a clue an equation of linear integer arithmetic over
``ite(cell, 1, 0)``, and each question is an assumption, so that the solver keeps its lemmas.
Layouts are checked on the board; the claim that there is no layout is taken from z3.
"""

from pbcnf.formats.smtlib.script import fresh_environment, satisfiable
from satsweeper.answers.classification import Classification
from satsweeper.answers.options import Options
from satsweeper.engines.parts.position_sums import PositionSums
from satsweeper.engines.parts.query_loop import Ask, Found, decide
from satsweeper.position import Position


def classify(position: Position, options: Options) -> Classification:
    """Classify by assuming each cell to be a mine, then to be safe.

    Raises:
        ImportError: z3 is installed, but cannot be loaded.
    """
    return decide(position, options, _asking)


def _asking(board: PositionSums) -> Ask:
    environment = fresh_environment()
    if "z3" not in environment.factory.all_solvers():
        raise ImportError("z3 cannot be loaded")
    manager = environment.formula_manager
    solver = environment.factory.Solver(name="z3", logic="QF_LIA")
    cells = [manager.Symbol(f"m_{row}_{column}") for row, column in board.cells]
    one, zero = manager.Int(1), manager.Int(0)
    mines = [manager.Ite(cell, one, zero) for cell in cells]
    for row, number in board.rows:
        total = manager.Plus([mines[variable - 1] for variable in row]) if row else zero
        solver.add_assertion(manager.Equals(total, manager.Int(number)))

    def ask(literal: int, seconds: float | None) -> Found:
        if seconds is not None:
            solver.z3.set("timeout", max(int(seconds * 1000), 1))
        assumptions = []
        if literal:
            cell = cells[abs(literal) - 1]
            assumptions = [cell if literal > 0 else manager.Not(cell)]
        if not (answer := satisfiable(solver, assumptions)):
            return answer
        return frozenset(v for v, c in enumerate(cells, 1) if solver.get_py_value(c))

    return ask
