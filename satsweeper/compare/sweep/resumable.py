"""Jobs run into a folder that holds each result as soon as its job ends; runs can be resumed."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from satsweeper.compare.sweep.backends import Backend, Opening, run_jobs
from satsweeper.compare.sweep.journal import (
    MANIFEST,
    RESULTS,
    Journal,
    JournalError,
    Records,
    changed,
    check_code,
    check_same,
    locked,
    read_manifest,
    read_results,
    resumed,
    write_manifest,
)


@dataclass(frozen=True, slots=True)
class ResumableSweep:
    """Jobs and the means to do them, into a folder that keeps each result as soon as it is known.

    ``jobs`` are all jobs, in the order of the plan; ``manifest`` is the manifest of the folder, as
    ``journal.manifest`` returns it, and ``records`` the format of the folder. ``see`` gets every
    result, results of earlier runs included, in any order: a value other than None ends the sweep.
    ``opening`` makes a runner in each worker of ``backend``. A job that is about to begin is left
    out if ``unwanted`` holds; ``reach`` is called with the number of jobs done.
    """

    jobs: Sequence[Any]
    manifest: dict[str, Any]
    records: Records[Any]
    see: Callable[[Any], Any]
    opening: Opening
    backend: Backend
    unwanted: Callable[[Any], bool] = lambda job: False
    reach: Callable[[float], None] = lambda done: None

    def run(self, folder: Path, *, resume: bool = False) -> tuple[list[Any], Any]:
        """Do the jobs whose results ``folder`` does not hold yet.

        Returns the results of all jobs done so far, in the order of the plan, and the value of
        ``see`` that stopped the rest, or None.

        Args:
            folder: created if missing; must be empty unless ``resume``.
            resume: go on with the results in ``folder``, if any; results of shards of this sweep,
                in folders inside, are taken over.

        Raises:
            JournalError: ``folder`` holds something else, results by other code, or another run is
                writing there.
            BackendError: the jobs cannot run, or can no longer; results so far are written.
            Error: raised by a runner; results so far are written.
        """
        with locked(folder):
            done = self._begin(folder, resume)
            with Journal(folder) as journal:
                for path in sorted(folder.glob(f"*/{RESULTS}")) if resume else ():
                    # A shard of this sweep; folders of other sweeps are left alone.
                    content = read_manifest(path.parent, self.records.schema)
                    if content is not None and content.get("digest") == self.manifest["digest"]:
                        check_code(path.parent, content, self.manifest, self.records.same)
                        for name, result in self._results_in(path).items():
                            if name not in done:
                                journal.append(result)
                                done[name] = result
                stopped = self._do_rest(done, journal)
                results = [done[job.id] for job in self.jobs if job.id in done]
                if stopped is None:
                    journal.finish(results)
        return results, stopped

    def _begin(self, folder: Path, resume: bool) -> dict[str, Any]:
        """Write the manifest; return the results that ``folder`` holds already, by id of job."""
        held = sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
        if held and not resume:
            raise JournalError(
                f"{folder}: not empty (holds {held[0]}); another folder, or --resume to go on"
            )
        before = read_manifest(folder, self.records.schema)
        if before is None:
            if RESULTS in held:
                raise JournalError(f"{folder}: {RESULTS} without {MANIFEST}: nothing to go on with")
            write_manifest(folder, self.manifest)
            return {}
        check_same(folder, before, self.manifest, self.records.same)
        done = self._results_in(folder / RESULTS)
        if len(done) < len(self.jobs) or changed(before, self.manifest):
            write_manifest(folder, resumed(before, self.manifest))
        return done

    def _results_in(self, path: Path) -> dict[str, Any]:
        """Return the results in a file that are of jobs of this sweep, by id."""
        wanted = {job.id for job in self.jobs}
        results = read_results(path, self.records.read)
        return {result.job.id: result for result in results if result.job.id in wanted}

    def _do_rest(self, done: dict[str, Any], journal: Journal) -> Any:
        """Do the jobs that are not in ``done``; return the value of ``see`` that stopped them."""
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
