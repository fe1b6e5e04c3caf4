"""Checks of names and combinations of contenders before any job begins."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from pbcnf.constraints.constraint import Linear
from pbcnf.constraints.normal_form import sum_of
from pbcnf.encoders.protocol import Encoder, WeightedEncoder
from pbcnf.formula import EncodingSize
from pbcnf.wording import counted, unknown_name
from satsweeper.compare.instances.instance import Instance, InstanceKind
from satsweeper.compare.job.contestants import Encoders, contestant
from satsweeper.compare.job.job import Job, LiteralOrder, Task
from satsweeper.compare.job.question import question_of
from satsweeper.compare.sweep.plan import Axes, jobs_of
from satsweeper.peers.user_encoder import faults_reported
from satsweeper.solvers.programs import EXTERNAL
from satsweeper.solvers.table import AUTO, SOLVERS, features

MOST_CLAUSES: Final = 20_000_000
"""A constraint that would have more clauses is refused before any job begins."""

Shape = tuple[tuple[int, ...], int, int]
"""Weights, lower and upper bound of a sum."""


def uses(instance: Instance, task: Task) -> tuple[bool, bool] | None:
    """Whether a task on an instance has a use for an encoding, and for one of the total.

    None if the instance has no such task.

    Boards have ``classify`` and ``consistent``, and ``total`` if their total is known; problems
    and CNFs have ``solve``.
    """
    if instance.kind is not InstanceKind.BOARD:
        return (instance.kind is InstanceKind.PROBLEM, False) if task is Task.SOLVE else None
    known = instance.position().mines is not None
    if task is Task.TOTAL:
        return (False, True) if known else None
    if task is Task.SOLVE:
        return None
    return True, known


UNREPEATABLE: Final = {
    "maplechrono": "its search differs from run to run even in one process, so that its conflicts"
    " could never be measured again",
}
"""Solvers that cannot be compared, and why. Found by repeating searches of all of them."""


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
    """Check the names in a job, and what needs no look at the instance.

    Raises:
        ValueError: one line: an unknown encoder or solver, with what exists; a solver that cannot
            do the task, or has no native cardinality constraints where ``native`` is wanted.
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

    Neither those that always or never hold nor those that are a clause: so every encoder gets the
    same questions.
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
        ValueError: it cannot express one, or needs more than twenty million clauses for one.
        EncoderFaultError: it is somebody's own, and fails.
    """
    for weights, lower, upper in sorted(shapes):
        what = f"{lower} <= sum of {counted(len(weights), 'literal')} <= {upper}"
        if max(weights) > 1:
            what = f"a sum with weights up to {max(weights)}"
        try:
            with faults_reported(name, lower, upper, len(weights)):
                clauses = _size(encoder, weights, lower, upper).clauses
        except ValueError as error:
            raise ValueError(f"encoder {name!r} cannot express {what}: {error}") from None
        if clauses > MOST_CLAUSES:
            raise ValueError(
                f"encoder {name!r} needs {clauses:,} clauses for {what}: the limit is"
                f" {MOST_CLAUSES:,}"
            )


def _size(
    encoder: Encoder | None, weights: tuple[int, ...], lower: int, upper: int
) -> EncodingSize:
    if max(weights) == 1:
        if encoder is None:
            return EncodingSize(0, 0, 0)
        return encoder.size(len(weights), lower, upper)
    if isinstance(encoder, WeightedEncoder):
        return encoder.weighted_size(weights, lower, upper)
    raise ValueError("it takes weights 1 only")


USUAL: Final = ("direct", "totalizer", "generalized_totalizer", "adder")
"""Encodings that are compared where none is named: the first two that can express everything."""


def usual_encodings(
    instances: Sequence[Instance], axes: Axes
) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the first two of ``USUAL`` that can be compared, and why those before them cannot.

    Raises:
        ValueError: fewer than two can express all that ``instances`` ask for, or what else ``axes``
            name is wrong.
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
