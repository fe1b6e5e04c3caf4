"""Checks before any job begins: names, combinations, and whether a difference can be shown."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

from pbcnf.constraints.constraint import Linear
from pbcnf.constraints.normal_form import sum_of
from pbcnf.constraints.order import LiteralOrder
from pbcnf.encoders.protocol import Encoder, WeightedEncoder
from pbcnf.wording import counted, unknown_name
from satsweeper.compare.instances.instance import Instance, InstanceKind
from satsweeper.compare.job.contestants import Encoders, contestant
from satsweeper.compare.job.job import Job, Task
from satsweeper.compare.job.question import question_of
from satsweeper.compare.statistics.contest import PARTS, contender_of, part_of
from satsweeper.compare.statistics.signed_rank import instances_needed
from satsweeper.compare.sweep.plan import Axes, jobs_of
from satsweeper.peers.user_encoder import faults_reported
from satsweeper.solvers.programs import EXTERNAL
from satsweeper.solvers.table import AUTO, SOLVERS, features

MOST_CLAUSES: Final = 20_000_000
"""A constraint that would have more clauses is refused before any job begins."""

Shape = tuple[tuple[int, ...], int, int]
"""Weights, lower and upper bound of a sum."""


def uses(instance: Instance, task: Task) -> tuple[bool, bool] | None:
    """Whether a task on an instance needs an encoding, and whether an encoding of the total.

    None if the instance does not have the task.

    Boards have ``classify`` and ``consistent``, and ``total`` if their total is known; problems
    and CNFs have ``solve``.
    """
    board = instance.kind is InstanceKind.BOARD
    if board is (task is Task.SOLVE):
        return None
    if not board:
        return instance.kind is InstanceKind.PROBLEM, False
    known = instance.position().mines is not None
    if task is Task.TOTAL:
        return (False, True) if known else None
    return True, known


UNREPEATABLE: Final = {
    "maplechrono": "its search differs from run to run even in one process, so that its conflicts"
    " could never be measured again"
}
"""Solver that cannot be compared -> reason, found by repeating searches of all solvers."""


def check_solver(name: str) -> None:
    """Raise ValueError, with known names, unless ``name`` is a solver that can be compared."""
    if name == AUTO:
        raise ValueError(
            f"solver {AUTO!r} is two: name one to compare (known: {', '.join(SOLVERS)},"
            f" {EXTERNAL}PROGRAM)"
        )
    features(name)
    if name in UNREPEATABLE:
        raise ValueError(f"solver {name!r} cannot be compared: {UNREPEATABLE[name]}")


def check_task(name: str) -> Task:
    """Return the task called ``name``; raise ValueError, with known names, for an unknown name."""
    known = [task.value for task in Task]
    if name not in known:
        raise ValueError(unknown_name("task", name, known))
    return Task(name)


def check_choice(job: Job, encoders: Encoders | None = None) -> None:
    """Check the names in a job, and their combination, without the instance.

    Raises:
        ValueError: one line: an unknown encoder or solver, with the known names; a solver that
            cannot do the task, or lacks native cardinality constraints for ``native``.
    """
    check_solver(job.solver)
    for name in {job.encoding, job.total_encoding} - {""}:
        if contestant(name, encoders) is None and not features(job.solver).native:
            able = ", ".join(solver for solver, row in SOLVERS.items() if row.native)
            raise ValueError(
                f"solver {job.solver!r} has no native cardinality constraints; these have: {able}"
            )
    if job.task is Task.CLASSIFY and job.solver.startswith(EXTERNAL):
        raise ValueError(
            f"{job.solver} answers one question a process: it can do consistent, total and solve,"
            " not classify"
        )


def check_jobs(
    jobs: Iterable[Job], instances: Iterable[Instance], encoders: Encoders | None = None
) -> None:
    """Check all jobs of a sweep before any of them begins: ``check_choice``, and every bound.

    Raises:
        ValueError: as ``check_choice``; or an encoder cannot express a bound of an instance, would
            need more than twenty million clauses for one, or the instance has no such task.
    """
    found = {instance.digest: instance for instance in instances}
    asked: dict[tuple[str, Task], dict[tuple[str, str], None]] = {}
    names: set[Job] = set()
    for job in jobs:
        choice = replace(job, instance="", name="", order=LiteralOrder.GIVEN, seed=0)
        if choice not in names:
            names.add(choice)
            check_choice(job, encoders)
        pairs = asked.setdefault((job.instance, job.task), {})
        pairs[job.encoding, job.total_encoding] = None
    checked: dict[str, set[Shape]] = {}
    for (digest, task), pairs in asked.items():
        instance = found[digest]
        question = question_of(instance, task)
        clues = _shapes_of(question.constraints)
        total = _shapes_of([] if question.total is None else [question.total])
        for encoding, total_encoding in pairs:
            for name, shapes in ((encoding, clues), (total_encoding, total)):
                if not name:
                    continue
                known = checked.setdefault(name, set())
                try:
                    _require_expressible(shapes - known, contestant(name, encoders), name)
                except ValueError as error:
                    raise ValueError(f"{instance.name}: {error}") from None
                known |= shapes


def _shapes_of(constraints: Iterable[Linear]) -> set[Shape]:
    """Return the shapes of sums that encoders must encode for ``constraints``.

    Constraints that always hold, never hold or are a clause are left out, as no encoder gets them.
    """
    found = set()
    for constraint in constraints:
        form = sum_of(constraint)
        if form is not None and form.lits and form.clause() is None:
            found.add((form.weights, form.lower, form.upper))
    return found


def _require_expressible(shapes: Iterable[Shape], encoder: Encoder | None, name: str) -> None:
    """Check that an encoder, or native constraints (None), can express all ``shapes``.

    Raises:
        ValueError: the encoder cannot express a shape, or needs more than twenty million clauses.
        EncoderFaultError: a user's encoder fails.
    """
    for weights, lower, upper in sorted(shapes):
        what = f"{lower} <= sum of {counted(len(weights), 'literal')} <= {upper}"
        if max(weights) > 1:
            what = f"a sum with weights up to {max(weights)}"
        clauses = 0
        try:
            with faults_reported(name, lower, upper, len(weights)):
                if max(weights) == 1:
                    if encoder is not None:
                        clauses = encoder.size(len(weights), lower, upper).clauses
                elif isinstance(encoder, WeightedEncoder):
                    clauses = encoder.weighted_size(weights, lower, upper).clauses
                else:
                    raise ValueError("it takes weights 1 only")
        except ValueError as error:
            raise ValueError(f"encoder {name!r} cannot express {what}: {error}") from None
        if clauses > MOST_CLAUSES:
            raise ValueError(
                f"encoder {name!r} needs {clauses:,} clauses for {what}: the limit is"
                f" {MOST_CLAUSES:,}"
            )


USUAL: Final = ("direct", "totalizer", "generalized_totalizer", "adder")
"""Candidates if no encoding is named: the first two that express all constraints are compared."""


def usual_encodings(
    instances: Sequence[Instance], axes: Axes
) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the first two of ``USUAL`` that can be compared, and the faults of earlier names.

    Raises:
        ValueError: fewer than two can express all constraints of ``instances``, or another value in
            ``axes`` is wrong.
    """
    found: list[str] = []
    left_out: dict[str, str] = {}
    for name in USUAL:
        try:
            check_jobs(jobs_of(instances, replace(axes, encodings=(name,)), uses), instances)
            found.append(name)
        except ValueError as error:
            left_out[name] = str(error)
        if len(found) == 2:
            return tuple(found), left_out
    raise ValueError(next(iter(left_out.values())))


