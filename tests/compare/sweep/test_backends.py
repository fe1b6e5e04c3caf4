"""Every job is done once, wherever it runs, and what goes wrong there is one line."""

import os
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest

from satsweeper.compare.job.job import Job, JobStatus, LiteralOrder, Measured, Result, Task
from satsweeper.compare.sweep.backends import Backend, BackendError, run_jobs

JOBS = [
    Job("digest", "board", Task.CLASSIFY, "direct", "", "minisat22", LiteralOrder.GIVEN, seed)
    for seed in range(60)
]


@dataclass(frozen=True)
class Made:
    """Opens a runner that notes its process in a folder, and that it was closed."""

    folder: Path
    deadly: int | None = None

    def __call__(self) -> "Made":
        return self

    def __enter__(self) -> Self:
        (self.folder / f"{os.getpid()} opened").touch()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        (self.folder / f"{os.getpid()} closed").touch()

    def run(self, job: Job) -> Result:
        if job.seed == self.deadly:
            os._exit(3)
        return Result(job, JobStatus.SAT, Measured(0.0, 0.0, os.getpid()))


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def opened(folder: Path) -> list[int]:
    return [int(path.name.split()[0]) for path in folder.glob("* opened")]


@pytest.mark.parametrize("processes", [1, 3])
def test_every_job_is_done_once_by_workers_that_keep_their_runner(
    tmp_path: Path, processes: int
) -> None:
    results = list(run_jobs(Made(tmp_path), JOBS, Backend(jobs=processes)))
    assert Counter(result.job for result in results) == Counter(JOBS)
    did = {result.measured.memory for result in results}
    assert did == set(opened(tmp_path)) == ({os.getpid()} if processes == 1 else did)
    assert len(did) <= processes
    assert (os.getpid() in did) == (processes == 1)
    assert processes == 1 or not any(map(alive, did))


def test_who_does_not_wait_for_all_results_ends_the_workers(tmp_path: Path) -> None:
    with closing(run_jobs(Made(tmp_path), JOBS, Backend(jobs=2))) as results:
        next(results)
    assert not any(map(alive, opened(tmp_path)))


def test_a_runner_in_this_process_is_closed(tmp_path: Path) -> None:
    with closing(run_jobs(Made(tmp_path), JOBS, Backend())) as results:
        next(results)
    assert (tmp_path / f"{os.getpid()} closed").exists()


def test_a_worker_that_dies_is_one_line(tmp_path: Path) -> None:
    results = run_jobs(Made(tmp_path, deadly=20), JOBS, Backend(jobs=2))
    with pytest.raises(BackendError, match="a worker process ended unexpectedly"):
        list(results)


def test_dask_does_every_job_once_and_its_runners_are_closed(
    tmp_path: Path, scheduler: str
) -> None:
    results = list(run_jobs(Made(tmp_path), JOBS, Backend("dask", scheduler=scheduler)))
    assert Counter(result.job for result in results) == Counter(JOBS)
    assert os.getpid() not in opened(tmp_path)
    assert opened(tmp_path)
    assert all((tmp_path / f"{pid} closed").exists() for pid in opened(tmp_path))


def test_a_scheduler_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    results = run_jobs(Made(tmp_path), JOBS, Backend("dask", scheduler="nowhere"))
    with pytest.raises(BackendError, match="no Dask scheduler at nowhere: "):
        next(results)


def test_dask_without_dask_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    results = run_jobs(Made(tmp_path), JOBS, Backend("dask", scheduler="tcp://127.0.0.1:1"))
    with pytest.raises(BackendError, match=r"pip install 'satsweeper\[cluster\]'"):
        next(results)
