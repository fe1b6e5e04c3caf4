"""Tasks of child processes: a solver on a formula, or a counter on a board."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from time import thread_time
from typing import Final

from pbcnf.constraints.constraint import Cardinality, Constraint
from pbcnf.formula import Formula
from satsweeper.board.errors import DefectError, LimitError
from satsweeper.competition.measurement import COUNTED, SolverRun
from satsweeper.count.odds import odds
from satsweeper.linear.equations import Equation
from satsweeper.position import Position
from satsweeper.processes.limits import cpu_seconds
from satsweeper.search.algebraic_fallback import prove_without_search
from satsweeper.solvers.evaluation import completed, first_unsatisfied
from satsweeper.solvers.output import Claim
from satsweeper.solvers.programs import EXTERNAL
from satsweeper.solvers.protocol import Satisfied, Unknown
from satsweeper.solvers.sink import open_solver

ELIMINATION: Final = "elimination of cells"
"""The strong counter, which ``odds`` uses."""
_COLUMNS: Final = 30_000
"""Equations are tried up to 20 occurrences of variables for each of this many unknowns."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A run, and the literals of its model, checked against every clause; empty without a model."""

    run: SolverRun
    model: tuple[int, ...] = ()


def solve(name: str, formula: Formula) -> Answered:
    """Decide ``formula`` by the solver called ``name``.

    Raises:
        DefectError: the model does not satisfy the formula.
    """
    external = name.startswith(EXTERNAL)
    began = cpu_seconds(external)
    with closing(open_solver(name)) as solver:
        for clause in formula.clauses():
            solver.add_clause(clause)
        answer = solver.solve()
    seconds = cpu_seconds(external) - began
    if isinstance(answer, Unknown):
        return Answered(SolverRun(Claim.UNKNOWN, seconds, answer.reason))
    if not isinstance(answer, Satisfied):
        return Answered(SolverRun(Claim.UNSATISFIABLE, seconds))
    wrong = first_unsatisfied(formula, answer.model)
    if wrong is not None:
        raise DefectError(f"{name}: its model does not satisfy the clause {wrong}")
    model = completed(answer.model, formula.num_vars)
    return Answered(SolverRun(Claim.SATISFIABLE, seconds), tuple(model))


def enumerate_models(name: str, formula: Formula) -> Answered:
    """Count models: the solver called ``name`` finds one after another, a clause excludes each."""
    began, found = thread_time(), 0
    last: tuple[int, ...] = ()
    with closing(open_solver(name)) as solver:
        for clause in formula.clauses():
            solver.add_clause(clause)
        while isinstance(answer := solver.solve(), Satisfied):
            last = tuple(completed(answer.model, formula.num_vars))
            found += 1
            # The clause excludes this assignment and no other.
            solver.add_clause([-lit for lit in last])
    return Answered(SolverRun(COUNTED, thread_time() - began, count=found), last)


def count_layouts(position: Position, free: int) -> Answered:
    """Count the layouts of a board exactly, without the factor 2 for each of the ``free`` cells."""
    began = thread_time()
    try:
        found = odds(position).solutions
    except LimitError as error:
        return Answered(SolverRun(Claim.UNKNOWN, thread_time() - began, str(error)))
    # Each free cell may be a mine or not in every layout of the other cells: a factor of two.
    return Answered(SolverRun(COUNTED, thread_time() - began, count=found >> free))


def refute_by_sums(constraints: Sequence[Constraint], num_vars: int) -> str:
    """Return the kind of a refutation by sums, such as ``modulo 2``; empty without a refutation."""
    equations = list(_equations(constraints, num_vars))
    if sum(len(variables) for variables, _ in equations) > 20 * _COLUMNS:
        return ""
    found = prove_without_search(equations, lambda: None)
    return found.by[-1] if found.refuted else ""


def _equations(constraints: Sequence[Constraint], last: int) -> Iterator[Equation]:
    """Equations for bounds: the difference to the upper bound is a sum of slack variables."""
    for each in constraints:
        if not isinstance(each, Cardinality) or min(each.lits, default=1) < 0:
            raise DefectError("a constraint of a family that is no sum of variables")
        # lower <= sum <= upper is sum + slack = upper for some 0 <= slack <= upper - lower.
        upper = min(each.upper, len(each.lits))
        slack = upper - max(each.lower, 0)
        yield (*each.lits, *range(last + 1, last + 1 + slack)), upper
        last += slack
