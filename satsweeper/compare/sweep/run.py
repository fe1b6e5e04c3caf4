"""A sweep: every job of a plan done once, written down as it ends; stopped by a wrong answer."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from pbcnf.formats.writing import replacing
from satsweeper.board.size import FORM
from satsweeper.compare.instances.instance import Instance
from satsweeper.compare.job.contestants import Encoders
from satsweeper.compare.job.job import Job
from satsweeper.compare.job.result import Result
from satsweeper.compare.sweep.answerable import Planned, planned
from satsweeper.compare.sweep.backends import Backend
from satsweeper.compare.sweep.choices import check_jobs, uses
from satsweeper.compare.sweep.killable import Killable
from satsweeper.compare.sweep.manifest import manifest, read_manifest, write_manifest
from satsweeper.compare.sweep.plan import RECORDS, Axes, block_of, digest_of, jobs_of, shard_of
from satsweeper.compare.sweep.resumable import ResumableSweep
from satsweeper.compare.wrong_answers.culprit import Witness, witness_of
from satsweeper.compare.wrong_answers.disagreement import Disagreement, Watch
from satsweeper.compare.wrong_answers.encoder_check import faulty, lines
from satsweeper.compare.wrong_answers.shrink import moved, shrink
from satsweeper.processes.limits import Limits

WITNESS: Final = "witness.txt"

_PATIENCE: Final = 5.0
"""CPU seconds for a job on an instance that is being shrunk: a smaller one is easier to read."""

Shard = tuple[int, int]
"""The number of a shard of a sweep, from 1 on, and the number of shards."""


@dataclass(frozen=True, slots=True)
class Compared:
    """The outcome of a sweep: the results of all jobs done, in the order of the plan.

    ``disagreement`` is what stopped it, if anything did, and ``witness`` what that was shrunk to.
    ``faults``: what an audit finds wrong with encoders that are not ours, although no job shows it.
    """

    results: list[Result]
    disagreement: Disagreement | None = None
    witness: Witness | None = None
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Prepared:
    """A sweep that was checked and can be run: its jobs, and all that a result depends on.

    ``digest`` and ``planned`` are of the whole sweep, also where ``jobs`` are those of a shard.
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

    ``results.jsonl`` has a line a job (``Result.as_json``), appended as jobs end, in the order of
    the plan once all are done; ``manifest.json`` says what was run where. Two different answers to
    one question, or a model that breaks the instance, end the sweep; then ``witness.txt`` is
    written.

    Args:
        instances: as from ``load_instances``.
        axes: what is compared. Its encodings are names of ``contestants.contestant``.
        folder: made if need be; must be empty unless ``resume``.
        encoders: encoders of your own, by the names that ``axes`` gives them, in modules that
            other processes can import.
        limits: of every job; none unless given.
        budget: also find the least budget of conflicts, which takes more runs.
        backend: where the jobs run; one process here unless given.
        resume: go on with what is there, if anything; results of shards of this sweep, in folders
            inside, are taken over.

    Raises:
        ValueError: as ``prepare``, before anything is written.
        JournalError: the folder holds something else, or another run is writing there.
        BackendError: the jobs cannot run, or can no longer. What is done is written.
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

    ``arguments`` are those of the command that does the same, for the manifest; ``reach`` is told
    how many jobs are done.
    """
    encoders = prepared.encoders
    content = manifest_of(prepared, arguments)
    needed = {job.instance for job in prepared.jobs}
    own = [instance for instance in prepared.instances if instance.digest in needed]
    opening = partial(Killable, own, prepared.limits, encoders, budget=prepared.budget)
    jobs = ResumableSweep(
        prepared.jobs, content, RECORDS, Watch().see, opening, backend, reach=reach
    )
    swept = jobs.run(folder, resume=resume)
    if swept.stopped is None:
        found = faulty(_well(swept.results), encoders)
        _note_faults(folder, found)
        return Compared(swept.results, faults=tuple(lines(found)))
    witness = _witness(swept.stopped, prepared)
    with replacing(folder / WITNESS) as stream:
        stream.write(witness.text().encode())
    return Compared(swept.results, swept.stopped, witness)


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
        limits={
            "timeout": limits.seconds,
            "memory": limits.memory,
            "budget": prepared.budget,
        },
        seeds=list(range(axes.seeds)),
        comparisons=[asdict(each) for each in prepared.planned],
        instances=[
            {"name": i.name, "digest": i.digest, "kind": i.kind, "family": i.family}
            for i in prepared.instances
        ],
    )


def _note_faults(folder: Path, found: dict[str, str]) -> None:
    """Note the findings of the audit in the manifest, for reports."""
    content = read_manifest(folder, RECORDS.schema) or {}
    if content.get("faults", {}) != found:
        write_manifest(folder, {**content, "faults": found})


def _well(results: Sequence[Result]) -> list[str]:
    """The encodings of which every job has an answer: the others speak for themselves."""
    used: dict[str, bool] = {}
    for result in results:
        for name in (result.job.encoding, result.job.total_encoding):
            used[name] = used.get(name, True) and result.status.solved
    return [name for name, well in used.items() if well]


def _witness(found: Disagreement, prepared: Prepared) -> Witness:
    limits, encoders = prepared.limits, prepared.encoders
    instance = next(i for i in prepared.instances if i.digest == found.first.job.instance)
    seconds = min(limits.seconds or _PATIENCE, _PATIENCE)
    with Killable((), replace(limits, seconds=seconds), encoders) as runner:
        small = shrink(found, instance, runner.run_on)
        results = [runner.run_on(moved(job, small), small) for job in found.jobs]
    return witness_of(small, results, encoders)
