"""Problems to encode, the forms in which clauses are wanted, and encoding measured in children.

Every run is a forked child with limits of time and memory; runs of all contenders are interleaved.
"""

import gc
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import Any, Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from satsweeper.processes.forked import Forked
from satsweeper.processes.limits import Ended, Limits, memory_now, peak_memory

Kind = Literal["at most", "at least", "exactly"]

_MINES: Final = 0.2
"""Share of the cells that are mines."""
_OPENED: Final = 0.3
"""Share of opened cells; a clue has 8 * (1 - _OPENED) = 5.6 covered neighbours on average."""


class Group(NamedTuple):
    """Constraints of one shape, one for every row of `inputs`; empty `weights` are all 1."""

    inputs: npt.NDArray[np.int32]
    kind: Kind
    bound: int
    weights: tuple[int, ...] = ()

    @property
    def n(self) -> int:
        """The number of inputs of each constraint."""
        return int(self.inputs.shape[1])

    @property
    def bounds(self) -> tuple[int, int]:
        """The bounds as lower and upper."""
        lower = 0 if self.kind == "at most" else self.bound
        most = sum(self.weights) or self.n
        return lower, most if self.kind == "at least" else self.bound


@dataclass(frozen=True)
class Problem:
    """Constraints over the variables 1 .. num_vars, grouped by shape."""

    name: str
    num_vars: int
    groups: tuple[Group, ...]

    @property
    def count(self) -> int:
        """The number of constraints."""
        return sum(len(group.inputs) for group in self.groups)

    def constraints(self) -> Iterator[tuple[list[int], list[int], Kind, int]]:
        """Yield constraints as Python lists: inputs, weights, kind and bound."""
        for group in self.groups:
            for row in group.inputs.tolist():
                yield row, list(group.weights or (1,) * group.n), group.kind, group.bound


def clues(count: int, seed: int) -> Problem:
    """Return the first `count` clues of a random square board in mid-game, one constraint each.

    20 % of the cells are mines, 30 % are opened (at random among the others); a clue says exactly
    how many of its covered neighbours are mines, which may be none or all of them.
    """
    side = int((count / _OPENED * 1.05) ** 0.5) + 10
    draw = np.random.default_rng(seed)
    mine = np.zeros((side + 2, side + 2), dtype=bool)
    covered = np.zeros((side + 2, side + 2), dtype=bool)
    mine[1:-1, 1:-1] = draw.random((side, side)) < _MINES
    opened = draw.random((side, side)) < _OPENED / (1 - _MINES)
    covered[1:-1, 1:-1] = mine[1:-1, 1:-1] | ~opened
    variable = np.where(covered, covered.cumsum().reshape(covered.shape), 0)
    rows, columns = np.nonzero(~covered[1:-1, 1:-1])
    around = np.array([(r, c) for r in range(3) for c in range(3) if (r, c) != (1, 1)])
    places = rows[:, None] + around[:, 0], columns[:, None] + around[:, 1]
    near = variable[places]
    kept = np.flatnonzero(near.any(axis=1))[:count]
    near = -np.sort(-near[kept], axis=1)
    mines = mine[places][kept].sum(axis=1)
    groups = tuple(group_by_shape(near.astype(np.int32), mines))
    return Problem(f"{len(kept):,} clues", int(covered.sum()), groups)


def group_by_shape(near: npt.NDArray[np.int32], bounds: npt.NDArray[np.integer]) -> Iterator[Group]:
    """Yield "exactly" constraints, grouped by their numbers of inputs and bounds.

    Each row of `near` holds the inputs of a constraint, then zeros; `bounds` holds the bounds.
    """
    width = near.shape[1] + 1
    shapes = np.count_nonzero(near, axis=1) * width + bounds
    order = np.argsort(shapes, kind="stable")
    found, starts = np.unique(shapes[order], return_index=True)
    for shape, rows in zip(found.tolist(), np.split(order, starts[1:]), strict=True):
        n, bound = divmod(shape, width)
        yield Group(np.ascontiguousarray(near[rows, :n]), "exactly", bound)


