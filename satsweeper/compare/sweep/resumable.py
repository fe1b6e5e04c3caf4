"""Jobs run into a folder that holds each result from the moment it is there, resumed or not."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from satsweeper.compare.job.job import Job
from satsweeper.compare.job.result import Result
from satsweeper.compare.sweep.backends import Backend, Opening, run_jobs
from satsweeper.compare.sweep.journal import RESULTS, Journal, JournalError, locked, read_results
from satsweeper.compare.sweep.manifest import (
    MANIFEST,
    check_same,
    read_manifest,
    resumed,
    write_manifest,
)
from satsweeper.compare.wrong_answers.disagreement import Disagreement, Watch


@dataclass(frozen=True, slots=True)
class Swept:
    """The results of all jobs done so far, in the order of the plan, and what stopped the rest."""

    results: list[Result]
    disagreement: Disagreement | None = None


def run_jobs_into(
    folder: Path,
    jobs: Sequence[Job],
    content: dict[str, Any],
    opening: Opening,
    backend: Backend,
    *,
    resume: bool = False,
    reach: Callable[[float], None] = lambda done: None,
) -> Swept:
    """Do the jobs that a folder does not hold yet, by runners of any kind, without shrinking.

    ``content`` is the folder's manifest. Raises as ``sweep`` does.
    """
    with locked(folder):
        done = _begin(folder, jobs, content, resume)
        with Journal(folder) as journal:
            for result in _of_shards(folder, content["digest"], jobs) if resume else ():
                if result.job.id not in done:
                    journal.append(result)
                    done[result.job.id] = result
            found = _do_rest(jobs, done, journal, opening, backend, reach)
            if found is None:
                journal.finish(jobs, done.values())
    return Swept([done[job.id] for job in jobs if job.id in done], found)


def _do_rest(
    jobs: Sequence[Job],
    done: dict[str, Result],
    journal: Journal,
    opening: Opening,
    backend: Backend,
    reach: Callable[[float], None],
) -> Disagreement | None:
    """Do what is not done; returns what stopped it, perhaps among what is done already."""
    watch = Watch()
    found = watch.first(done.values())
    left = [job for job in jobs if job.id not in done]
    reach(len(done))
    if found is not None or not left:
        return found
    with closing(run_jobs(opening, left, backend)) as results:
        for result in results:
            journal.append(result)
            done[result.job.id] = result
            reach(len(done))
            found = watch.see(result)
            if found is not None:
                break
    return found


def _begin(
    folder: Path, jobs: Sequence[Job], manifest: dict[str, Any], resume: bool
) -> dict[str, Result]:
    """Write the manifest; the results of these jobs that are there already, by id."""
    held = sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
    if held and not resume:
        raise JournalError(
            f"{folder}: not empty (holds {held[0]}); another folder, or --resume to go on"
        )
    before = read_manifest(folder)
    if before is None:
        if RESULTS in held:
            raise JournalError(f"{folder}: {RESULTS} without {MANIFEST}: nothing to go on with")
        write_manifest(folder, manifest)
        return {}
    check_same(folder, before, manifest)
    done = _among(jobs, read_results(folder / RESULTS))
    if len(done) < len(jobs):
        write_manifest(folder, resumed(before))
    return done


def _of_shards(folder: Path, digest: str, jobs: Sequence[Job]) -> Iterator[Result]:
    for path in sorted(folder.glob(f"*/{RESULTS}")):
        content = read_manifest(path.parent)
        if content is not None and content.get("digest") == digest:
            yield from _among(jobs, read_results(path)).values()


def _among(jobs: Sequence[Job], results: Iterable[Result]) -> dict[str, Result]:
    wanted = {job.id for job in jobs}
    return {result.job.id: result for result in results if result.job.id in wanted}
