"""A sweep: every job of a plan run once and recorded when it ends; stopped by a wrong answer."""

import pickle
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, Self

from pbcnf.constraints.order import LiteralOrder
from pbcnf.encoders.protocol import Encoder
from pbcnf.formats.writing import replacing
from satsweeper.board.size import FORM
from satsweeper.compare.instances.instance import Instance
from satsweeper.compare.job.contestants import Encoders
from satsweeper.compare.job.job import Job, JobStatus, Measured, Result, Task
from satsweeper.compare.job.measure import measure
from satsweeper.compare.sweep.backends import Backend
from satsweeper.compare.sweep.choices import Planned, check_jobs, planned, uses
from satsweeper.compare.sweep.journal import manifest, read_manifest, write_manifest
from satsweeper.compare.sweep.plan import RECORDS, Axes, block_of, digest_of, jobs_of, shard_of
from satsweeper.compare.sweep.resumable import ResumableSweep
from satsweeper.compare.wrong_answers.disagreement import (
    Disagreement,
    Watch,
    Witness,
    faulty,
    lines,
    witness_of,
)
from satsweeper.compare.wrong_answers.shrink import moved, shrink
from satsweeper.position import Position
from satsweeper.processes.forked import ForkServer, Last, Work
from satsweeper.processes.limits import Ended, Limits
from satsweeper.solvers.programs import EXTERNAL

# Jobs of a sweep in a forked child of a worker, each within limits.


class Killable:
    """Runs jobs of a sweep one after the other, each within limits; a context manager.

    ``run`` raises no exception of a job. A job beyond its time has the status ``timeout``,
    beyond its memory ``memory``, and ``crash`` with the name of the signal if its process ended.
    The CPU time of the whole job is then in ``measured.solve``.

    Args:
        instances: the instances that jobs name.
        limits: of each job.
        encoders: the caller's encoders, by name, or the bytes of their pickle. They are pickled
            here: the other process must be able to import the modules of their classes.
        budget: as in ``measure``.

    Raises:
        TypeError, pickle.PicklingError: encoders that cannot be pickled.
    """

    def __init__(
        self,
        instances: Iterable[Instance],
        limits: Limits | None = None,
        encoders: Mapping[str, Encoder] | bytes | None = None,
        *,
        budget: bool = False,
    ) -> None:
        self._instances = {instance.digest: instance for instance in instances}
        if not isinstance(encoders, bytes):
            encoders = pickle.dumps(dict(encoders or {}))
        self._server = ForkServer(partial(_open, encoders, budget), limits or Limits())

    def run(self, job: Job) -> Result:
        """Return the result of ``job``, whatever ended it."""
        instance = self._instances.get(job.instance)
        if instance is None:
            return _result(job, Ended("error", f"no instance {job.instance[:16]}"))
        return self.run_on(job, instance)

    def run_on(self, job: Job, instance: Instance) -> Result:
        """Return the result of ``job`` on ``instance``, whatever ended it."""
        answer = self._server.ask((job, instance), external=job.solver.startswith(EXTERNAL))
        return _result(job, answer) if isinstance(answer, Ended) else answer

    def close(self) -> None:
        """End the worker, even during a job; the next job starts a new worker."""
        self._server.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _result(job: Job, ended: Ended) -> Result:
    measured = Measured(0.0, ended.seconds, ended.memory)
    return Result(job, JobStatus(ended.how), measured, message=ended.what)


def _open(encoders: bytes, budget: bool) -> Work:
    """Load all modules of jobs in the server, by a small job; return the function for jobs."""
    try:
        own = pickle.loads(encoders) or None
    except Exception as error:
        raise ValueError(f"the encoders cannot be loaded: {error}") from None
    instance = Instance.of_board(Position.parse("1 3 1\n?1?"), "")
    names = ("direct", "totalizer", "minisat22")
    measure(Job(instance.digest, "", Task.CLASSIFY, *names, LiteralOrder.RANDOM, 1), instance)

    def work(asked: tuple[Job, Instance]) -> Result | Last:
        result = measure(*asked, own, budget=budget)
        # After an allocation has failed, little memory is left for the next job.
        return Last(result) if result.status is JobStatus.MEMORY else result

    return work


WITNESS: Final = "witness.txt"

_PATIENCE: Final = 5.0
"""CPU seconds for a job while an instance is shrunk."""

Shard = tuple[int, int]
"""The number of a shard of a sweep, from 1 on, and the number of shards."""


@dataclass(frozen=True, slots=True)
class Compared:
    """The outcome of a sweep: the results of all jobs done, in the order of the plan.

    ``disagreement``: the wrong answers that stopped the sweep, or None. ``witness``: the instance
    to which the disagreement was shrunk. ``faults``: faults of users' and libraries' encoders that
    an audit found and no job showed, a line each.
    """

    results: list[Result]
    disagreement: Disagreement | None = None
    witness: Witness | None = None
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Prepared:
    """A sweep that was checked and can be run: its jobs, and everything that a result depends on.

    ``digest`` and ``planned`` are of the whole sweep, even if ``jobs`` are the jobs of a shard.
    """

    instances: tuple[Instance, ...]
    axes: Axes
    encoders: Encoders | None
    limits: Limits
    budget: bool
    shard: Shard | None
    jobs: tuple[Job, ...]
    digest: str
    planned: tuple[Planned, ...]