def ungrouped(problem: Problem, seed: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.integer]]:
    """Return constraints in random order, as `group_by_shape` takes them."""
    widest = max(group.n for group in problem.groups)
    near = np.concatenate([np.pad(g.inputs, ((0, 0), (0, widest - g.n))) for g in problem.groups])
    bounds = np.concatenate([np.full(len(g.inputs), g.bound) for g in problem.groups])
    order = np.random.default_rng(seed).permutation(problem.count)
    return near[order], bounds[order]


def sample(problem: Problem, count: int, seed: int) -> Problem:
    """Return `count` constraints of `problem`, drawn at random; variables keep their numbers."""
    if count >= problem.count:
        return problem
    near, bounds = ungrouped(problem, seed)
    groups = tuple(group_by_shape(near[:count], bounds[:count]))
    return Problem(f"{count:,} of {problem.name}", problem.num_vars, groups)


def single(n: int, bound: int, count: int, kind: Kind = "exactly") -> Problem:
    """Return `count` constraints of one shape, each over variables of its own."""
    inputs = np.arange(1, count * n + 1, dtype=np.int32).reshape(count, n)
    return Problem(f"{kind} {bound:,} of {n:,}", count * n, (Group(inputs, kind, bound),))


def weighted(n: int, most: int, count: int, seed: int) -> Problem:
    """Return `count` sums of `n` random weights up to `most`, each at most half of its total."""
    draw = random.Random(seed)
    groups = []
    for first in range(1, count * n + 1, n):
        inputs = np.arange(first, first + n, dtype=np.int32).reshape(1, n)
        weights = tuple(draw.randint(1, most) for _ in range(n))
        groups.append(Group(inputs, "at most", sum(weights) // 2, weights))
    return Problem(f"half of {n} weights to {most:,}", count * n, tuple(groups))


@dataclass(frozen=True)
class Problems(Problem):
    """Problems of their own, each over the variables 1 .. num_vars; `groups` holds all groups."""

    parts: tuple[Problem, ...] = ()


def small(count: int, seed: int) -> Problems:
    """Return problems of twelve variables: three counts of drawn literals and a weighted sum."""
    draw = random.Random(seed)
    shapes: tuple[tuple[Kind, int, int], ...] = (
        *(("exactly", 1, 6), ("at most", 2, 6), ("at least", 2, 8)),
    )
    parts = []
    for _ in range(count):
        rows = [draw.sample(range(1, 13), n) for _, _, n in (*shapes, shapes[-1])]
        inputs = [np.array([row], dtype=np.int32) for row in rows]
        weights = tuple(draw.randint(1, 20) for _ in rows[-1])
        counts = [Group(at, kind, k) for at, (kind, k, _) in zip(inputs, shapes, strict=False)]
        total = Group(inputs[-1], "at most", sum(weights) // 2, weights)
        parts.append(Problem("small", 12, (*counts, total)))
    groups = tuple(group for part in parts for group in part.groups)
    return Problems(f"{count:,} small problems", 12, groups, tuple(parts))


STEPS: Final = ("build", "encode", "load", "solve")
"""The steps of solving small problems: constraints, clauses, a live solver, an answer."""

FORMS: Final = ("memory", "lists", "solver", "file")
"""Forms of clauses: in the library's own memory, as lists of Python ints, in a live solver, in a
DIMACS file."""

SOLVER: Final = "cadical195"
"""PySAT's solver that takes the clauses; pindakaas uses a CaDiCaL of its own instead."""

Lists = Sequence[Sequence[int]]


class Result(NamedTuple):
    """The output of a contender: auxiliary variables and clauses where known, and the clauses.

    `made`: the object that holds the clauses in the library's memory, and the clauses in the form
    that was wanted.
    """

    variables: int | None
    clauses: int | None
    made: tuple[object, Any]


Run = Callable[[], Result]


class Contender(NamedTuple):
    """An encoder of a library.

    `prepare(problem, form)` brings a problem into the form that the library takes, and returns the
    function that is timed: it encodes, and delivers the clauses in `form`.
    """

    side: str
    name: str
    prepare: Callable[[Problem, str], Run]

    @property
    def title(self) -> str:
        """The library and the name of the encoder."""
        return f"{self.side} {self.name}"


_folder: Final = tempfile.TemporaryDirectory(prefix="bench_encode_")
FILE: Final = Path(_folder.name) / "clauses.cnf"
"""The file that all runs of a process write to; its folder is removed at the end."""


def deliver(form: str, lists: Callable[[], Lists], num_vars: int) -> object:
    """Deliver the clauses of `lists` in `form`; return them, or the object that holds them.

    For the libraries whose clauses reach any other form as lists of Python ints.
    """
    if form == "memory":
        return None
    clauses = lists()
    if form == "solver":
        from pysat.solvers import Solver

        live = Solver(SOLVER)
        live.append_formula(clauses)
        return live
    if form == "file":
        text = "".join([f"{' '.join(map(str, clause))} 0\n" for clause in clauses])
        FILE.write_bytes(f"p cnf {num_vars} {len(clauses)}\n{text}".encode())
    return clauses


_SLOW: Final = 2_000_000_000
"""CPU nanoseconds of a first run above which no further run is made."""


def words(limits: Limits) -> str:
    """Return the limits in words, to follow "not within"."""
    return f"{limits.seconds:g} s / {(limits.memory or 0) / 2**30:g} GB"


def apart(work: Callable[[], Any]) -> Any:
    """Return the value of `work`, called in a child process.

    Sizes are predicted in a child, so that they fill no caches of this process, from which measured
    encoders would gain.
    """
    with Forked(lambda _: work(), Limits()) as child:
        found = child.ask(None)
    if isinstance(found, Ended):
        raise RuntimeError(str(found))
    return found


@dataclass
class Task:
    """The measurement of a contender on a problem, up to a form.

    Args:
        contender: the encoder.
        form: the form in which clauses are delivered.
        problem: the problem that is measured.
        warm: the problem that is encoded first, untimed.
        scale: factor of all figures in reports.
        spent: CPU nanoseconds of each run.
        variables: number of auxiliary variables; None if unknown.
        clauses: number of clauses; None if unknown.
        peak_kib: growth of the peak memory in KiB.
        failure: why there are no figures; None if there are.
    """

    contender: Contender
    form: str
    problem: Problem
    warm: Problem
    scale: float = 1.0
    spent: list[int] = field(default_factory=list)
    variables: int | None = None
    clauses: int | None = None
    peak_kib: int = 0
    failure: str | None = None

    @property
    def ms(self) -> float | None:
        """The median of the times in milliseconds, scaled; None without runs."""
        return median(self.spent) / 1e6 * self.scale if self.spent else None


def measure(tasks: Sequence[Sequence[Task]], repeats: int, limits: Limits, seed: int) -> None:
    """Run all tasks in turns, each turn in a new order, every run in a child of its own.

    `tasks` holds the tasks of each contender, one for each form. If the first form fails, the other
    forms are not tried.

    Each child starts from the memory of this process, so no run is affected by caches or garbage of
    another. A child first encodes the task's `warm` problem, and then the measured problem once,
    without garbage collection.
    """
    order = list(tasks)
    draw = random.Random(seed)
    for _ in range(repeats):
        draw.shuffle(order)
        for forms in order:
            for task in forms:
                task.failure = task.failure or forms[0].failure
                # A further run is made only if the first one ended, and was quick.
                if task.failure is None and not (task.spent and task.spent[0] > _SLOW):
                    _run(task, limits)


def _run(task: Task, limits: Limits) -> None:
    prepare = task.contender.prepare

    def work(_: object) -> tuple[int, int, int | None, int | None, int]:
        # CPU time of the thread is read, as the CPU time of a limited process is counted in whole
        # ticks. Encoding follows preparing at once: after a wait the processor's caches are cold.
        prepare(task.warm, task.form)()
        run = prepare(task.problem, task.form)
        gc.collect()
        gc.disable()
        base, start = peak_memory(), time.thread_time_ns()
        result = run()
        spent = time.thread_time_ns() - start
        return base, spent, result.variables, result.clauses, peak_memory()

    allowed = replace(limits, memory=memory_now() + (limits.memory or 0))
    with Forked(work, allowed) as child:
        ended = child.ask(None)
    if not isinstance(ended, Ended):
        base, spent, task.variables, task.clauses, peak = ended
        task.spent.append(spent)
        task.peak_kib = max(task.peak_kib, (peak - base) // 1024)
    elif ended.how in {"timeout", "memory"}:
        task.failure = f"not within {words(limits)}"
    else:
        task.failure = (ended.what or "")[:200] if ended.how == "error" else str(ended)
