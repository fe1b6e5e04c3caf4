"""A problem decided or optimised in this process: strategies take turns in one live solver."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from pbcnf.constraints.problem import Problem
from pbcnf.emission.whole_problems import Choices, encode_problem
from pbcnf.literals import Lit
from satsweeper.optimisation import counter as counters
from satsweeper.optimisation.linear import first_model
from satsweeper.optimisation.search import (
    Cost,
    LiveSink,
    Search,
    SolveOutcome,
    SolverQuestion,
    SolveStatus,
    Strategy,
)
from satsweeper.optimisation.table import AUTO, find_strategy
from satsweeper.processes.deadline import Deadline
from satsweeper.solvers.opening import open_solver
from satsweeper.solvers.programs import EXTERNAL
from satsweeper.solvers.protocol import SolverError, Unknown
from satsweeper.solvers.search_budget import LimitedSolver
from satsweeper.solvers.solve_formula import check_solver

DECIDES: Final = "cadical195"
OPTIMISES: Final = "minisat22"
_FORGETS: Final = "lingeling"
"""Ends the process when variables of a core are assumed that earlier questions left out."""
_TURN: Final = 6_000
"""Conflicts of the first turn."""
_PART: Final = 2
"""Ratio between the first strategy's turn and the turn of each other strategy."""
_QUESTION: Final = 10
"""Conflicts charged for every question, so that a series of easy questions ends its turn."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Options of the search: strategy, solver, counter of the cost, and encoders.

    Raises SolverError (a ValueError) for what does not exist or does not go together.
    """

    strategy: str = AUTO
    """A name of ``STRATEGIES``."""
    solver: str = AUTO
    """A name of ``SOLVERS``, ``external:`` and a program on PATH, or auto."""
    counter: str = counters.AUTO
    """Counter of the cost, for linear search: a name of ``COUNTERS``, or auto."""
    choices: Choices = field(default_factory=Choices)
    """The encoders of the constraints."""
    most_clauses: int | None = None
    """Limit on the clauses of one constraint."""

    def __post_init__(self) -> None:
        """Check the names."""
        find_strategy(self.strategy)
        check_solver(self.solver, False)
        if self.only_linear and self.strategy not in (AUTO, "linear"):
            why = "brings no cores" if self.external else "forgets variables that are not assumed"
            raise SolverError(f"{self.solver} {why}: linear is the strategy for it")

    def solver_of(self, problem: Problem) -> str:
        """Return the solver for ``problem``: the named one, else the default for its kind."""
        if self.solver != AUTO:
            return self.solver
        return DECIDES if problem.objective is None else OPTIMISES

    @property
    def external(self) -> bool:
        """Whether the solver is a program on PATH."""
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
    found: Callable[[Sequence[Lit], int | None], object] | None = None,
) -> SolveOutcome:
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
            if found is not None:
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
            take_turns(search, parts, deadline.passed)
        return _outcome(search, cost)
    finally:
        solver.close()


def _outcome(search: Search, cost: Cost | None) -> SolveOutcome:
    solver = search.sink.solver
    reason, bound = "" if search.closed else "time", search.lower
    if search.model is None:
        status = SolveStatus.UNSATISFIABLE if search.exhausted else SolveStatus.UNKNOWN
    elif cost is None:
        status, reason = SolveStatus.SATISFIABLE, ""
    else:
        status = SolveStatus.OPTIMUM if search.closed else SolveStatus.SATISFIABLE
    value = None
    if cost is not None and search.upper is not None:
        value = cost.objective(search.upper)
    return SolveOutcome(
        status,
        None if search.model is None else tuple(search.model),
        value,
        None if cost is None or status is SolveStatus.UNSATISFIABLE else cost.objective(bound),
        reason,
        solver.calls,
        solver.conflicts(),
    )


def take_turns(search: Search, strategies: Sequence[Strategy], over: Callable[[], bool]) -> None:
    """Run ``strategies`` in turns until the search is closed, all have ended, or time is over.

    A turn is a number of conflicts, doubled after each round; each strategy but the first has half
    of it. A question without an answer within its turn is asked again in the next turn.

    Args:
        search: the state that the strategies share; its solver answers the questions.
        strategies: generators of questions; the first one has the longest turns.
        over: whether the time is over; no question is asked then.
    """
    waiting = [(strategy, next(strategy, None)) for strategy in strategies]
    turn = _TURN
    while not search.closed and not over():
        left = [(strategy, question) for strategy, question in waiting if question is not None]
        if not left:
            return
        alone = len(left) == 1
        waiting = []
        for strategy, question in left:
            first = strategy is strategies[0]
            most = None if alone else turn if first else turn // _PART
            waiting.append((strategy, _turn(search, strategy, question, most, over)))
        turn *= 2


def _turn(
    search: Search,
    strategy: Strategy,
    question: SolverQuestion,
    most: int | None,
    over: Callable[[], bool],
) -> SolverQuestion | None:
    """Let ``strategy`` ask for at most ``most`` conflicts, beginning with ``question``.

    Return the question to begin the next turn with; None if the strategy has ended.
    """
    solver = search.sink.solver
    spent = 0
    while not search.closed and not over():
        left = question.conflicts
        if most is not None:
            if spent >= most:
                return question
            left = most - spent if left is None else min(left, most - spent)
        before = solver.conflicts()
        answer = solver.solve(question.assumptions, left)
        spent += solver.conflicts() - before + _QUESTION
        # A budget that the turn cut short is no answer to the question: it is asked again.
        if isinstance(answer, Unknown) and (over() or left != question.conflicts):
            continue
        try:
            question = strategy.send(answer)
        except StopIteration:
            return None
    return question
