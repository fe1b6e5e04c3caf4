"""Jobs run into a folder that holds each result from the moment it is there, resumed or not."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Generic, TypeVar

from satsweeper.compare.sweep.backends import Backend, Opening, run_jobs
from satsweeper.compare.sweep.journal import RESULTS, Journal, JournalError, locked, read_results
from satsweeper.compare.sweep.manifest import (
    MANIFEST,
    changed,
    check_same,
    read_manifest,
    resumed,
    write_manifest,
)
from satsweeper.compare.sweep.protocol import J, R, Records, SweepJob, Watch

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Swept(Generic[R, S]):
    """The results of all jobs done so far, in the order of the plan, and what stopped the rest."""

    results: list[R]
    stopped: S | None = None


def run_jobs_into(
    folder: Path,
    jobs: Sequence[J],
    content: dict[str, Any],
    records: Records[R],
    watch: Watch[R, S],
    opening: Opening[J, R],
    backend: Backend,
    *,
    resume: bool = False,
    reach: Callable[[float], None] = lambda done: None,
    unwanted: Callable[[J], bool] = lambda job: False,
) -> Swept[R, S]:
    """Do the jobs that a folder does not hold yet, by runners of any kind.

    Args:
        folder: made if need be; must be empty unless ``resume``.
        jobs: all of them, in the order of the plan.
        content: the folder's manifest, as from ``manifest``.
        records: how results lie there.
        watch: sees every result, and may end the sweep.
        opening: makes a runner in each worker.
        backend: where the jobs run.
        resume: go on with what is there, if anything; results of shards of this sweep, in folders
            inside, are taken over.
        reach: is told how many jobs are done.
        unwanted: whether a job that is about to begin need not be done any more.

    Raises:
        JournalError: the folder holds something else, or another run is writing there.
        BackendError: the jobs cannot run, or can no longer. What is done is written.
        Error: whatever a runner raised; likewise.
    """
    with locked(folder):
        done = _begin(folder, jobs, content, records, resume)
        with Journal[R](folder) as journal:
            for result in _of_shards(folder, content, jobs, records) if resume else ():
                if result.job.id not in done:
                    journal.append(result)
                    done[result.job.id] = result
            left = (job for job in jobs if job.id not in done and not unwanted(job))
            found = _do_rest(left, done, journal, watch, opening, backend, reach)
            if found is None:
                journal.finish(jobs, done.values())
    return Swept([done[job.id] for job in jobs if job.id in done], found)


def _do_rest(
    jobs: Iterator[J],
    done: dict[str, R],
    journal: Journal[R],
    watch: Watch[R, S],
    opening: Opening[J, R],
    backend: Backend,
    reach: Callable[[float], None],
) -> S | None:
    """Do what is not done; returns what stopped it, perhaps among what is done already."""
    found = next((why for each in done.values() if (why := watch.see(each)) is not None), None)
    reach(len(done))
    first = next(jobs, None) if found is None else None
    if first is None:
        return found
    with closing(run_jobs(opening, chain([first], jobs), backend)) as results:
        for result in results:
            journal.append(result)
            done[result.job.id] = result
            reach(len(done))
            found = watch.see(result)
            if found is not None:
                break
    return found


def _begin(
    folder: Path,
    jobs: Sequence[SweepJob],
    manifest: dict[str, Any],
    records: Records[R],
    resume: bool,
) -> dict[str, R]:
    """Write the manifest; the results of these jobs that are there already, by id."""
    held = sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
    if held and not resume:
        raise JournalError(
            f"{folder}: not empty (holds {held[0]}); another folder, or --resume to go on"
        )
    before = read_manifest(folder, records.schema)
    if before is None:
        if RESULTS in held:
            raise JournalError(f"{folder}: {RESULTS} without {MANIFEST}: nothing to go on with")
        write_manifest(folder, manifest)
        return {}
    check_same(folder, before, manifest, records.same)
    done = _among(jobs, read_results(folder / RESULTS, records.read))
    if len(done) < len(jobs) or changed(before, manifest):
        write_manifest(folder, resumed(before, manifest))
    return done


def _of_shards(
    folder: Path, manifest: dict[str, Any], jobs: Sequence[SweepJob], records: Records[R]
) -> Iterator[R]:
    for path in sorted(folder.glob(f"*/{RESULTS}")):
        content = read_manifest(path.parent, records.schema)
        if content is not None and content.get("digest") == manifest["digest"]:
            yield from _among(jobs, read_results(path, records.read)).values()


def _among(jobs: Sequence[SweepJob], results: Iterable[R]) -> dict[str, R]:
    wanted = {job.id for job in jobs}
    return {result.job.id: result for result in results if result.job.id in wanted}
