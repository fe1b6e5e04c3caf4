"""Measuring an instance: the weak solver first, the strong one on what it does not solve.

Every run is a child of its own with a hard limit of CPU time. No answer is taken on trust: a model
meets the clauses and the constraints, and an answer that is not the expected one ends all work.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Self

from satsweeper.board.errors import DefectError
from satsweeper.competition.instance import EntryInstance, TooLargeError, instance_of
from satsweeper.competition.instance_family import Series, series_of
from satsweeper.competition.known_counts import known_count
from satsweeper.competition.measurement import COUNTED, Measurement, Probe, SolverRun
from satsweeper.competition.solving import (
    Answered,
    count_layouts,
    enumerate_models,
    refute_by_sums,
    solve,
)
from satsweeper.count.odds import digits
from satsweeper.processes.fork_server import ForkServer
from satsweeper.processes.limits import Ended, Limits
from satsweeper.solvers.output import Claim
from satsweeper.solvers.programs import EXTERNAL

WEAK: Final = "minisat22"
"""MiniSat 2.2, by which competitions measure hardness."""
_LONGER, _MORE = 1.1, 0.5
"""The factor and the seconds by which a child may exceed its limit, as system clocks are coarse."""
_SUMS: Final = 60.0
"""CPU seconds for the sums of an instance."""

Task = Callable[[], Any]
"""A call of a function of ``solving.py``; picklable."""


@dataclass(frozen=True, slots=True)
class Bar:
    """The solvers, and the seconds of CPU time that each has."""

    track: str
    weak_seconds: float
    strong: str
    strong_seconds: float


class Children:
    """Runs tasks in children, one process for each limit."""

    def __init__(self) -> None:
        self._servers: dict[float, ForkServer] = {}

    def run(self, task: Task, seconds: float, external: bool = False) -> Any:
        """Return the value of the task, or ``Ended``."""
        server = self._servers.get(seconds)
        if server is None:
            server = self._servers[seconds] = ForkServer(_open, Limits(seconds=seconds))
        return server.ask(task, external)

    def close(self) -> None:
        """End the processes."""
        while self._servers:
            self._servers.popitem()[1].close()


class Measurer:
    """Measures instances one after the other; a context manager."""

    def __init__(self, bar: Bar, runs: Callable[[], Children] = Children) -> None:
        self.bar = bar
        self._series = series_of(bar.track)
        self._runs = runs()

    def run(self, job: Probe) -> Measurement:
        """Measure an instance.

        Raises:
            DefectError: an answer is not what the family's argument says.
        """
        series = self._series[job.series]
        try:
            instance = instance_of(series, job.size, job.seed)
        except TooLargeError:
            return Measurement(job)
        measure = self._counted if self.bar.track == "counting" else self._decided
        weak, strong, model = measure(instance)
        known = known_count(job.series, job.size) if self.bar.track == "counting" else None
        for run in filter(None, (weak, strong)):
            _check(job, series, run, known)
        if weak.count is not None and strong is not None and strong.count not in (None, weak.count):
            numbers = f"{digits(weak.count)} and {digits(strong.count or 0)}"
            raise DefectError(f"{job.id}: two numbers of models: {numbers}")
        if model and not instance.problem.holds(set(model)):
            raise DefectError(f"{job.id}: a model of the clauses does not meet the constraints")
        sums = ""
        if not series.satisfiable and (weak.solved or (strong is not None and strong.solved)):
            problem = instance.problem
            task = partial(refute_by_sums, problem.constraints, problem.num_vars)
            found = self._runs.run(task, _SUMS)
            sums = found if isinstance(found, str) else ""
        return Measurement(
            job,
            instance.formula.num_vars,
            instance.formula.num_clauses,
            len(instance.problem.constraints),
            weak,
            strong,
            sums,
            f"{sum(1 << lit - 1 for lit in model if lit > 0):x}" if model else "",
        )

    def close(self) -> None:
        """End the processes."""
        self._runs.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _decided(
        self, instance: EntryInstance
    ) -> tuple[SolverRun, SolverRun | None, tuple[int, ...]]:
        bar, formula = self.bar, instance.formula
        weak = self._within(partial(solve, WEAK, formula), bar.weak_seconds)
        if weak.run.solved:
            return weak.run, None, weak.model
        external = bar.strong.startswith(EXTERNAL)
        strong = self._within(partial(solve, bar.strong, formula), bar.strong_seconds, external)
        return weak.run, strong.run, strong.model

    def _counted(
        self, instance: EntryInstance
    ) -> tuple[SolverRun, SolverRun | None, tuple[int, ...]]:
        """Run both counters: enumeration with a solver, then exact counting."""
        bar = self.bar
        if instance.position is None:
            raise DefectError("what is counted is no board")
        weak = self._within(partial(enumerate_models, WEAK, instance.formula), bar.weak_seconds)
        count = partial(count_layouts, instance.position, instance.free)
        strong = self._within(count, bar.strong_seconds)
        return weak.run, strong.run, weak.model

    def _within(self, task: Task, seconds: float, external: bool = False) -> Answered:
        found = self._runs.run(task, _LONGER * seconds + _MORE, external)
        if isinstance(found, Ended):
            if found.how == "error":
                raise DefectError(found.what or "a solver failed")
            return Answered(SolverRun(Claim.UNKNOWN, found.seconds, str(found)))
        answered: Answered = found
        if answered.run.seconds > seconds:
            return Answered(SolverRun(Claim.UNKNOWN, answered.run.seconds, "timeout"))
        return answered


def _check(job: Probe, series: Series, run: SolverRun, known: int | None) -> None:
    """Refuse an answer that contradicts the argument of the family."""
    expected = Claim.SATISFIABLE if series.satisfiable else Claim.UNSATISFIABLE
    if run.claim == COUNTED:
        if not run.count or known not in (None, run.count):
            said = "at least 1" if known is None else digits(known)
            counted = digits(run.count or 0)
            raise DefectError(f"{job.id}: the number of models is {said}, not {counted}")
    elif run.solved and run.claim != expected:
        raise DefectError(f"{job.id}: a solver says {run.claim}; by argument it is {expected}")


def _open() -> Callable[[Task], Any]:
    """Load in the server what tasks need, by a small task, and return the function for tasks."""
    from pbcnf.formula import Formula

    formula = Formula(1)
    formula.add_clause([1])
    solve(WEAK, formula)
    return lambda task: task()
