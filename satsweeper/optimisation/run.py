"""A problem decided or optimised, here or in a worker: strategies take turns in one live solver."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from pbcnf.constraints.constraint import Constraint, PseudoBoolean
from pbcnf.constraints.problem import Objective, Problem
from pbcnf.emission.whole_problems import Choices, encode_problem
from pbcnf.formula import Formula
from pbcnf.literals import Lit
from pbcnf.wording import unknown_name
from satsweeper.optimisation.branching import branching
from satsweeper.optimisation.core_guided import core_guided
from satsweeper.optimisation.linear import decision, linear
from satsweeper.optimisation.local_search import local_search
from satsweeper.optimisation.refutation import quick_refutation
from satsweeper.optimisation.search import (
    PAUSE,
    Cost,
    LiveSink,
    PaidCore,
    Search,
    SolveOutcome,
    SolverQuestion,
    SolveStatus,
    Strategy,
)
from satsweeper.processes.deadline import Deadline
from satsweeper.processes.signals import let_the_parent_answer
from satsweeper.processes.worker import Worker, WorkerDiedError
from satsweeper.solvers.output import Claim
from satsweeper.solvers.programs import EXTERNAL
from satsweeper.solvers.protocol import Answer, SolverError, SolverFailedError, Unknown
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
_TURN: Final = 60_000
"""Microseconds of the first turn, as reckoned by what follows."""
_PART: Final = 4
"""Ratio of the leading strategy's turn to the turn of each other strategy."""
_CONFLICT: Final = 10
"""Microseconds of a conflict, and one more for each ``_LITERALS`` literals of clauses."""
_LITERALS: Final = 2_000
_QUESTION: Final = 150
"""Microseconds of a question; more for many assumptions and clauses."""
_LARGE: Final = 5_000
"""Terms of a problem beyond which some searches begin before the encoding."""
_EARLY: Final = 500_000
"""Microseconds without a better solution after which the encoding begins."""
_LATEST: Final = 2_000_000
"""Microseconds after which it begins in any case, half a second later."""
_STEP: Final = 2_000
"""Microseconds of a step of theirs at least: nodes that a solver refutes are not charged."""
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
    cores: list[PaidCore] | None = None,
) -> SolveOutcome:
    """Decide ``problem``, or optimise its objective if there is one.

    Args:
        problem: the problem; its constraints are encoded one by one.
        settings: options of the search; None: the defaults.
        seconds: time limit, after which the best answer so far is returned; a solver without a
            budget of conflicts finishes its question first. None: no limit.
        found: called with each better model and its value, None without an objective.
        cores: receives the cores that core-guided search has paid for.

    Raises:
        SolverError: the solver does not exist, or cannot do what the settings need.
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

        search = Search(problem, cost, sink, better, deadline.left)
        search.cores = [] if cores is None else cores
        if quick_refutation(problem) is not None:
            search.exhaust()
            return _outcome(search, cost)
        parts: list[Strategy] = []
        if cost is not None and cost.terms:
            row = find_strategy("linear" if settings.only_linear else settings.strategy)
            parts = [part(search, settings.counter) for part in row.parts]
            if sum(len(each.lits) for each in problem.constraints) > _LARGE:
                # A first solution is often found sooner than all is encoded.
                _without_questions(search, parts[len(parts) - row.early :], deadline.passed)
        for _ in encode_problem(problem.constraints, sink, settings.choices, settings.most_clauses):
            if search.closed or deadline.passed():
                break
        else:
            take_turns(search, parts or [decision(search)], deadline.passed)
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


def _without_questions(
    search: Search, strategies: Sequence[Strategy], over: Callable[[], bool]
) -> None:
    """Run ``strategies`` while they ask nothing and find better solutions: there are no clauses."""
    # The last is local search, whose time counts: a relaxation may take longer at once.
    left = dict.fromkeys(reversed(strategies), 0)
    found, upper = 0, search.upper
    while left and not search.closed and not over():
        strategy = min(left, key=lambda each: left[each])
        before = search.charged
        # A question that is not answered is unknown to the strategy.
        if next(strategy, None) is PAUSE:
            left[strategy] += max(search.charged - before, _STEP)
        else:
            del left[strategy]
        spent = left.get(strategies[-1], search.charged)
        if search.upper != upper:
            found, upper = spent, search.upper
        if spent > min(found, _LATEST) + _EARLY:
            return


def take_turns(search: Search, strategies: Sequence[Strategy], over: Callable[[], bool]) -> None:
    """Run ``strategies`` in turns until the search is closed, all have ended, or time is over.

    A turn is a time, reckoned from conflicts and the like so that runs repeat, and doubled after
    each round. Strategies whose lower bound is far from the best have shorter turns, by the ratio
    ``_PART``: their bounds tell whether cores or the relaxation are the better way. That is not so
    after a turn in which they found a better solution, or a round in which no bound moved. A
    question without an answer within its turn is asked again in the next turn.

    Args:
        search: the state that the strategies share; its solver answers the questions.
        strategies: generators of questions; before there are bounds the first has the longest
            turns.
        over: whether the time is over; no question is asked then.
    """
    waiting = [(place, strategy, next(strategy, None)) for place, strategy in enumerate(strategies)]
    turn = _TURN
    improved, stalled = set[int](), False
    while not search.closed and not over():
        left = [(place, s, question) for place, s, question in waiting if question is not None]
        if not left:
            return
        alone = len(left) == 1
        bounds = search.lower, search.upper
        waiting = []
        for place, strategy, question in left:
            best = max(search.lowers.values(), default=0)
            upper = search.upper
            # Within half of the gap that is left a bound counts as good as the best.
            enough = best if search.upper is None else best - max(search.upper - best, 0) // 2
            first = search.lowers.get(place, 0) >= max(enough, 1) if best else place == 0
            most = (
                None if alone else turn if first or stalled or place in improved else turn // _PART
            )
            search.turn = place
            waiting.append((place, strategy, _turn(search, strategy, question, most, over)))
            (improved.discard if search.upper == upper else improved.add)(place)
        stalled = bounds == (search.lower, search.upper)
        turn *= 2


def _turn(
    search: Search,
    strategy: Strategy,
    question: SolverQuestion,
    most: int | None,
    over: Callable[[], bool],
) -> SolverQuestion | None:
    """Answer questions of ``strategy`` for about ``most`` microseconds, ``question`` first.

    ``most``: None for no limit. Return the first question of the next turn; None if the strategy
    has ended.
    """
    solver = search.sink.solver
    # A conflict takes about as long as the clauses are many.
    weight = _CONFLICT + search.sink.num_literals // _LITERALS
    spent = 0
    while not search.closed and not over():
        left = question.conflicts
        if most is not None:
            if spent >= most:
                return question
            rest = -(-(most - spent) // weight)
            left = rest if left is None else min(left, rest)
        before = solver.conflicts()
        if question is PAUSE:
            answer: Answer = Unknown("pause")
        else:
            answer = solver.solve(question.assumptions, left)
            spent += weight * (solver.conflicts() - before) + _QUESTION
            spent += len(question.assumptions) // 2 + search.sink.num_literals // 50
        # Unknown within a budget that the turn cut short is no answer: the question is asked again.
        asked = question is not PAUSE
        if asked and isinstance(answer, Unknown) and (over() or left != question.conflicts):
            continue
        charged = search.charged
        try:
            question = strategy.send(answer)
        except StopIteration:
            return None
        spent += search.charged - charged
    return question


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

Prover = Callable[[Problem, SolveOutcome, Sequence[PaidCore], float | None], Any]
"""Makes a proof of an answer, from the cores that were paid for, within a number of seconds."""


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
    cores: list[PaidCore] = []
    outcome = solve(problem, settings, seconds=deadline.left(), found=found, cores=cores)
    answered = [SolveStatus.OPTIMUM, SolveStatus.UNSATISFIABLE]
    if problem.objective is None:
        answered.append(SolveStatus.SATISFIABLE)
    if not proof or outcome.status not in answered:
        return outcome, None
    send(outcome)
    if prover is None:
        return outcome, prove_best(problem, outcome, settings, deadline.left())
    return outcome, prover(problem, outcome, cores, deadline.left())
