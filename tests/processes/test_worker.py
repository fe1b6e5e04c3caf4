"""A worker: one process for many jobs, partial answers, its limit and its bad ends."""

import os
import threading
from types import ModuleType

import pytest

from satsweeper.processes.worker import Worker, WorkerDiedError, within


def test_one_process_does_job_after_job_until_it_is_ended(odd_jobs: ModuleType) -> None:
    with Worker("one") as worker:
        assert not worker.running
        first, given = worker.ask(None, odd_jobs.pid, 1, "two")
        assert given == (1, "two")
        assert worker.ask(60, odd_jobs.pid)[0] == first != os.getpid()
        worker.end()
        assert worker.ask(60, odd_jobs.pid)[0] != first
    assert not worker.running


@pytest.mark.parametrize("parts", [(), (1, 2, 3)])
def test_the_last_part_that_came_in_time_is_the_answer(
    odd_jobs: ModuleType, parts: tuple[int, ...]
) -> None:
    with Worker("one") as worker:
        worker.ask(None, odd_jobs.pid)
        assert worker.ask(2, odd_jobs.telling, *parts) == (parts[-1] if parts else None)
        assert not worker.running


def test_who_sends_without_end_is_ended_all_the_same(odd_jobs: ModuleType) -> None:
    with Worker("one") as worker:
        assert worker.ask(2, odd_jobs.chattering) == "again"
        assert not worker.running


def test_what_the_listener_raises_comes_out_at_once(odd_jobs: ModuleType) -> None:
    def gone(part: object) -> None:
        raise BrokenPipeError("nobody reads")

    with Worker("one") as worker, pytest.raises(BrokenPipeError, match="nobody reads"):
        worker.ask(None, odd_jobs.chattering, heard=gone)


def test_what_a_job_raises_is_handed_over_and_the_worker_goes_on(odd_jobs: ModuleType) -> None:
    with Worker("one") as worker:
        first, _ = worker.ask(None, odd_jobs.pid)
        with pytest.raises(ValueError, match=r"^wrong$"):
            worker.ask(None, odd_jobs.raising, ValueError("wrong"))
        with pytest.raises(WorkerDiedError, match=r"^no answer$"):
            worker.ask(None, odd_jobs.raising, ChildProcessError("no answer"))
        with pytest.raises(WorkerDiedError, match=r"^one failed \(IndexError: a b\)$"):
            worker.ask(None, odd_jobs.raising, IndexError("a\nb"))
        assert worker.ask(None, odd_jobs.pid)[0] == first


def test_a_worker_that_leaves_is_one_line_and_is_replaced(odd_jobs: ModuleType) -> None:
    with Worker("one") as worker:
        with pytest.raises(WorkerDiedError, match=r"^one ended unexpectedly \(exit code 3\)$"):
            worker.ask(None, odd_jobs.leaving, 3)
        assert worker.ask(None, odd_jobs.pid)[0] > 0
    with pytest.raises(WorkerDiedError, match=r"^solver 'odd' ended unexpectedly"):
        within(60, "odd", odd_jobs.leaving, 3)


def test_a_worker_may_have_a_worker_as_one_of_a_pool_may(odd_jobs: ModuleType) -> None:
    (first, _), second = within(60, "one", odd_jobs.through_another)
    assert len({first, second, os.getpid()}) == 3


def test_a_job_is_ended_from_another_thread_and_the_next_one_gets_a_new_process(
    odd_jobs: ModuleType,
) -> None:
    with Worker("one") as worker:
        worker.kill()
        first, _ = worker.ask(None, odd_jobs.pid)
        killer = threading.Timer(0.2, worker.kill)
        killer.start()
        with pytest.raises(WorkerDiedError, match=r"^one ended unexpectedly \(SIGKILL\)$"):
            worker.ask(600, odd_jobs.telling)
        killer.join()
        assert worker.ask(None, odd_jobs.pid)[0] != first
