"""Measuring a job in this process: encode, load, solve, and check every model."""

import hashlib
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass
from time import thread_time
from typing import Final

from pbcnf.formula import EncodingSize
from satsweeper.board.facts import WrongModelError
from satsweeper.compare.instances.instance import Instance
from satsweeper.compare.job.contestants import Encoders, contestant
from satsweeper.compare.job.job import Job, JobStatus, Measured, Result, Task
from satsweeper.compare.job.question import Encoded, JobQuestion, encoded, question_of
from satsweeper.compare.job.scramble import loaded, scrambled
from satsweeper.peers.user_encoder import EncoderFaultError
from satsweeper.processes.limits import cpu_seconds, forget_peak, peak_memory
from satsweeper.solvers.backbone import Backbone
from satsweeper.solvers.programs import EXTERNAL
from satsweeper.solvers.protocol import (
    Answer,
    LiveSolver,
    Satisfied,
    SolverFailedError,
    Statistics,
    Unknown,
)
from satsweeper.solvers.pysat import PysatSolver
from satsweeper.solvers.search_budget import SearchBudget
from satsweeper.solvers.sink import SolverSink, open_solver
from satsweeper.solvers.table import features

_WRONG: Final = "wrong model: "
"""The beginning of the message of a job that ended with a wrong model."""


@dataclass(slots=True)
class _Outcome:
    """The results of a job so far."""

    status: JobStatus = JobStatus.ERROR
    encode: float = 0.0
    solve: float = 0.0
    size: EncodingSize | None = None
    statistics: Statistics | None = None
    calls: int | None = None
    answer: str | None = None
    budget: int | None = None
    message: str | None = None


def measure(
    job: Job, instance: Instance, encoders: Encoders | None = None, *, budget: bool = False
) -> Result:
    """Return the result of a job; only ``measured`` depends on the process.

    A failure of the job is a result, too: an exception or a wrong model is an ``error``, a lack of
    memory is ``memory``.

    * ``encode``: seconds from constraints to clauses in memory; reading the instance and
      scrambling the clauses are not measured. ``solve``: seconds for opening the solver, loading
      the clauses and all calls, and in ``classify`` the checks of models. Both are CPU seconds of
      this thread (the clock of the process is coarse while its CPU time is limited), for an
      external program also those of the program. Its memory is not measured.
    * ``conflicts``, ``propagations``, ``decisions``: of all calls, as the solver counts them; None
      for external programs.
    * ``classify``: one live solver holds all clues and the total; models strike out candidates,
      as in ``satsweeper.solvers.backbone``, without budgets. No rule or table helps.
    * ``budget``: for one-call tasks a budget of conflicts that decides, while one conflict less
      does not, found by further runs in fresh solvers. For ``classify`` the conflicts of all calls.
      None for a solver without budgets.

    Args:
        encoders: encoders of the caller's own, by name.
        budget: whether to find the budget.
    """
    forget_peak()
    found = _Outcome()
    try:
        _run(job, instance, encoders, budget, found)
    except MemoryError:
        found.status, found.message = JobStatus.MEMORY, None
    except WrongModelError as error:
        found.status, found.message = JobStatus.ERROR, f"{_WRONG}{error}"
    except (EncoderFaultError, SolverFailedError, ValueError) as error:
        found.status, found.message = JobStatus.ERROR, " ".join(str(error).split())
    except Exception as error:
        found.status = JobStatus.ERROR
        found.message = " ".join(f"{type(error).__name__}: {error}".split())
    verdicts = None
    if found.status.solved and found.answer is not None:
        verdicts = hashlib.sha256(found.answer.encode()).hexdigest()[:16]
    return Result(
        job,
        found.status,
        Measured(found.encode, found.solve, peak_memory()),
        **({} if found.size is None else asdict(found.size)),
        **({} if found.statistics is None else found.statistics._asdict()),
        calls=found.calls,
        verdicts=verdicts,
        budget=found.budget,
        message=found.message,
    )


def is_wrong(result: Result) -> bool:
    """Whether a job ended with a model that breaks its question: the encoding is wrong."""
    return result.status is JobStatus.ERROR and (result.message or "").startswith(_WRONG)


