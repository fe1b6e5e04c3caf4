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
from satsweeper.processes.memory import cpu_seconds
from satsweeper.search.algebraic_fallback import prove_without_search
from satsweeper.solvers.evaluation import completed, first_unsatisfied
from satsweeper.solvers.opening import open_solver
from satsweeper.solvers.output import Claim
from satsweeper.solvers.programs import EXTERNAL
from satsweeper.solvers.protocol import Satisfied, Unknown

ELIMINATION: Final = "elimination of cells"
"""The strong counter, which ``odds`` uses."""
_COLUMNS: Final = 30_000
"""Unknowns of a linear program, slack included."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A run, and the literals of the model that it found, checked against every clause."""

    run: SolverRun
    model: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Solve:
    """Decide a formula."""

    solver: str
    formula: Formula

    def __call__(self) -> Answered:
        """Solve the formula.

        Raises:
            DefectError: the model does not satisfy the formula.
        """
        formula, external = self.formula, self.solver.startswith(EXTERNAL)
        began = cpu_seconds(external)
        with closing(open_solver(self.solver)) as solver:
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
            raise DefectError(f"{self.solver}: its model does not satisfy the clause {wrong}")
        model = completed(answer.model, formula.num_vars)
        return Answered(SolverRun(Claim.SATISFIABLE, seconds), tuple(model))


@dataclass(frozen=True, slots=True)
class Enumerate:
    """Count models by excluding each found model by a clause."""

    solver: str
    formula: Formula

    def __call__(self) -> Answered:
        """Count the models."""
        began, found = thread_time(), 0
        last: tuple[int, ...] = ()
        with closing(open_solver(self.solver)) as solver:
            for clause in self.formula.clauses():
                solver.add_clause(clause)
            while isinstance(answer := solver.solve(), Satisfied):
                last = tuple(completed(answer.model, self.formula.num_vars))
                found += 1
                solver.add_clause([-lit for lit in last])
        return Answered(SolverRun(COUNTED, thread_time() - began, count=found), last)


@dataclass(frozen=True, slots=True)
class CountLayouts:
    """Count the layouts of a board, less what ``free`` cells multiply them by."""

    position: Position
    free: int

    def __call__(self) -> Answered:
        """Count the layouts exactly."""
        began = thread_time()
        try:
            found = odds(self.position).solutions
        except LimitError as error:
            return Answered(SolverRun(Claim.UNKNOWN, thread_time() - began, str(error)))
        return Answered(SolverRun(COUNTED, thread_time() - began, count=found >> self.free))


@dataclass(frozen=True, slots=True)
class RefuteBySums:
    """Look for sums of the constraints that no solution meets."""

    constraints: Sequence[Constraint]
    num_vars: int

    def __call__(self) -> str:
        """Return the kind of refutation, such as ``modulo 2``; empty without a refutation."""
        equations = list(_equations(self.constraints, self.num_vars))
        if sum(len(variables) for variables, _ in equations) > 20 * _COLUMNS:
            return ""
        found = prove_without_search(equations, lambda: None)
        return found.by[-1] if found.refuted else ""


def _equations(constraints: Sequence[Constraint], last: int) -> Iterator[Equation]:
    """Equations for bounds: what is missing to the upper one is the sum of slack variables."""
    for each in constraints:
        if not isinstance(each, Cardinality) or min(each.lits, default=1) < 0:
            raise DefectError("a constraint of a family that is no sum of variables")
        upper = min(each.upper, len(each.lits))
        slack = upper - max(each.lower, 0)
        yield (*each.lits, *range(last + 1, last + 1 + slack)), upper
        last += slack
