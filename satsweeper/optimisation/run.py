"""A problem decided or optimised, in this process."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pbcnf.constraints.problem import Problem
from pbcnf.emission.whole_problems import Choices, encode_problem
from pbcnf.literals import Lit
from satsweeper.optimisation import counter as counters
from satsweeper.optimisation.cost import Cost
from satsweeper.optimisation.linear import first_model
from satsweeper.optimisation.live import LiveSink
from satsweeper.optimisation.outcome import Outcome, Status
from satsweeper.optimisation.search import Search
from satsweeper.optimisation.table import AUTO, find_strategy
from satsweeper.optimisation.turns import take_turns
from satsweeper.processes.deadline import Deadline
from satsweeper.solvers.opening import open_solver
from satsweeper.solvers.programs import EXTERNAL
from satsweeper.solvers.protocol import SolverError
from satsweeper.solvers.search_budget import LimitedSolver
from satsweeper.solvers.solve_formula import check_solver

DECIDES = "cadical195"
OPTIMISES = "minisat22"
_FORGETS = "lingeling"
"""It ends the process when variables of a core are assumed that earlier questions left out."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How to search.

    Raises SolverError (a ValueError) for what does not exist or does not go together.
    """

    strategy: str = AUTO
    """A name of ``STRATEGIES``."""
    solver: str = AUTO
    """A name of ``SOLVERS``, ``external:`` and a program on PATH, or auto."""
    counter: str = counters.AUTO
    """Of the cost, for linear search: one of ``COUNTERS``, or auto."""
    choices: Choices = field(default_factory=Choices)
    """The encoders of the constraints."""
    most_clauses: int | None = None
    """Of one constraint."""

    def __post_init__(self) -> None:
        """Check the names."""
        find_strategy(self.strategy)
        check_solver(self.solver, False)
        if self.only_linear and self.strategy not in (AUTO, "linear"):
            why = "brings no cores" if self.external else "forgets variables that are not assumed"
            raise SolverError(f"{self.solver} {why}: linear is the strategy for it")

    def solver_of(self, problem: Problem) -> str:
        """The solver that is meant for this problem."""
        if self.solver != AUTO:
            return self.solver
        return DECIDES if problem.objective is None else OPTIMISES

    @property
    def external(self) -> bool:
        """Whether a program of its own is asked."""
        return self.solver.startswith(EXTERNAL)

    @property
    def only_linear(self) -> bool:
        """Whether the solver cannot be asked what core-guided search asks."""
        return self.external or self.solver == _FORGETS


def solve(
    problem: Problem,
    settings: Settings | None = None,
    *,
    seconds: float | None = None,
    found: Callable[[Sequence[Lit], int | None], object] = lambda model, value: None,
) -> Outcome:
    """Decide a problem, or optimise it if it has an objective.

    Args:
        problem: any; its constraints are encoded one by one.
        settings: how to search.
        seconds: after which the best answer so far is returned; a solver that has no budget of
            conflicts ends its question first.
        found: called with each model that is better than those before it, and its value.

    Raises:
        SolverError: no such solver, or it cannot do what is asked.
        SolverFailedError: the solver failed, or its model does not satisfy the problem.
        EncodingError: a constraint, named, that its encoder cannot express or that is too large.
    """
    settings = settings or Settings()
    deadline = Deadline.after(seconds)
    cost = None if problem.objective is None else Cost.of(problem.objective)
    solver = open_solver(settings.solver_of(problem))
    if seconds is not None:
        solver = LimitedSolver(solver, deadline, None)
    try:
        sink = LiveSink(solver)
        sink.new_vars(problem.num_vars)

        def better(model: Sequence[Lit], price: int) -> None:
            found(model, None if cost is None else cost.objective(price))

        search = Search(problem, cost, sink, better)
        for _ in encode_problem(problem.constraints, sink, settings.choices, settings.most_clauses):
            if deadline.passed():
                break
        else:
            if cost is None or not cost.terms:
                parts = [first_model(search)]
            else:
                row = find_strategy("linear" if settings.only_linear else settings.strategy)
                parts = [part(search, settings.counter) for part in row.parts]
            take_turns(search, parts, solver, deadline.passed)
        return _outcome(search, cost)
    finally:
        solver.close()


def _outcome(search: Search, cost: Cost | None) -> Outcome:
    solver = search.sink.solver
    reason, bound = "" if search.closed else "time", search.lower
    if search.model is None:
        status = Status.UNSATISFIABLE if search.exhausted else Status.UNKNOWN
    elif cost is None:
        status, reason = Status.SATISFIABLE, ""
    else:
        status = Status.OPTIMUM if search.closed else Status.SATISFIABLE
    value = None
    if cost is not None and search.upper is not None:
        value = cost.objective(search.upper)
    return Outcome(
        status,
        None if search.model is None else tuple(search.model),
        value,
        None if cost is None or status is Status.UNSATISFIABLE else cost.objective(bound),
        reason,
        solver.calls,
        solver.conflicts(),
    )