def _run(
    job: Job, instance: Instance, encoders: Encoders | None, budget: bool, found: _Outcome
) -> None:
    clues = contestant(job.encoding, encoders) if job.encoding else None
    total = contestant(job.total_encoding, encoders) if job.total_encoding else None
    question = question_of(instance, job.task)
    # Without these checks a missing name would be taken for native constraints.
    if question.constraints and not job.encoding:
        raise ValueError("the job names no encoding")
    if question.total is not None and not job.total_encoding:
        raise ValueError("the job names no encoding of the total")
    # This time is of the encoding alone, without reading the instance or scrambling the clauses.
    started = thread_time()
    try:
        formula = encoded(question, clues, total, job.order, job.seed)
    finally:
        found.encode = thread_time() - started
    found.size = formula.size
    formula, renaming = scrambled(formula, job.seed)
    answer: Answer | None = None
    external = job.solver.startswith(EXTERNAL)
    started = cpu_seconds(external)
    try:
        with closing(open_solver(job.solver)) as solver:
            try:
                live = loaded(formula, renaming, solver)
                if job.task is Task.CLASSIFY:
                    _classify(question, formula, live, found)
                else:
                    answer = live.solve(question.assumptions)
            finally:
                found.calls = solver.calls
                if isinstance(solver, PysatSolver):
                    found.statistics = solver.statistics()
    finally:
        found.solve = cpu_seconds(external) - started
    if isinstance(answer, Unknown):
        found.status, found.message = JobStatus.UNKNOWN, answer.reason
    elif answer is not None:
        found.status = JobStatus.SAT if isinstance(answer, Satisfied) else JobStatus.UNSAT
        found.answer = found.status.value
        if isinstance(answer, Satisfied):
            # The check is not part of the solver's time.
            question.check(answer.model)
    if budget and found.status.solved and features(job.solver).budget:
        spent = found.statistics.conflicts if found.statistics is not None else 0

        def decides(conflicts: int) -> bool:
            with closing(open_solver(job.solver)) as solver:
                live = loaded(formula, renaming, solver)
                return not isinstance(live.solve(question.assumptions, conflicts), Unknown)

        found.budget = spent if job.task is Task.CLASSIFY else least_budget(decides, spent)


def _classify(question: JobQuestion, formula: Encoded, live: LiveSolver, found: _Outcome) -> None:
    sink = SolverSink(live)
    # The last variable is the one by which `loaded` expresses an empty clause.
    sink.new_vars(formula.formula.num_vars + 1)
    backbone = Backbone(sink, range(1, question.variables + 1), question.check)
    limit = SearchBudget()
    limit.widen()
    if not backbone.run(limit) and backbone.consistent is not False:
        found.status, found.message = JobStatus.UNKNOWN, "not every cell was decided"
    elif backbone.consistent:
        found.status = JobStatus.SAT
        found.answer = f"sat\n{question.grid(set(backbone.proved))}"
    else:
        found.status, found.answer = JobStatus.UNSAT, "unsat"


def least_budget(decides: Callable[[int], bool], guess: int) -> int:
    """The least number b >= 1 with ``decides(b)``; ``decides(b - 1)`` was seen to fail if b > 1.

    Not 0: PySAT takes a budget of 0 for no limit. Every call of ``decides`` uses a fresh solver, so
    that equal budgets give equal answers. The search leaves ``guess`` in steps that double, then
    halves the interval that remains. If ``decides`` is not monotone, b is one of its thresholds.
    (Glucose checks its budget only when it restarts.)

    >>> least_budget(lambda conflicts: conflicts >= 17, guess=16)
    17
    """
    # Invariant of both halves: `decides(least)`, and not `decides(below)` or `below` is 0.
    guess, step = max(guess, 1), 1
    if decides(guess):
        least, below = guess, 0
        while least > 1:
            lower = max(least - step, 1)
            if not decides(lower):
                below = lower
                break
            least, step = lower, 2 * step
    else:
        below, least = guess, guess + 1
        while not decides(least):
            below, step = least, 2 * step
            least = below + step
    while least - below > 1:
        middle = (below + least) // 2
        if decides(middle):
            least = middle
        else:
            below = middle
    return least
