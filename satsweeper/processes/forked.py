"""Forked children that do jobs within limits of CPU time and memory, and workers that fork them.

`Forked` is for a process with one thread: other threads do not exist in a forked child.
`ForkServer` has a worker with one thread, and is for any process.
"""

import gc
import os
import pickle
import select
import signal
import struct
import tempfile
from collections.abc import Callable
from contextlib import suppress
from time import thread_time
from types import FrameType
from typing import Any, Final, NamedTuple, NoReturn, Self

from satsweeper.processes.deadline import Deadline
from satsweeper.processes.limits import (
    UNIT,
    Ended,
    Limits,
    how_ended,
    limit_memory,
    memory_now,
    one_line,
    peak_memory,
)
from satsweeper.processes.signals import end_with
from satsweeper.processes.worker import Worker, WorkerDiedError

Work = Callable[[Any], Any]
"""Function from the request of a job to its result; both can be pickled."""

_LOOK: Final = 0.02
"""Seconds between two measurements of the memory of a job."""
_PATIENCE: Final = 3.0
"""Seconds that a child may take to end its external program after SIGTERM."""
_REPORT: Final = struct.Struct("?d")
"""Header of a result: whether the child ends after it, and the CPU seconds of the child so far."""
_OUT_OF_MEMORY: Final = (
    b"bad_alloc",
    b"out of memory",
    b"out-of-memory",
    b"outofmemory",
    b"memory allocation of",
)
"""Words in lower case that programs print before they abort for want of memory."""


class Last(NamedTuple):
    """A result after which the process is replaced, as after want of memory."""

    value: Any


class Forked:
    """A forked child that does jobs, each within the limits; a context manager that ends the child.

    A child that a job has ended is replaced for the next job. The child begins where this process
    stands; what it writes to standard output and error is only read after a crash.

    Args:
        work: does a job, in the child.
        limits: of each job.
        watch: called every 20 ms while a job runs; an exception that it raises ends the child.
    """

    def __init__(
        self, work: Work, limits: Limits, watch: Callable[[], object] = lambda: None
    ) -> None:
        self._work = work
        self._limits = limits
        self._watch = watch
        self._pid: int | None = None
        self._jobs = self._results = -1
        self._said = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115  # closed by __exit__
        self._spent = 0.0

    def ask(self, request: object, external: bool = False) -> Any:
        """Return the result of the job ``request``, or how the job ended: ``Ended``."""
        answer = self.exchange(pickle.dumps(request), external)
        return answer if isinstance(answer, Ended) else pickle.loads(answer)

    def exchange(self, request: bytes, external: bool = False) -> bytes | Ended:
        """Return the pickled result of a pickled ``request``, or how the job ended.

        ``external``: the work is done by a program that the child runs. The child is then ended by
        SIGTERM first, so that it can end the program.
        """
        try:
            if self._pid is None:
                self._fork()
            # The child shares the position in the file.
            self._said.seek(0)
            self._said.truncate()
            with suppress(BrokenPipeError):
                send_frame(self._jobs, bytes([external]) + request)
            return self._listen(external)
        except BaseException:
            self.end(external)
            raise

    def end(self, external: bool = False) -> None:
        """End the child, if there is one; the next job gets a new one."""
        self._end(external)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.end()
        self._said.close()

    def _fork(self) -> None:
        jobs, mine = os.pipe()
        results, theirs = os.pipe()
        parent = os.getpid()
        # Before the fork: collected in the child, pages shared with this process would be copied.
        gc.collect()
        pid = os.fork()
        if not pid:
            for pipe in (mine, results):
                os.close(pipe)
            for stream in (1, 2):
                os.dup2(self._said.fileno(), stream)
            _do_jobs(jobs, theirs, parent, self._work, self._limits)
        # Only the child may hold its ends of the pipes: a read here then sees the child end.
        os.close(jobs)
        os.close(theirs)
        self._pid, self._jobs, self._results = pid, mine, results

    def _listen(self, external: bool) -> bytes | Ended:
        deadline = Deadline.after(self._limits.clock(external))
        peak = 0
        # A result that is there counts, even after the limit: limits are looked at when there is
        # none. CPU time is limited in the child, by a timer; here is the clock for a job that
        # hangs, and memory as it is at each look.
        while True:
            if select.select([self._results], [], [], _LOOK)[0]:
                report = receive_frame(self._results)
                if report is None:
                    return self._died(peak)
                last, self._spent = _REPORT.unpack_from(report)
                if last:
                    self.end()
                return report[_REPORT.size :]
            self._watch()
            peak = max(peak, memory_now(self._pid or "self"))
            if deadline.passed():
                return Ended("timeout", None, self._end(external)[1], peak)
            if self._limits.memory is not None and peak > self._limits.memory:
                return Ended("memory", None, self._end(external)[1], peak)

    def _died(self, peak: int) -> Ended:
        # The child has closed its pipe, but may not have ended yet.
        assert self._pid is not None
        os.waitid(os.P_PID, self._pid, os.WEXITED | os.WNOWAIT)
        code, seconds, worst = self._end(False)
        # A quick child may never have been measured.
        peak = peak or worst
        self._said.seek(0)
        said = self._said.read(2**20).lower()
        if any(words in said for words in _OUT_OF_MEMORY):
            return Ended("memory", None, seconds, peak)
        if code == -signal.SIGPROF:
            return Ended("timeout", None, seconds, peak)
        return Ended("crash", how_ended(code), seconds, peak)

    def _end(self, external: bool) -> tuple[int, float, int]:
        """End the child; return its exit code, CPU seconds since the last result, peak memory."""
        if self._pid is None:
            return 0, 0.0, 0
        pid, self._pid = self._pid, None
        if external:
            os.kill(pid, signal.SIGTERM)
            select.select([self._results], [], [], _PATIENCE)
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        os.close(self._jobs)
        os.close(self._results)
        _, status, usage = os.wait4(pid, 0)
        spent = usage.ru_utime + usage.ru_stime - self._spent
        self._spent = 0.0
        return os.waitstatus_to_exitcode(status), spent, usage.ru_maxrss * UNIT


