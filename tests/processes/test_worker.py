"""Workers and fork servers: jobs in processes of their own, limits, and every bad end."""

import os
import signal
import subprocess
import threading
from unittest.mock import Mock

import pytest

from satsweeper.processes.deadline import Deadline
from satsweeper.processes.forked import ForkServer
from satsweeper.processes.interpreter import start
from satsweeper.processes.limits import Ended, Limits
from satsweeper.processes.signals import held
from satsweeper.processes.worker import Worker, WorkerDiedError, _serve, within


def test_one_process_does_job_after_job_until_it_is_ended(odd_jobs):
    with Worker("one") as worker:
        assert not worker.running
        first, given = worker.ask(None, odd_jobs.pid, 1, "two")
        assert given == (1, "two")
        assert worker.ask(60, odd_jobs.pid)[0] == first != os.getpid()
        worker.end()
        assert worker.ask(60, odd_jobs.pid)[0] != first
    assert not worker.running


@pytest.mark.parametrize("parts", [(), (1, 2, 3)])
def test_the_last_part_that_came_in_time_is_the_answer(odd_jobs, parts):
    with Worker("one") as worker:
        worker.ask(None, odd_jobs.pid)
        assert worker.ask(2, odd_jobs.telling, *parts) == (parts[-1] if parts else None)
        assert not worker.running


def test_who_sends_without_end_is_ended_all_the_same_or_by_what_the_listener_raises(odd_jobs):
    with Worker("one") as worker:
        assert worker.ask(2, odd_jobs.chattering) == "again"
        assert not worker.running
        gone = Mock(side_effect=BrokenPipeError("nobody reads"))
        with pytest.raises(BrokenPipeError, match="nobody reads"):
            worker.ask(None, odd_jobs.chattering, heard=gone)


def test_what_a_job_raises_is_handed_over_and_the_worker_goes_on(odd_jobs):
    with Worker("one") as worker:
        first, _ = worker.ask(None, odd_jobs.pid)
        for error, kind, said in [
            (ValueError("wrong"), ValueError, "wrong"),
            (ChildProcessError("no answer"), WorkerDiedError, "no answer"),
            (IndexError("a\nb"), WorkerDiedError, r"one failed \(IndexError: a b\)"),
        ]:
            with pytest.raises(kind, match=f"^{said}$"):
                worker.ask(None, odd_jobs.raising, error)
        assert worker.ask(None, odd_jobs.pid)[0] == first


def test_a_worker_whose_owner_ends_before_reading_the_answer_ends_quietly(odd_jobs):
    process, pipe = start(_serve, "one", os.getpid(), False, stderr=subprocess.PIPE)
    pipe.send((Deadline.after(None), odd_jobs.pid, ()))
    assert pipe.poll(None)
    pipe.close()
    assert (process.communicate()[1], process.returncode) == (b"", 0)


def test_a_worker_that_leaves_is_one_line_and_is_replaced(odd_jobs):
    with Worker("one") as worker:
        with pytest.raises(WorkerDiedError, match=r"^one ended unexpectedly \(exit code 3\)$"):
            worker.ask(None, odd_jobs.leaving, 3)
        assert worker.ask(None, odd_jobs.pid)[0] > 0
    with pytest.raises(WorkerDiedError, match=r"^solver 'odd' ended unexpectedly"):
        within(60, "odd", odd_jobs.leaving, 3)
    # A worker may have a worker, as one of a pool may.
    (first, _), second = within(60, "one", odd_jobs.through_another)
    assert len({first, second, os.getpid()}) == 3


def test_a_job_is_ended_from_another_thread_and_the_next_one_gets_a_new_process(odd_jobs):
    with Worker("one") as worker:
        worker.kill()
        first, _ = worker.ask(None, odd_jobs.pid)
        killer = threading.Timer(0.2, worker.kill)
        killer.start()
        with pytest.raises(WorkerDiedError, match=r"^one ended unexpectedly \(SIGKILL\)$"):
            worker.ask(600, odd_jobs.telling)
        killer.join()
        assert worker.ask(None, odd_jobs.pid)[0] != first


# A fork server: jobs in a forked child within limits, and every bad end by its name


def test_one_child_does_job_after_job_until_one_is_its_last(odd_jobs):
    with ForkServer(odd_jobs.opening, Limits()) as server:
        first = server.ask("job")
        assert server.ask("job") == server.ask("last") == first
        assert server.ask("job") not in {first, None}


@pytest.mark.parametrize(
    ("asked", "limits", "how", "what", "replaced"),
    [
        ("panic", Limits(), "error", "Panic: over two lines", False),
        ("abort", Limits(), "crash", "SIGABRT", True),
        ("spin", Limits(seconds=0.2), "timeout", None, True),
        ("sleep", Limits(wall=0.2), "timeout", None, True),
        ("fill", Limits(memory=10**9), "memory", None, True),
    ],
)
def test_every_bad_end_has_a_name_and_the_next_job_is_done(
    odd_jobs, asked, limits, how, what, replaced
):
    with ForkServer(odd_jobs.opening, limits) as server:
        # Where the clock is the limit, a busy machine may make it too short for anything else.
        first = None if limits.wall else server.ask("job")
        ended = server.ask(asked)
        assert (type(ended), ended.how, ended.what) == (Ended, how, what)
        assert str(ended) == (f"{how} ({what})" if what else how)
        assert ended.memory > 10**6
        if first is not None:
            assert (server.ask("job") != first) == replaced


def test_who_cannot_open_says_why_each_time(odd_jobs):
    with ForkServer(odd_jobs.opening_nothing, Limits()) as server:
        assert [server.ask("job") for _ in range(2)] == [Ended("error", "nothing to open")] * 2


# Signals that wait while a process is started


def test_a_signal_that_comes_meanwhile_is_raised_afterwards_and_an_ignored_one_stays_ignored():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    started = []

    def start() -> None:
        with held(signal.SIGINT):
            signal.raise_signal(signal.SIGINT)
            started.append("a process")

    try:
        with pytest.raises(KeyboardInterrupt):
            start()
        assert started
        assert signal.signal(signal.SIGINT, signal.SIG_IGN) is signal.default_int_handler
        with held(signal.SIGINT):
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
