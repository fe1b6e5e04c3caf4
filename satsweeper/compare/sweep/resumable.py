"""Jobs run into a folder that holds each result from the moment it is there, resumed or not."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Generic, TypeVar

from satsweeper.compare.sweep.backends import Backend, Opening, run_jobs
from satsweeper.compare.sweep.journal import (
    MANIFEST,
    RESULTS,
    J,
    Journal,
    JournalError,
    R,
    Records,
    SweepJob,
    changed,
    check_same,
    locked,
    read_manifest,
    read_results,
    resumed,
    write_manifest,
)

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Swept(Generic[R, S]):
    """The results of all jobs done so far, in the order of the plan, and what stopped the rest."""

    results: list[R]
    stopped: S | None = None


@dataclass(frozen=True, slots=True)
class ResumableSweep(Generic[J, R, S]):
    """Jobs and the means to do them, into a folder that keeps each result as soon as it is known.

    ``jobs`` are all jobs, in the order of the plan; ``manifest`` is the folder's, as from
    ``manifest``, and ``records`` its format. ``see`` gets every result, results of earlier runs
    included, in any order: a value other than None ends the sweep. ``opening`` makes a runner in
    each worker of ``backend``. A job that is about to begin is left out if ``unwanted`` holds;
    ``reach`` is called with the number of jobs done.
    """

    jobs: Sequence[J]
    manifest: dict[str, Any]
    records: Records[R]
    see: Callable[[R], S | None]
    opening: Opening[J, R]
    backend: Backend
    unwanted: Callable[[J], bool] = lambda job: False
    reach: Callable[[float], None] = lambda done: None

    def run(self, folder: Path, *, resume: bool = False) -> Swept[R, S]:
        """Do the jobs whose results ``folder`` does not hold yet.

        Args:
            folder: made if need be; must be empty unless ``resume``.
            resume: go on with the results in ``folder``, if any; results of shards of this sweep,
                in folders inside, are taken over.

        Raises:
            JournalError: ``folder`` holds something else, or another run is writing there.
            BackendError: the jobs cannot run, or can no longer; results so far are written.
            Error: whatever a runner raised; likewise.
        """
        with locked(folder):
            done = _begin(folder, self.jobs, self.manifest, self.records, resume)
            with Journal[R](folder) as journal:
                if resume:
                    for result in _of_shards(folder, self.manifest, self.jobs, self.records):
                        if result.job.id not in done:
                            journal.append(result)
                            done[result.job.id] = result
                stopped = self._do_rest(done, journal)
                if stopped is None:
                    journal.finish(self.jobs, done.values())
        return Swept([done[job.id] for job in self.jobs if job.id in done], stopped)

    def _do_rest(self, done: dict[str, R], journal: Journal[R]) -> S | None:
        """Do the jobs that are not in ``done``; return the value of ``see`` that ended it."""
        seen = map(self.see, list(done.values()))
        stopped = next((value for value in seen if value is not None), None)
        self.reach(len(done))
        left = (job for job in self.jobs if job.id not in done and not self.unwanted(job))
        first = next(left, None) if stopped is None else None
        if first is None:
            return stopped
        with closing(run_jobs(self.opening, chain([first], left), self.backend)) as results:
            for result in results:
                journal.append(result)
                done[result.job.id] = result
                self.reach(len(done))
                stopped = self.see(result)
                if stopped is not None:
                    break
        return stopped


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
