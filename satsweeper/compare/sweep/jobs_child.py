"""The process that does the jobs: one after the other, until its pipe ends or it is killed."""

import ctypes
import os
import pickle
import signal
import struct
import sys
from contextlib import suppress
from time import thread_time
from typing import Final, NoReturn

from satsweeper.compare.instances.instance import Instance
from satsweeper.compare.job.contestants import Encoders
from satsweeper.compare.job.job import Job
from satsweeper.compare.job.measure import measure
from satsweeper.compare.job.result import Status
from satsweeper.processes.frames import receive, send
from satsweeper.processes.limits import Limits
from satsweeper.solvers.programs import EXTERNAL

REPORT: Final = struct.Struct("?d")
"""What is before a result: whether it is this process's last, and its CPU seconds so far."""

_SET_PARENT_DEATH_SIGNAL: Final = 1


def do_jobs(
    jobs: int, results: int, parent: int, limits: Limits, encoders: Encoders | None, budget: bool
) -> NoReturn:
    """Do what comes through the pipe ``jobs``; ends the process, and never returns.

    CPU time over the limit ends it by SIGPROF. Memory over the limit is refused by the system.
    """
    try:
        _limit_memory(limits.memory)
        while (message := receive(jobs)) is not None:
            job, instance = pickle.loads(message)
            _die_with(parent, job)
            _do(job, instance, results, limits, encoders, budget)
    except MemoryError:
        os.write(2, b"out of memory")
    finally:
        # Nothing of the process that this one was forked from may be run or flushed.
        os._exit(0)


def _do(
    job: Job,
    instance: Instance,
    results: int,
    limits: Limits,
    encoders: Encoders | None,
    budget: bool,
) -> None:
    if limits.seconds is not None:
        signal.setitimer(signal.ITIMER_PROF, limits.seconds)
    result = measure(job, instance, encoders, budget=budget)
    signal.setitimer(signal.ITIMER_PROF, 0)
    # Whoever ran out of memory once has little left for the next job.
    last = result.status is Status.MEMORY
    send(results, REPORT.pack(last, thread_time()) + pickle.dumps(result))


def _die_with(parent: int, job: Job) -> None:
    """Let the parent's end be this process's: no orphan may go on searching."""
    if sys.platform == "linux":
        # A program that is run for a job is ended by a handler of SIGTERM.
        external = job.solver.startswith(EXTERNAL)
        last = signal.SIGTERM if external else signal.SIGKILL
        ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, last)
        if os.getppid() != parent:
            os._exit(0)


def _limit_memory(limit: int | None) -> None:
    """So many bytes more than there are now: beyond, allocating fails rather than the machine."""
    if limit is None:
        return
    import resource

    with suppress(OSError, ValueError, IndexError):
        with open("/proc/self/statm", "rb") as file:
            now = int(file.read().split()[0]) * resource.getpagesize()
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        most = now + limit
        resource.setrlimit(
            resource.RLIMIT_AS,
            (most if hard == resource.RLIM_INFINITY else min(most, hard), hard),
        )
