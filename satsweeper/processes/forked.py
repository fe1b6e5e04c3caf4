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

from satsweeper.board.errors import one_line
from satsweeper.processes.deadline import Deadline
from satsweeper.processes.limits import (
    UNIT,
    Ended,
    Limits,
    how_ended,
    limit_memory,
    memory_now,
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
"""Header of a result: whether the child is then replaced, and its CPU seconds so far."""
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

    A child that a job has ended is replaced for the next job. The child begins with a copy of the
    memory of this process. The child's standard output and error are read only after a crash.

    Args:
        work: does a job, in the child.
        limits: of each job.
        watch: called every 20 ms while a job runs; an exception raised by ``watch`` ends the child.
    """

    def __init__(
        self, work: Work, limits: Limits, watch: Callable[[], object] = lambda: None
    ) -> None:
        self._work = work
        self._limits = limits
        self._watch = watch
        self._pid: int | None = None
        self._jobs = self._results = -1
        self._output = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115  # closed by __exit__
        self._spent = 0.0

    def ask(self, request: object, external: bool = False) -> Any:
        """Return the result of the job ``request``, or how the job ended: ``Ended``."""
        answer = self.exchange(pickle.dumps(request), external)
        return answer if isinstance(answer, Ended) else pickle.loads(answer)

    def exchange(self, request: bytes, external: bool = False) -> bytes | Ended:
        """Return the pickled result of a pickled ``request``, or how the job ended.

        ``external``: the work is done by a program that the child runs. Such a child is first sent
        SIGTERM, so that the child can end the program.
        """
        try:
            if self._pid is None:
                self._fork()
            # Parent and child share one file position, so the child writes from the start, too.
            self._output.seek(0)
            self._output.truncate()
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
        self._output.close()

    def _fork(self) -> None:
        jobs_out, jobs_in = os.pipe()
        results_out, results_in = os.pipe()
        parent = os.getpid()
        # Garbage is collected before the fork: a collection in the child would write to pages that
        # are shared with this process, and each such page would be copied.
        gc.collect()
        pid = os.fork()
        if not pid:
            for pipe in (jobs_in, results_out):
                os.close(pipe)
            for stream in (1, 2):
                os.dup2(self._output.fileno(), stream)
            _do_jobs(jobs_out, results_in, parent, self._work, self._limits)
        # The child alone holds the writing end for results, so a read in this process returns
        # nothing as soon as the child has ended.
        os.close(jobs_out)
        os.close(results_in)
        self._pid, self._jobs, self._results = pid, jobs_in, results_out

    def _listen(self, external: bool) -> bytes | Ended:
        deadline = Deadline.after(self._limits.clock(external))
        peak = 0
        # A result in the pipe counts even after a limit: limits are compared only while the pipe
        # is empty. A timer in the child limits CPU time. This loop limits wall-clock time, for a
        # job that hangs, and memory, measured once a turn.
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
        # A quick child ends before its memory is measured: then the system's peak stands in.
        peak = peak or worst
        self._output.seek(0)
        output = self._output.read(2**20).lower()
        if any(words in output for words in _OUT_OF_MEMORY):
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
    # The fork has copied the parent's handler of SIGTERM, which the child must not run.
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
        # Exit handlers and buffered output belong to the parent: ``os._exit`` runs and flushes
        # neither.
        os._exit(0)


def _result(work: Work, message: bytes) -> Any:
    began = thread_time()
    try:
        return work(pickle.loads(message))
    except MemoryError:
        raise
    except BaseException as error:
        # Some libraries raise a BaseException: PyO3 does for a panic in Rust.
        return Ended("error", one_line(error), thread_time() - began, peak_memory())


def send_frame(pipe: int, message: bytes) -> None:
    """Write a whole message behind its length (8 bytes, big-endian).

    Raises BrokenPipeError if the reading end of ``pipe`` is closed.
    """
    rest = memoryview(len(message).to_bytes(8, "big") + message)
    while rest:
        rest = rest[os.write(pipe, rest) :]


def receive_frame(pipe: int) -> bytes | None:
    """Read a message that `send_frame` wrote; None if the writing process has ended."""
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
# The worker has one thread and has loaded the modules of its jobs, so forking is quick, and safe
# whatever threads the owner of the worker has. No main guard is needed in the owner's script.

_ALONE: Final = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
"""Environment of the worker: one thread a process, and a fixed seed for the hashes of strings."""
_CHILD: Final[list[Forked]] = []
"""The forked child that does the jobs; filled in the worker."""


class ForkServer:
    """A worker that does one job after the other, each within limits; a context manager.

    One object serves one thread. The worker starts with the first job. When this process ends, the
    worker and the job under way end too.

    Args:
        opening: called once in the worker, returns the function that does a job; can be pickled.
        limits: of each job.
    """

    def __init__(self, opening: Callable[[], Work], limits: Limits) -> None:
        self._first = pickle.dumps((opening, limits))
        name = "the process that watches over the job"
        self._worker = Worker(name, external=True, apart=True, environment=_ALONE)

    def ask(self, request: object, external: bool = False) -> Any:
        """Return the result of the job ``request``, or how the job ended: ``Ended``.

        ``external``: the job runs a program, and its process is first sent SIGTERM when it has to
        end.
        """
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
            # The pipe may hold half a message, after which no further message can be read.
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
    """Prepare the worker for jobs; return the message of an error, or an empty text.

    ``first`` is the pickled pair of ``opening`` and ``limits`` of `ForkServer`.
    """
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
    # Forked children share the memory of the worker until a page is written to. Frozen objects are
    # not visited by the garbage collector, so the collector writes to none of their pages.
    gc.collect()
    gc.freeze()
    return ""


def _do(send: object, deadline: Deadline, request: bytes, external: bool) -> bytes | Ended:
    """Have the forked child do a job; return its pickled result or how it ended."""
    return _CHILD[-1].exchange(request, external)


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    """End the forked child, which ends its external program, and then the worker itself.

    No exception is raised: Python drops an exception that is raised while a destructor runs, and
    prints a warning.
    """
    for child in _CHILD:
        child.end(external=True)
    os._exit(0)
