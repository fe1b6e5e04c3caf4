"""Measuring an instance: the weak solver first, the strong solver if the weak has no answer.

Every run is a separate process with a hard limit of CPU time. Answers are checked: a model must
satisfy clauses and constraints, an unexpected answer ends all measuring, and a counted number of
layouts must equal the number by a formula if the family has one.
"""

import hashlib
import io
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import comb
from typing import Any, Final, Self

from pbcnf.formats.write.dimacs import write_dimacs
from pbcnf.formula import Formula
from satsweeper.board.errors import DefectError
from satsweeper.competition.instance import (
    EntryInstance,
    Series,
    TooLargeError,
    instance_of,
    series_of,
)
from satsweeper.competition.measurement import COUNTED, Measurement, Probe, SolverRun
from satsweeper.competition.solving import (
    Answered,
    count_layouts,
    enumerate_models,
    refute_by_sums,
    solve,
)
from satsweeper.count.odds import digits
from satsweeper.processes.forked import ForkServer
from satsweeper.processes.limits import Ended, Limits
from satsweeper.solvers.output import Claim
from satsweeper.solvers.programs import EXTERNAL


def domino_tilings(n: int) -> int:
    """The number of coverings of n x n squares by dominoes, n even.

    P. W. Kasteleyn, The statistics of dimers on a lattice, Physica 27 (1961) 1209-1225: the product
    of ``4 cos^2(j pi / (n + 1)) + 4 cos^2(k pi / (n + 1))`` over all j and k from 1 to n / 2. The
    ``4 cos^2`` are the zeros of ``P(x) = sum over k of (-1)^k binomial(n - k, k) x^(n/2 - k)``, so
    that the product is the resultant of P(x) and (-1)^(n/2) P(-x): a determinant of integers.

    >>> [domino_tilings(n) for n in (2, 4, 6, 8)]
    [2, 36, 6728, 12988816]
    """
    half = n // 2
    # Coefficients of P(x) and of (-1)^(n/2) P(-x); the rows are their Sylvester matrix.
    first = [(-1) ** k * comb(n - k, k) for k in range(half + 1)]
    second = [comb(n - k, k) for k in range(half + 1)]
    rows = [
        [0] * shift + p + [0] * (half - 1 - shift) for p in (first, second) for shift in range(half)
    ]
    return abs(_determinant(rows))


def even_subgraphs(n: int) -> int:
    """The number of layouts of a parity lattice of n x n with even sums at every vertex.

    With E links and V = n * n vertices in one component: 2 ^ (E - V + 1). An even number of
    charges, or a fixed mine at an open end, does not change the number.
    """
    links = n * (n - 1) + sum((i + j) % 2 for i in range(n - 1) for j in range(n))
    return 1 << links - n * n + 1


def known_count(family: str, size: int) -> int | None:
    """The number of layouts of the boards of a family and size; None without a formula."""
    if family == "chessboard_with_private_cells":
        return domino_tilings(size)
    return even_subgraphs(size) if family == "parity_lattice_with_open_end" else None


def _determinant(rows: list[list[int]]) -> int:
    left = [[Fraction(value) for value in row] for row in rows]
    product = Fraction(1)
    for at in range(len(left)):
        # Exchanging two rows changes the sign of the determinant; subtracting a multiple of the
        # pivot's row from a row below changes nothing. The diagonal of the resulting triangle is
        # multiplied up.
        pivot = next((i for i in range(at, len(left)) if left[i][at]), None)
        if pivot is None:
            return 0
        if pivot != at:
            left[at], left[pivot] = left[pivot], left[at]
            product = -product
        product *= left[at][at]
        for row in left[at + 1 :]:
            if row[at]:
                factor = row[at] / left[at][at]
                for column in range(at, len(row)):
                    row[column] -= factor * left[at][column]
    return int(product)


WEAK: Final = "minisat22"
"""MiniSat 2.2, by which competitions measure hardness."""

Task = Callable[[], Any]
"""A call of a function of ``solving.py``; picklable."""


@dataclass(frozen=True, slots=True)
class Bar:
    """The solvers of the measurements, and the limit of each in CPU seconds."""

    track: str
    weak_seconds: float
    strong: str
    strong_seconds: float


class Children:
    """Runs tasks in children, one process for each limit."""

    def __init__(self) -> None:
        self._servers: dict[float, ForkServer] = {}

    def run(self, task: Task, seconds: float, external: bool = False) -> Any:
        """Return the value of the task, or ``Ended`` if its process ended without a value."""
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
            DefectError: an answer contradicts the argument of the family.
        """
        series = self._series[job.series]
        try:
            instance = instance_of(series, job.size, job.seed)
        except TooLargeError:
            return Measurement(job)
        measure = self._counted if self.bar.track == "counting" else self._decided
        weak, strong, model = measure(instance)
        # First the argument of the family, then the two solvers against each other, then the model.
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
            found = self._runs.run(task, 60.0)
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
            _digest(instance.formula),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._runs.close()

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
        # A child may exceed its limit by a little, as system clocks are coarse.
        found = self._runs.run(task, 1.1 * seconds + 0.5, external)
        if isinstance(found, Ended):
            if found.how == "error":
                raise DefectError(found.what or "a solver failed")
            return Answered(SolverRun(Claim.UNKNOWN, found.seconds, str(found)))
        answered: Answered = found
        if answered.run.seconds > seconds:
            return Answered(SolverRun(Claim.UNKNOWN, answered.run.seconds, "timeout"))
        return answered


def _digest(formula: Formula) -> str:
    """Return the MD5 of the clauses as a file: competitions count files of one MD5 as one."""
    text = io.BytesIO()
    write_dimacs(formula, text)
    return hashlib.md5(text.getvalue(), usedforsecurity=False).hexdigest()


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
    """Load all modules of tasks in the server, by a small task; return the function for tasks."""
    formula = Formula(1)
    formula.add_clause([1])
    solve(WEAK, formula)
    return lambda task: task()
