"""Every job is done once, wherever it runs, and what goes wrong there is one line."""

import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Self

import pytest

from pbcnf.constraints.order import LiteralOrder
from satsweeper.compare.instances.instance import Instance, InstanceKind
from satsweeper.compare.instances.random_boards import random_position
from satsweeper.compare.job.job import Job, JobStatus, Measured, Result, Task
from satsweeper.compare.job.measure import measure
from satsweeper.compare.sweep.backends import Backend, BackendError, run_jobs
from satsweeper.compare.sweep.run import Killable
from satsweeper.position import Position
from satsweeper.processes.limits import Limits
from tests.commands import alive, until

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

    def __exit__(self, *error: object) -> None:
        (self.folder / f"{os.getpid()} closed").touch()

    def run(self, job: Job) -> Result:
        if job.seed == self.deadly:
            os._exit(3)
        return Result(job, JobStatus.SAT, Measured(0.0, 0.0, os.getpid()))


def opened(folder: Path) -> list[int]:
    return [int(path.name.split()[0]) for path in folder.glob("* opened")]


@pytest.mark.parametrize("processes", [1, 3])
def test_every_job_is_done_once_by_workers_that_keep_their_runner(tmp_path, processes) -> None:
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
    # A runner in this process is closed.
    with closing(run_jobs(Made(tmp_path), JOBS, Backend())) as results:
        next(results)
    assert (tmp_path / f"{os.getpid()} closed").exists()


def test_a_worker_that_dies_is_one_line(tmp_path: Path) -> None:
    results = run_jobs(Made(tmp_path, deadly=20), JOBS, Backend(jobs=2))
    with pytest.raises(BackendError, match="a worker process ended unexpectedly"):
        list(results)


def test_dask_does_every_job_once_and_its_runners_are_closed(tmp_path, scheduler) -> None:
    results = list(run_jobs(Made(tmp_path), JOBS, Backend("dask", scheduler=scheduler)))
    assert Counter(result.job for result in results) == Counter(JOBS)
    assert os.getpid() not in opened(tmp_path)
    assert opened(tmp_path)
    assert all((tmp_path / f"{pid} closed").exists() for pid in opened(tmp_path))


def test_a_scheduler_that_is_not_there_is_one_line_and_without_dask_the_extra(monkeypatch) -> None:
    pytest.importorskip("distributed")
    nowhere = Backend("dask", scheduler="nowhere")
    with pytest.raises(BackendError, match="no Dask scheduler at nowhere: "):
        next(run_jobs(nullcontext, JOBS, nowhere))
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(BackendError, match=r"pip install 'satsweeper\[cluster\]'"):
        next(run_jobs(nullcontext, JOBS, nowhere))


CORNER = Instance.of_board(Position.parse("1??\n???"), "corner")
BOARD = Instance.of_board(random_position(8, 8, 10, seed=2), "board")
HUGE = Instance.of_text(InstanceKind.CNF, b"p cnf 90000000 1\n1 90000000 0\n", "huge")
SHORT = Limits(seconds=0.3)
SMALL = Limits(memory=300 * 10**6)
"""No limit of time: what it costs to fill memory depends on what else the machine does."""


def job_on(instance: Instance, encoding: str = "direct", **rest: object) -> Job:
    board = instance.kind is InstanceKind.BOARD
    task = rest.pop("task", Task.CLASSIFY if board else Task.SOLVE)
    encodings = encoding if board else "", "totalizer" if instance is BOARD else ""
    usual = {"solver": "minisat22", "order": LiteralOrder.GIVEN, "seed": 0}
    return Job(instance.digest, instance.name, task, *encodings, **(usual | rest))


@pytest.fixture(scope="module")
def killable() -> Iterator[Killable]:
    with Killable([CORNER, BOARD, HUGE], SMALL) as jobs:
        yield jobs


def good(killable: Killable) -> None:
    assert killable.run(job_on(CORNER)).status is JobStatus.SAT