# Whether a sweep can show any difference: known before it runs, from its jobs alone.


@dataclass(frozen=True, slots=True)
class Planned:
    """The comparisons of one contest to come.

    ``comparisons`` counts the comparisons of all parts of the task, over which p-values are
    corrected: an upper bound, as measures without any difference are not tested. ``needed``: the
    least number of instances with which one of ``comparisons`` can show a difference.
    """

    task: str
    part: str
    contenders: int
    instances: int
    comparisons: int
    needed: int

    @property
    def enough(self) -> bool:
        """Whether there are as many instances as needed, or nothing is compared."""
        return not self.comparisons or self.instances >= self.needed

    def __str__(self) -> str:
        """Return a line for the user."""
        title = f"{self.task}, {self.part}" if self.part else self.task
        of = f"{counted(self.comparisons, 'comparison')} of {counted(self.contenders, 'contender')}"
        need = "needs" if self.comparisons == 1 else "need"
        there = f"{self.instances} {'is' if self.instances == 1 else 'are'} there"
        return f"task {title}: up to {of} {need} {self.needed} instances; {there}"


def planned(jobs: Sequence[Job], budget: bool) -> list[Planned]:
    """The contests of a sweep, by task; ``budget``: whether budgets are measured as well."""
    tasks: dict[str, dict[tuple[bool, bool], list[Job]]] = {}
    for job in jobs:
        tasks.setdefault(str(job.task), {}).setdefault(part_of(job), []).append(job)
    found = []
    for task, parts in tasks.items():
        contenders = {key: set(map(contender_of, own)) for key, own in parts.items()}
        count = sum(
            _measures(key, first.solver, second.solver, budget)
            for key, each in contenders.items()
            for first, second in combinations(each, 2)
        )
        for key in sorted(parts):
            part = PARTS[key] if len(parts) > 1 else ""
            several, instances = len(contenders[key]), {job.instance for job in parts[key]}
            asked = count if several > 1 else 0
            found.append(
                Planned(task, part, several, len(instances), asked, instances_needed(count))
            )
    return found


def _measures(key: tuple[bool, bool], first: str, second: str, budget: bool) -> int:
    """The number of measures that both solvers take, in which two contenders can differ."""
    solvers = {first, second}
    # Time and its parts (encoding takes no time if there is nothing to encode), two counts, budget.
    times = 2 if key == (True, True) else 3
    counts = 0 if any(solver.startswith(EXTERNAL) for solver in solvers) else 2
    return times + counts + (budget and all(features(solver).budget for solver in solvers))