def _do_jobs(jobs: int, results: int, parent: int, work: Work, limits: Limits) -> NoReturn:
    """Do the jobs that come through the pipe ``jobs``, in the child; never return.

    CPU time over the limit ends the child by SIGPROF. The system refuses memory over the limit.
    """
    # The handler of the parent is not for this child.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        if limits.memory is not None:
            limit_memory(limits.memory)
        while (message := receive_frame(jobs)) is not None:
            if not end_with(parent, signal.SIGTERM if message[0] else signal.SIGKILL):
                break
            if limits.seconds is not None:
                signal.setitimer(signal.ITIMER_PROF, limits.seconds)
            result = _result(work, message[1:])
            signal.setitimer(signal.ITIMER_PROF, 0)
            last = isinstance(result, Last)
            answer = pickle.dumps(result.value if isinstance(result, Last) else result)
            send_frame(results, _REPORT.pack(last, thread_time()) + answer)
    except MemoryError:
        os.write(2, b"out of memory")
    finally:
        # Exit handlers and buffers belong to the parent: neither may run here.
        os._exit(0)


def _result(work: Work, message: bytes) -> Any:
    began = thread_time()
    try:
        return work(pickle.loads(message))
    except MemoryError:
        raise
    except BaseException as error:
        # Some libraries raise a BaseException, as for a panic in Rust.
        return Ended("error", one_line(error), thread_time() - began, peak_memory())


def send_frame(pipe: int, message: bytes) -> None:
    """Write a whole message; BrokenPipeError if nobody reads any more."""
    rest = memoryview(len(message).to_bytes(8, "big") + message)
    while rest:
        rest = rest[os.write(pipe, rest) :]


def receive_frame(pipe: int) -> bytes | None:
    """Read a whole message; None if the other side has ended."""
    head = _exactly(pipe, 8)
    return None if head is None else _exactly(pipe, int.from_bytes(head, "big"))


def _exactly(pipe: int, count: int) -> bytes | None:
    found = bytearray()
    while len(found) < count:
        try:
            piece = os.read(pipe, min(count - len(found), 2**20))
        except ConnectionError:
            return None
        if not piece:
            return None
        found += piece
    return bytes(found)


# Jobs in a forked child of a worker, each within limits of CPU time, wall-clock time and memory.
#
# The worker has one thread and has loaded what jobs need, so that forking is quick and safe,
# whatever threads its owner has. It may be used in any thread and from a script without a main
# guard.

_ALONE: Final = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
"""Environment of the worker: one thread a process, and one order of sets of strings."""
_CHILD: Final[list[Forked]] = []
"""The forked child that does the jobs; filled in the worker."""


class ForkServer:
    """A worker that does one job after the other, each within limits; a context manager.

    For one thread. The worker starts with the first job. When this process ends, the worker and the
    job under way end too.

    Args:
        opening: returns the function that does a job, in the worker; can be pickled.
        limits: of each job.
    """

    def __init__(self, opening: Callable[[], Work], limits: Limits) -> None:
        self._first = pickle.dumps((opening, limits))
        name = "the process that watches over the job"
        self._worker = Worker(name, external=True, apart=True, environment=_ALONE)

    def ask(self, request: object, external: bool = False) -> Any:
        """Return the result of a job, or how it ended: ``Ended``; ``external`` as in ``Forked``."""
        try:
            if not self._worker.running:
                complaint = self._worker.ask(None, _open, self._first)
                if complaint:
                    self.close()
                    return Ended("error", complaint)
            answer = self._worker.ask(None, _do, pickle.dumps(request), external)
        except WorkerDiedError:
            return Ended("crash", f"{self._worker.name} ended")
        except BaseException:
            # Halfway through a message: nothing more can be said to the worker.
            self.close()
            raise
        return answer if isinstance(answer, Ended) else pickle.loads(answer)

    def close(self) -> None:
        """End the worker, whatever it is doing; the next job starts a new one."""
        self._worker.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _open(send: object, deadline: Deadline, first: bytes) -> str:
    """Get ready for jobs, in the worker; return what prevents it, or nothing."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    owner = os.getppid()

    def watch() -> None:
        if os.getppid() != owner:
            raise SystemExit

    try:
        opening, limits = pickle.loads(first)
        _CHILD.append(Forked(opening(), limits, watch))
    except Exception as error:
        return str(error) or one_line(error)
    signal.signal(signal.SIGTERM, _leave)
    # Children share what is here as long as the collector does not touch it.
    gc.collect()
    gc.freeze()
    return ""


def _do(send: object, deadline: Deadline, request: bytes, external: bool) -> bytes | Ended:
    """Have the forked child do a job; return its pickled result or how it ended."""
    return _CHILD[-1].exchange(request, external)


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    """End the forked child, which ends its external program, and then the worker itself.

    An exception would be lost, with a complaint on standard error, where a destructor is under way.
    """
    for child in _CHILD:
        child.end(external=True)
    os._exit(0)