def prepare(
    instances: Sequence[Instance],
    axes: Axes,
    *,
    encoders: Encoders | None = None,
    limits: Limits | None = None,
    budget: bool = False,
    shard: Shard | None = None,
) -> Prepared:
    """Plan a sweep, and check every name and bound; arguments are as for ``sweep``.

    Raises:
        ValueError: one line: an unknown name, an encoder that cannot express what an instance
            asks for, an instance that has none of the tasks, no such shard.
    """
    jobs = jobs_of(instances, axes, uses)
    served = {job.instance for job in jobs}
    for instance in instances:
        if instance.digest not in served:
            asked = ", ".join(axes.tasks)
            raise ValueError(f"{instance.name}: a {instance.kind} without a task among {asked}")
    check_jobs(jobs, instances, encoders)
    limits = limits or Limits()
    digest = digest_of(jobs, limits, budget)
    part = tuple(jobs if shard is None else shard_of(jobs, *shard, block_of))
    contests = tuple(planned(jobs, budget))
    return Prepared(tuple(instances), axes, encoders, limits, budget, shard, part, digest, contests)


def sweep(
    instances: Sequence[Instance],
    axes: Axes,
    folder: Path,
    *,
    encoders: Encoders | None = None,
    limits: Limits | None = None,
    budget: bool = False,
    backend: Backend | None = None,
    resume: bool = False,
) -> Compared:
    """Measure every contender on every instance, and write the results to a folder.

    ``results.jsonl`` has a line for each job (``Result.as_json``), appended as jobs end, and in the
    order of the plan once all jobs are done; ``manifest.json`` has versions, machine and axes. Two
    different answers to one question, or a model that violates the instance, end the sweep; then
    ``witness.txt`` is written.

    Args:
        instances: as from ``load_instances``.
        axes: the axes of the comparison. Encodings are names as for ``contestants.contestant``.
        folder: created if missing; must be empty unless ``resume``.
        encoders: encoders of your own, by the names that ``axes`` gives them, in modules that
            other processes can import.
        limits: of every job; none unless given.
        budget: also find the least budget of conflicts, which takes more runs.
        backend: where the jobs run; one process here unless given.
        resume: go on with the results in ``folder``, if any; results of shards of this sweep, in
            folders inside, are taken over.

    Raises:
        ValueError: as ``prepare``, before anything is written.
        JournalError: the folder holds something else, or another run is writing there.
        BackendError: the jobs cannot run, or can no longer; results so far are written.
    """
    prepared = prepare(instances, axes, encoders=encoders, limits=limits, budget=budget)
    return run_prepared(prepared, folder, backend or Backend(), resume=resume)


def run_prepared(
    prepared: Prepared,
    folder: Path,
    backend: Backend,
    *,
    resume: bool = False,
    arguments: Sequence[str] = (),
    reach: Callable[[float], None] = lambda done: None,
) -> Compared:
    """``sweep`` from where it was prepared.

    ``arguments``: the arguments of the equivalent command, for the manifest. ``reach`` is called
    with the number of jobs done.
    """
    encoders = prepared.encoders
    content = manifest_of(prepared, arguments)
    needed = {job.instance for job in prepared.jobs}
    own = [instance for instance in prepared.instances if instance.digest in needed]
    opening = partial(Killable, own, prepared.limits, encoders, budget=prepared.budget)
    see = Watch().see
    jobs = ResumableSweep(prepared.jobs, content, RECORDS, see, opening, backend, reach=reach)
    results, stopped = jobs.run(folder, resume=resume)
    if stopped is None:
        # Only encodings with an answer in every job are audited: failures of others are recorded.
        well: dict[str, bool] = {}
        for result in results:
            for name in (result.job.encoding, result.job.total_encoding):
                well[name] = well.get(name, True) and result.status.solved
        found = faulty([name for name, all_solved in well.items() if all_solved], encoders)
        # The manifest holds the findings of the audit, for reports.
        content = read_manifest(folder, RECORDS.schema) or {}
        if content.get("faults", {}) != found:
            write_manifest(folder, {**content, "faults": found})
        return Compared(results, faults=tuple(lines(found)))
    instance = next(i for i in prepared.instances if i.digest == stopped.first.job.instance)
    seconds = min(prepared.limits.seconds or _PATIENCE, _PATIENCE)
    with Killable((), replace(prepared.limits, seconds=seconds), encoders) as runner:
        small = shrink(stopped, instance, runner.run_on)
        again = [runner.run_on(moved(job, small), small) for job in stopped.jobs]
    witness = witness_of(small, again, encoders)
    with replacing(folder / WITNESS) as stream:
        stream.write(witness.text().encode())
    return Compared(results, stopped, witness)


def manifest_of(prepared: Prepared, arguments: Sequence[str]) -> dict[str, Any]:
    """The manifest of a sweep that starts now; ``arguments`` as in ``run_prepared``."""
    limits, axes = prepared.limits, prepared.axes
    return manifest(
        RECORDS.schema,
        arguments=arguments,
        jobs=len(prepared.jobs),
        digest=prepared.digest,
        shard=prepared.shard,
        sizes=FORM,
        axes=asdict(axes),
        limits={"timeout": limits.seconds, "memory": limits.memory, "budget": prepared.budget},
        seeds=list(range(axes.seeds)),
        comparisons=[asdict(each) for each in prepared.planned],
        instances=[
            {"name": i.name, "digest": i.digest, "kind": i.kind, "family": i.family}
            for i in prepared.instances
        ],
    )