def test_results_are_those_of_this_process_whatever_ran_before(killable: Killable) -> None:
    jobs = [
        job_on(instance, encoding, solver=solver, seed=seed, order=LiteralOrder.RANDOM)
        for instance, encoding, solver, seed in product(
            (CORNER, BOARD), ("direct", "totalizer"), ("minisat22", "cadical195"), (0, 1)
        )
    ]
    instances = {instance.digest: instance for instance in (CORNER, BOARD)}
    for job in [*jobs, *reversed(jobs)]:
        found = killable.run(job)
        here = measure(job, instances[job.instance])
        assert replace(found, measured=here.measured) == here
        assert found.measured.encode > 0
        assert found.measured.solve > 0
        assert found.measured.memory > 10**6


@pytest.mark.parametrize(
    ("encoding", "status", "message"),
    [("Hog", JobStatus.MEMORY, None), ("Aborting", JobStatus.CRASH, "SIGABRT"),
     ("Raising", JobStatus.ERROR, "RuntimeError: over two lines")],
)  # fmt: skip
def test_every_bad_end_has_its_status_and_the_next_job_is_done(killable, encoding, status, message):
    good(killable)
    result = killable.run(job_on(CORNER, f"odd_encoders:{encoding}"))
    assert (result.status, result.message) == (status, message)
    assert result.job == job_on(CORNER, f"odd_encoders:{encoding}")
    assert (result.verdicts, result.clauses) == (None, None)
    good(killable)


def test_what_never_ends_is_ended_by_its_cpu_time() -> None:
    with Killable([CORNER], SHORT) as killable:
        good(killable)
        result = killable.run(job_on(CORNER, "odd_encoders:Endless"))
        assert (result.status, result.message) == (JobStatus.TIMEOUT, None)
        assert result.measured.solve > 0.1
        good(killable)


@pytest.mark.parametrize("solver", ["minisat22", "lingeling"])
def test_a_solver_that_aborts_for_want_of_memory_is_out_of_memory(killable, solver) -> None:
    assert killable.run(job_on(HUGE, solver=solver)).status is JobStatus.MEMORY
    good(killable)


def test_an_external_program_is_ended_with_its_job(tmp_path, monkeypatch) -> None:
    program = tmp_path / "sleeper"
    program.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/pid\nexec sleep 600\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    with Killable([CORNER], Limits(seconds=1.0)) as killable:
        job = job_on(CORNER, task=Task.CONSISTENT, solver="external:sleeper")
        assert killable.run(job).status is JobStatus.TIMEOUT
    # Unless it had no time to say so.
    written = (tmp_path / "pid").read_text().split() if (tmp_path / "pid").exists() else []
    until(lambda: not any(map(alive, map(int, written))), "the program has ended")


def test_encoders_of_the_callers_own_travel_by_name() -> None:
    import odd_encoders

    own = {"own": odd_encoders.Strict(), "right": odd_encoders.direct}
    job, right = job_on(CORNER, "own"), job_on(CORNER, "right")
    with Killable([CORNER], encoders=own) as killable:
        wrong = killable.run(job)
        assert replace(wrong, measured=None) == replace(measure(job, CORNER, own), measured=None)
        assert killable.run(right).verdicts != wrong.verdicts
    with Killable([CORNER], encoders=b"no pickle") as killable:
        for _ in range(2):
            result = killable.run(job)
            assert result.status is JobStatus.ERROR
            assert "the encoders cannot be loaded" in str(result.message)


def test_a_server_that_dies_is_a_crash_and_is_replaced_and_no_instance_is_an_error() -> None:
    with Killable([CORNER]) as killable:
        job = replace(job_on(CORNER), instance="0" * 64)
        assert killable.run(job).status is JobStatus.ERROR
        good(killable)
        server = killable._server._worker._process
        assert server is not None
        os.kill(server.pid, signal.SIGKILL)
        assert killable.run(job_on(CORNER)).status is JobStatus.CRASH
        good(killable)


def test_limits_are_positive_and_the_clock_leaves_room_unless_the_program_is_external() -> None:
    for bad in ({"seconds": 0}, {"wall": -1.0}, {"memory": 0}):
        with pytest.raises(ValueError, match="more than 0 is needed"):
            Limits(**bad)
    assert Limits(seconds=3.0).clock(external=False) == 40.0
    assert Limits(seconds=3.0).clock(external=True) == 3.0
    assert Limits(seconds=3.0, wall=5.0).clock(external=False) == 5.0
    assert Limits(wall=5.0).clock(external=True) == 5.0
    assert Limits().clock(external=False) is None
