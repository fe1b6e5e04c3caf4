"""The process between a sweep and its jobs: forks the one that does them, watches and kills it.

It has loaded everything and has one thread, so that forking is quick and safe, whatever threads
the sweep has. It ends when its pipe does; then so does the process it watches.
"""

import gc
import os
import pickle
import resource
import select
import signal
import sys
import tempfile
from contextlib import suppress
from time import monotonic
from typing import Any, Final, NamedTuple

from satsweeper.compare.sweep.jobs_child import REPORT, do_jobs
from satsweeper.processes.frames import receive, send
from satsweeper.processes.limits import Ended, Limits
from satsweeper.processes.peak_memory import UNIT

_LOOK: Final = 0.02
"""Seconds between two looks at the memory of a job."""
_IDLE: Final = 2.0
"""Seconds between two looks at whether the sweep still lives, while there is nothing to do."""
_GRACE: Final = 0.5
"""Seconds that a job with an external program has to end that."""
_OUT_OF_MEMORY: Final = (b"bad_alloc", b"out of memory", b"out-of-memory", b"outofmemory")
"""What solvers say, in small letters, before they abort for want of memory."""


class End(NamedTuple):
    """A process has ended."""

    code: int
    """Its exit code, or minus the number of the signal that killed it."""
    seconds: float
    """CPU time since its last result."""
    peak: int
    """Bytes of memory at the worst moment of its life."""


class Keeper:
    """Forks, watches and kills the process that does the jobs, one at a time."""

    def __init__(
        self, requests: int, replies: int, limits: Limits, encoders: Any, budget: bool
    ) -> None:
        self._requests = requests
        self._replies = replies
        self._parent = os.getppid()
        self._limits = limits
        self._rest = (limits, encoders, budget)
        self._pid: int | None = None
        self._jobs = self._results = -1
        self._said = _unnamed_file()
        self._spent = 0.0

    def do(self, message: bytes, external: bool) -> bytes | Ended:
        """The pickled result of a pickled job, or how its process ended."""
        if self._pid is None:
            self._fork()
        os.ftruncate(self._said, 0)
        with suppress(BrokenPipeError):
            send(self._jobs, message)
        return self._watch(external)

    def next_request(self) -> bytes | None:
        """What the sweep asks next; None if it has ended."""
        while not select.select([self._requests], [], [], _IDLE)[0]:
            if os.getppid() != self._parent:
                return None
        return receive(self._requests)

    def end(self, external: bool = False) -> End:
        """Kill the process that does the jobs, if there is one."""
        if self._pid is None:
            return End(0, 0.0, 0)
        pid, self._pid = self._pid, None
        if external:
            os.kill(pid, signal.SIGTERM)
            select.select([self._results], [], [], _GRACE)
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        os.close(self._jobs)
        os.close(self._results)
        _, status, usage = os.wait4(pid, 0)
        spent = usage.ru_utime + usage.ru_stime - self._spent
        self._spent = 0.0
        return End(os.waitstatus_to_exitcode(status), spent, usage.ru_maxrss * UNIT)

    def _fork(self) -> None:
        jobs, mine = os.pipe()
        results, theirs = os.pipe()
        keeper = os.getpid()
        pid = os.fork()
        if not pid:
            os.close(mine)
            os.close(results)
            os.close(self._requests)
            os.close(self._replies)
            os.dup2(self._said, 1)
            os.dup2(self._said, 2)
            do_jobs(jobs, theirs, keeper, *self._rest)
        os.close(jobs)
        os.close(theirs)
        self._pid, self._jobs, self._results = pid, mine, results

    def _watch(self, external: bool) -> bytes | Ended:
        clock = self._limits.clock(external)
        deadline = None if clock is None else monotonic() + clock
        peak = 0
        while True:
            ready, _, _ = select.select([self._results, self._requests], [], [], _LOOK)
            if self._results in ready:
                report = receive(self._results)
                if report is None:
                    return self._died(peak)
                last, self._spent = REPORT.unpack_from(report)
                if last:
                    self.end()
                return report[REPORT.size :]
            if self._requests in ready or os.getppid() != self._parent:
                # Nothing is asked while a job runs: the sweep has ended.
                self.end(external)
                os._exit(0)
            peak = max(peak, self._memory())
            if deadline is not None and monotonic() > deadline:
                return Ended("timeout", None, self.end(external).seconds, peak)
            if self._limits.memory is not None and peak > self._limits.memory:
                return Ended("memory", None, self.end(external).seconds, peak)

    def _died(self, peak: int) -> Ended:
        # Its pipe is closed, but it may be still on its way out.
        assert self._pid is not None
        os.waitid(os.P_PID, self._pid, os.WEXITED | os.WNOWAIT)
        end = self.end()
        # It may have been too quick to be looked at.
        peak = peak or end.peak
        said = os.pread(self._said, 2**20, 0).lower()
        if any(words in said for words in _OUT_OF_MEMORY):
            return Ended("memory", None, end.seconds, peak)
        if end.code == -signal.SIGPROF:
            return Ended("timeout", None, end.seconds, peak)
        code = end.code
        what = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        return Ended("crash", what, end.seconds, peak)

    def _memory(self) -> int:
        """Bytes that the process has in memory now; 0 where the system does not tell."""
        path = f"/proc/{self._pid}/statm"
        with suppress(OSError, ValueError, IndexError), open(path, "rb") as file:
            return int(file.read().split()[1]) * resource.getpagesize()
        return 0


def main() -> None:
    """Serve the sweep through standard input and output until it closes them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests, replies = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    first = receive(requests)
    if first is None:
        return
    try:
        limits, encoders, budget = pickle.loads(first)
        encoders = None if encoders is None else pickle.loads(encoders)
    except Exception as error:
        send(replies, f"the encoders cannot be loaded: {error}".encode())
        return
    _warm_up()
    keeper = Keeper(requests, replies, limits, encoders, budget)
    with suppress(BrokenPipeError):
        send(replies, b"")
        while (request := keeper.next_request()) is not None:
            answer = keeper.do(request[1:], external=request[:1] == b"e")
            send(replies, answer if isinstance(answer, bytes) else pickle.dumps(answer))
    keeper.end()
    sys.exit(0)


def _unnamed_file() -> int:
    """A file to append to that goes when it is closed."""
    file, path = tempfile.mkstemp()
    os.close(file)
    file = os.open(path, os.O_RDWR | os.O_APPEND)
    os.unlink(path)
    return file


def _warm_up() -> None:
    """Load what the first job would load, and keep the collector away from it."""
    from satsweeper.compare.instances.instance import Instance
    from satsweeper.compare.job.job import Job, Order, Task
    from satsweeper.compare.job.measure import measure
    from satsweeper.position import Position

    instance = Instance.of_board(Position.parse("1 3 1\n?1?"), "")
    order = Order.RANDOM
    measure(
        Job(instance.digest, "", Task.CLASSIFY, "direct", "totalizer", "minisat22", order, 1),
        instance,
    )
    gc.collect()
    gc.freeze()
