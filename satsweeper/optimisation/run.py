"""A problem decided or optimised, here or in a worker: strategies take turns in one live solver."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any, Final, NamedTuple

from pbcnf.constraints.constraint import Cardinality, Constraint, PseudoBoolean
from pbcnf.constraints.problem import Objective, Problem
from pbcnf.emission.whole_problems import Choices, encode_problem
from pbcnf.formula import Formula
from pbcnf.literals import Lit
from pbcnf.wording import unknown_name
from satsweeper.optimisation.branching import branching
from satsweeper.optimisation.core_guided import core_guided
from satsweeper.optimisation.linear import decide_natively, decision, linear, widest_row
from satsweeper.optimisation.local_search import local_search
from satsweeper.optimisation.refutation import quick_refutation
from satsweeper.optimisation.search import (
    Cost,
    LiveSink,
    Search,
    SearchLog,
    SolveOutcome,
    SolveStatus,
    Strategy,
)
from satsweeper.optimisation.short_sums import short_clauses
from satsweeper.optimisation.turns import (
    HeadStart,
    before_encoding,
    head_start,
    saved,
    take_turns,
)
from satsweeper.processes.deadline import Deadline
from satsweeper.processes.signals import let_the_parent_answer
from satsweeper.processes.worker import Worker, WorkerDiedError
from satsweeper.solvers.output import Claim
from satsweeper.solvers.programs import EXTERNAL
from satsweeper.solvers.protocol import (
    Satisfied,
    SolverError,
    SolverFailedError,
)
from satsweeper.solvers.search_budget import LimitedSolver
from satsweeper.solvers.sink import open_solver
from satsweeper.solvers.solve_formula import Solved, check_solver, solve_formula

# The strategies by name; a new one is a file and a row here.

AUTO: Final = "auto"


class StrategyRow(NamedTuple):
    """A row of the table of strategies."""

    summary: str
    parts: tuple[Callable[[Search, str], Strategy], ...]
    """Searches that take turns; each is called with the `Search` and the name of a counter."""
    early: int = 0
    """The number of parts, from the last, that begin before a large problem is encoded."""


def _from_above(search: Search, counter: str) -> Strategy:
    """Search by `linear`, unless the objective is large: local search improves it sooner."""
    if len(search.cost.terms) <= _MANY:
        yield from linear(search, counter)


def _alone(search: Search) -> Strategy:
    """Search by `branching`, and core-guided without a relaxation or an answer."""
    yield from branching(search)
    if not search.closed:
        yield from core_guided(search)


STRATEGIES: Final[dict[str, StrategyRow]] = {
    AUTO: StrategyRow(
        "core-guided, linear, branching and local search take turns",
        (
            lambda search, counter: core_guided(search),
            _from_above,
            lambda search, counter: branching(search),
            lambda search, counter: local_search(search),
        ),
        early=2,
    ),
    "core-guided": StrategyRow(
        "from below: cores are paid for, one by one",
        (lambda search, counter: core_guided(search),),
    ),
    "branching": StrategyRow(
        "by decisions on the linear relaxation, whose refutations the solver learns",
        (lambda search, counter: _alone(search),),
    ),
    "linear": StrategyRow("from above: each model must be better than the last", (linear,)),
}
"""Name of a strategy -> summary, and the searches that take turns."""


def find_strategy(name: str) -> StrategyRow:
    """Return the strategy ``name``. Raises SolverError, with the nearest name, if unknown."""
    if name not in STRATEGIES:
        raise SolverError(unknown_name("strategy", name, STRATEGIES))
    return STRATEGIES[name]


DECIDES: Final = "cadical195"
OPTIMISES: Final = "minisat22"
_FORGETS: Final = "lingeling"
"""Solver that ends the process if an assumption has a variable of a core that earlier questions
left out."""
_LARGE: Final = 20_000
"""Terms of a problem beyond which turns are even; of rows that are no clauses, beyond which some
searches begin before the encoding."""
_VAST: Final = 100_000
"""Terms beyond which that is so even if all rows are clauses, which are encoded quickly."""
_SHARE: Final = 20
"""Ratio of all constraints to those that are no clauses, up to which rows are summed."""
_SET_UP: Final = 15_000, 5
"""Microseconds, and more for each term, in which the relaxation is set up and solved."""
_FLIPS: Final = 0, 20
"""Microseconds, and more for each term, in which local search makes its first flips."""
_MANY: Final = 2_000
"""Terms of an objective beyond which no counter is built beside local search: it takes long."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Options of the search: strategy, solver, counter of the cost, and encoders.

    Raises SolverError (a ValueError) for an unknown strategy or solver, and for a strategy that the
    solver cannot run.
    """

    strategy: str = AUTO
    """A name of ``STRATEGIES``."""
    solver: str = AUTO
    """A name of ``SOLVERS``, ``external:`` and a program on PATH, or auto."""
    counter: str = AUTO
    """Counter of the cost, for linear search: a name of ``COUNTERS``, or auto."""
    choices: Choices = field(default_factory=Choices)
    """The encoders of the constraints."""
    most_clauses: int | None = None
    """Limit on the clauses of one constraint."""

    def __post_init__(self) -> None:
        """Check strategy and solver."""
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
    def free(self) -> bool:
        """Whether the relaxation may answer before anything is encoded: nothing else is named."""
        free = Settings(solver=self.solver, most_clauses=self.most_clauses)
        return self == free and not self.only_linear

    @property
    def external(self) -> bool:
        """Whether the solver is a program on PATH."""
        return self.solver.startswith(EXTERNAL)

    @property
    def only_linear(self) -> bool:
        """Whether core-guided search is impossible: no cores, or variables that are forgotten."""
        return self.external or self.solver == _FORGETS


def solve(
    problem: Problem,
    settings: Settings | None = None,
    *,
    seconds: float | None = None,
    found: Callable[[Sequence[Lit], int | None], object] | None = None,
    log: SearchLog | None = None,
    start: Sequence[Lit] | None = None,
) -> SolveOutcome:
    """Decide ``problem``, or optimise its objective if there is one.

    Args:
        problem: the problem; its constraints are encoded one by one.
        settings: options of the search; None: the defaults.
        seconds: time limit, after which the best answer so far is returned; a solver without a
            budget of conflicts finishes its question first. None: no limit.
        found: called with each better model and its value, None without an objective.
        log: receives the arguments of the search.
        start: a model to begin with, which is checked; None for none.

    Raises:
        SolverError: the solver does not exist, or cannot do what the settings need.
        SolverFailedError: the solver failed, or its model does not satisfy the problem.
        EncodingError: a constraint, named, that its encoder cannot express or that is too large.
    """
    settings = settings or Settings()
    begun, deadline = monotonic(), Deadline.after(seconds)
    cost = None if problem.objective is None else Cost.of(problem.objective)
    solver = open_solver(settings.solver_of(problem))
    if seconds is not None:
        solver = LimitedSolver(solver, deadline, None)
    try:
        sink = LiveSink(solver)
        sink.new_vars(problem.num_vars)

        def better(model: Sequence[Lit], price: int) -> None:
            if cost is None:
                search.exhaust()
            if found is not None:
                found(model, None if cost is None else cost.objective(price))

        search = Search(problem, cost, sink, better, deadline.left, log)
        if _SHARE * len(search.sums) > len(search.problem.constraints) and (
            quick_refutation(problem, lambda _: search.rows) is not None
        ):
            search.exhaust()
            return _outcome(search, cost)
        if start is not None:
            search.take(Satisfied([*start]))

        def encode() -> None:
            constraints: Iterable[Constraint] = problem.constraints
            if settings.free and settings.most_clauses is None:
                constraints = (_unless_short(each, sink) for each in constraints)
            for _ in encode_problem(constraints, sink, settings.choices, settings.most_clauses):
                if deadline.passed():
                    return

        search.encoding = encode
        first = HeadStart()
        terms = sum(len(each.lits) for each in problem.constraints)
        large = terms > _LARGE
        if cost is None or not cost.terms:
            parts = [decision(search)]
            if settings == Settings() and log is None and terms <= _VAST:
                decide_natively(search, deadline.passed)
            if settings.free and not search.closed and (first := head_start(search)).least:
                # A proof of the answer knows no row that stands for the objective.
                row = widest_row(problem) if cost is None and log is None else None
                if row is not None:
                    search.cost, search.upper = row
                if row is not None or log is not None:
                    parts.insert(0, branching(search))
                else:
                    # Clauses and counts are quickly encoded, and no duals tell what is left.
                    parts.append(saved(search, branching(search), *_SET_UP))
                    first = HeadStart()
        else:
            chosen = find_strategy("linear" if settings.only_linear else settings.strategy)
            parts = [part(search, settings.counter) for part in chosen.parts]
            if settings.free:
                early = parts[len(parts) - chosen.early :]
                if large and _slow_to_encode(search):
                    # A first solution is often found sooner than all is encoded.
                    before_encoding(search, early, deadline.passed)
                elif (first := head_start(search)).least:
                    parts.remove(early[0])
                    parts.insert(0, early[0])
                elif not large:
                    parts[-2] = saved(search, early[0], *_SET_UP)
                if not large:
                    parts[-1] = saved(search, early[1], *_FLIPS)
        if not first.least and not search.closed:
            search.encode()
        take_turns(search, parts, deadline.passed, first, even=large)
        return _outcome(search, cost)
    finally:
        solver.close()
        if log is not None:
            log.seconds = monotonic() - begun


def _unless_short(constraint: Constraint, sink: LiveSink) -> Constraint:
    """Return ``constraint``, or what always holds in place of a short sum, whose clauses are added.

    So the constraints keep their numbers.
    """
    clauses = short_clauses(constraint)
    if clauses is None:
        return constraint
    for clause in clauses:
        sink.add_clause(clause)
    return Cardinality(())


def _slow_to_encode(search: Search) -> bool:
    """Whether the rows that are no clauses, or all of them, have very many terms."""
    sums = sum(len(row.terms) for row in search.sums)
    return sums > _LARGE or sum(len(row.terms) for row in search.rows) > _VAST


def _outcome(search: Search, cost: Cost | None) -> SolveOutcome:
    solver = search.sink.solver
    reason, bound = "" if search.closed else "time", search.lower
    if search.model is None:
        status = SolveStatus.UNSATISFIABLE if search.closed else SolveStatus.UNKNOWN
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


# DRUP proofs that a problem has no model, or no better model than the best one found.


@dataclass(frozen=True, slots=True)
class DrupProof:
    """A formula and its refutation: lines of DRUP, the empty clause last."""

    formula: Formula = field(repr=False)
    lines: list[str] = field(repr=False)


def decide(
    problem: Problem, settings: Settings, seconds: float | None
) -> tuple[SolveOutcome, DrupProof | None]:
    """Decide ``problem``, without objective; if there is no model, return a proof as well.

    Raises as `solve` does.
    """
    formula, solved = _refuted(problem, (), settings, seconds)
    if solved.claim is Claim.SATISFIABLE:
        model = tuple(solved.model[: problem.num_vars])
        if not problem.holds(set(model)):
            raise SolverFailedError("wrong model: it does not satisfy the problem")
        return SolveOutcome(SolveStatus.SATISFIABLE, model), None
    if solved.claim is Claim.UNKNOWN:
        return SolveOutcome(SolveStatus.UNKNOWN, reason=solved.reason), None
    return SolveOutcome(SolveStatus.UNSATISFIABLE), DrupProof(formula, solved.proof)


def prove_best(
    problem: Problem, outcome: SolveOutcome, settings: Settings, seconds: float | None
) -> DrupProof | None:
    """Prove ``outcome`` by a second search: no model, or no model with a better value.

    Return None if ``seconds`` were over first. Raises SolverFailedError if there is a better model.
    """
    better: tuple[Constraint, ...] = ()
    if outcome.value is not None:
        assert problem.objective is not None
        better = (better_than(problem.objective, outcome.value),)
    formula, solved = _refuted(problem, better, settings, seconds)
    if solved.claim is Claim.SATISFIABLE:
        raise SolverFailedError(f"there is a better model than that of value {outcome.value}")
    return None if solved.claim is Claim.UNKNOWN else DrupProof(formula, solved.proof)


def better_than(objective: Objective, value: int) -> PseudoBoolean:
    """Return "the objective is better than ``value``"."""
    # Values are integers, so a better value is better by at least 1.
    left = value - objective.constant
    side = {"lower": left + 1} if objective.maximise else {"upper": left - 1}
    return PseudoBoolean(objective.lits, objective.weights, **side)


def _refuted(
    problem: Problem, more: tuple[Constraint, ...], settings: Settings, seconds: float | None
) -> tuple[Formula, Solved]:
    """Return the clauses of ``problem`` and ``more``, and the result of a solver that proves."""
    formula = Formula(problem.num_vars)
    constraints = (*problem.constraints, *more)
    for _ in encode_problem(constraints, formula, settings.choices, settings.most_clauses):
        pass
    solver = DECIDES if settings.solver == AUTO else settings.solver
    return formula, solve_formula(formula, solver, seconds, proof=True)


# A problem decided or optimised in a worker process, which is killed at the time limit.

Prover = Callable[[Problem, SolveOutcome, SearchLog, float | None], Any]
"""Makes a proof of an answer, from the log of the search, within a number of seconds."""


_FOR_BOUNDS: Final = 0.25
"""The share of the time limit in which a bound beside a solution is proved."""


def worker_for(problem: Problem, settings: Settings) -> Worker:
    """Return a worker for `solve_apart`, not started; ``problem`` and ``settings`` as for `solve`.

    It is forked if it starts before this process has other threads.
    """
    name = f"solver {settings.solver_of(problem)!r}"
    return Worker(name, settings.external, given=(problem, settings), forked=True)


def solve_apart(
    worker: Worker,
    seconds: float | None,
    found: Callable[[SolveOutcome], object],
    proof: bool = False,
    prover: Prover | None = None,
) -> tuple[SolveOutcome, Any]:
    """Solve the problem of ``worker`` within ``seconds``; exceptions in ``found`` end the worker.

    Args:
        worker: of `worker_for`.
        seconds: as for `solve`.
        found: called with each better outcome.
        proof: whether to return a proof where there is no model or no better model.
        prover: makes the proof, in the worker, of a model too where none is better than another;
            None: the proof is a `DrupProof`.

    Raises:
        WorkerDiedError: the worker crashed before it had found a model.
        ValueError: as `solve`.
    """
    best = SolveOutcome(SolveStatus.UNKNOWN, reason="time")

    def heard(outcome: SolveOutcome) -> None:
        nonlocal best
        best = outcome
        found(outcome)

    try:
        answer = worker.ask(seconds, _work, proof, prover, heard=heard)
    except WorkerDiedError as error:
        if best.model is None and not error.from_outside:
            raise
        return replace(best, reason=str(error)), None
    # A worker killed at the limit has returned no pair: the best outcome that it sent is returned.
    return answer if isinstance(answer, tuple) else (best, None)


def _work(
    send: Callable[[Any], None],
    deadline: Deadline,
    problem: Problem,
    settings: Settings,
    proof: bool,
    prover: Prover | None,
) -> tuple[SolveOutcome, Any]:
    def found(model: Sequence[Lit], value: int | None) -> None:
        send(SolveOutcome(SolveStatus.SATISFIABLE, tuple(model), value, reason="time"))

    let_the_parent_answer(settings.external)
    if proof and prover is None and problem.objective is None:
        return decide(problem, settings, deadline.left())
    log = None if prover is None else SearchLog()
    left = deadline.left()
    if left is not None and prover is not None and problem.objective is not None:
        # Some time is kept for the proof of a bound, if there is a solution and no optimum by then.
        left *= 1 - _FOR_BOUNDS
    outcome = solve(problem, settings, seconds=left, found=found, log=log)
    answered = [SolveStatus.OPTIMUM, SolveStatus.UNSATISFIABLE]
    if problem.objective is None or prover is not None:
        answered.append(SolveStatus.SATISFIABLE)
    if not proof or outcome.status not in answered:
        return outcome, None
    send(outcome)
    if prover is None or log is None:
        return outcome, prove_best(problem, outcome, settings, deadline.left())
    return outcome, prover(problem, outcome, log, deadline.left())
