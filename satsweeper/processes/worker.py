"""Worker processes, which do jobs and are ended at their limit whatever their solver does.

Budgets of conflicts end most searches in time (``satsweeper/solvers/search_budget.py``). Workers
are for solvers without budgets and for single steps that take long. A job sends partial answers
while it runs, so a worker that is ended loses only the step under way.
"""

import os
import signal
import subprocess
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from time import monotonic, sleep
from typing import Any, Final, Self

from satsweeper.board.errors import CellError, FailedError, one_line
from satsweeper.processes.deadline import Deadline
from satsweeper.processes.interpreter import start
from satsweeper.processes.limits import how_ended
from satsweeper.processes.signals import RAISING, end_with, held

GRACE: Final = 0.5
"""Seconds after the deadline of a job at which its worker is ended."""
_FROM_OUTSIDE: Final = ("SIGKILL", "SIGTERM", "SIGHUP", "SIGXCPU")
"""Signals by which a user or a limit of the system ends a process."""
_GONE: Final = (EOFError, BrokenPipeError, ConnectionResetError)
"""Exceptions that are raised when the other end of a pipe is closed."""
_LOOK: Final = 1.0
"""Seconds between two looks at the clock; the system takes no timeout of several weeks."""
_NAP: Final = 0.01
"""Seconds between two looks for the end of a forked worker."""
_PATIENCE: Final = 3.0
"""Seconds that a worker may take to end its external program after SIGTERM."""


class WorkerDiedError(FailedError, RuntimeError):
    """A worker ended without an answer: its solver crashed or was killed from outside."""

    how: str | None = None
    """Signal or exit code of a process that was not ended by `Worker`."""

    @property
    def from_outside(self) -> bool:
        """Whether a limit of the system or a user ended the worker by a signal."""
        return self.how in _FROM_OUTSIDE


class Worker:
    """A process that does one job after the other; a context manager that ends the process.

    The process starts with the first job, and anew after a job in which the process ended. A job is
    a function at the top of a module, called in the main thread of the process with ``send`` for
    partial answers, a deadline and its arguments.

    Args:
        name: name of the process in messages.
        external: the worker runs a program or a process of its own. Such a worker is first sent
            SIGTERM, so that the worker can end that process.
        apart: whether the worker leads a process group, which is ended together with the worker.
        environment: variables for the worker, added to the environment of this process.
        given: values that each job gets before its arguments; a forked worker has them in memory.
        forked: whether the worker is a copy of this process, where the system has that and this
            process has no other thread, instead of a new Python: it starts in a tenth of the time.
    """

    def __init__(
        self,
        name: str,
        external: bool = False,
        apart: bool = False,
        environment: Mapping[str, str] | None = None,
        given: tuple[object, ...] = (),
        forked: bool = False,
    ) -> None:
        self.name = name
        self._external = external
        self._apart = apart
        self._environment = environment
        self._given = given
        self._forked = forked and hasattr(os, "fork")
        self._process: Any = None
        self._pipe: Any = None
        self._held = False
        """Whether the process has the given values in its memory."""

    @property
    def running(self) -> bool:
        """Whether the process has been started."""
        return self._process is not None

    def ask(
        self,
        seconds: float | None,
        job: Callable[..., Any],
        *arguments: object,
        heard: Callable[[Any], object] = lambda partial: None,
    ) -> Any:
        """Return the result of ``job(send, deadline, *arguments)``, or its last partial answer.

        Return None if the time was over before any result or partial answer. The deadline of the
        job comes in ``seconds`` (None: never); `GRACE` seconds later the process is ended.
        ``heard`` is called with each partial answer.

        Raises:
            WorkerDiedError: the job crashed, or raised an exception other than ValueError.
            ValueError: the job raised a ValueError.
        """
        deadline = Deadline.after(seconds)
        answer: Any = None
        try:
            self.start()
            given = () if self._held else self._given
            self._pipe.send((deadline, job, (*given, *arguments)))
        except _GONE:
            raise self._died() from None
        # A job that keeps its deadline answers before `end`; a job that does not is ended at `end`.
        # The clock is read after every message, as a job may send partial answers without end.
        end = Deadline(deadline.moment + GRACE)
        while not end.passed():
            try:
                if not self._pipe.poll(min(end.moment - monotonic(), _LOOK)):
                    continue
                kind, answer = self._pipe.recv()
            except _GONE:
                raise self._died() from None
            if kind == "error":
                raise answer
            if kind == "answer":
                return answer
            heard(answer)
        self.end()
        return answer

    def _died(self) -> WorkerDiedError:
        how = how_ended(self._process.wait())
        self.end()
        died = WorkerDiedError(f"{self.name} ended unexpectedly ({how})")
        died.how = how
        return died

    def kill(self) -> None:
        """End the job under way from another thread: `ask` raises WorkerDiedError there."""
        process = self._process
        if process is not None:
            process.kill()

    def end(self) -> None:
        """End the process, whatever it is doing; the next job gets a new one."""
        process, self._process = self._process, None
        if process is None:
            return
        if self._external:
            # A worker without a program of its own is not sent SIGTERM: compiled code of a solver
            # does not answer the signal, and the wait would be in vain.
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(_PATIENCE)
        if self._apart:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        process.wait()
        self._pipe.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.end()

    def start(self) -> None:
        """Start the process, unless it runs; a forked one before this process has other threads."""
        if self.running:
            return
        self._held = self._forked and threading.active_count() == 1
        with held(*RAISING):
            if self._held:
                self._process, self._pipe = _fork(self.name, self._external, self._given)
                return
            self._process, self._pipe = start(
                *(_serve, self.name, os.getpid(), self._external),
                environment=self._environment,
                process_group=0 if self._apart else None,
            )


def within(
    seconds: float | None,
    solver: str,
    job: Callable[..., Any],
    *arguments: object,
    external: bool = False,
) -> Any:
    """Return the result of one job in a new worker for ``solver``, as `Worker.ask` does.

    ``seconds`` include the start of the worker.
    """
    with Worker(f"solver {solver!r}", external) as worker:
        return worker.ask(seconds, job, *arguments)


class _Copy:
    """A forked child, with those methods of ``subprocess.Popen`` that a `Worker` calls."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._code: int | None = None

    def wait(self, seconds: float | None = None) -> int:
        """Return the exit code, minus the number of a signal, within ``seconds``.

        Raises TimeoutExpired.
        """
        end = Deadline.after(seconds)
        while self._code is None:
            pid, status = os.waitpid(self.pid, 0 if seconds is None else os.WNOHANG)
            if pid:
                self._code = os.waitstatus_to_exitcode(status)
            elif end.passed():
                raise subprocess.TimeoutExpired("a forked worker", seconds or 0.0)
            else:
                sleep(_NAP)
        return self._code

    def terminate(self) -> None:
        """Send SIGTERM, if the process has not been waited for."""
        if self._code is None:
            os.kill(self.pid, signal.SIGTERM)

    def kill(self) -> None:
        """Send SIGKILL, if the process has not been waited for."""
        if self._code is None:
            os.kill(self.pid, signal.SIGKILL)


def _fork(name: str, external: bool, given: tuple[object, ...]) -> tuple[_Copy, Connection]:
    """Return a forked child that serves as a new Python would, and our end of the pipe to it."""
    here, there = Pipe()
    parent = os.getpid()
    pid = os.fork()
    if pid:
        there.close()
        return _Copy(pid), here
    code = 1
    try:
        here.close()
        # A new Python would have no handlers of ours, and stay deaf to what we ignore.
        for number in RAISING:
            if callable(signal.getsignal(number)):
                signal.signal(number, signal.SIG_DFL)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        _serve(there, name, parent, external, given)
        code = 0
    finally:
        # Without the exit handlers and the buffers of the parent, whatever happened.
        os._exit(code)


def _serve(
    pipe: Connection, name: str, parent: int, external: bool, given: tuple[object, ...] = ()
) -> None:
    """Do the jobs that come through ``pipe``, in the worker, until the owner closes it or ends.

    Each job sends any number of ``partial`` answers, then an ``answer`` or an ``error``.
    """
    if not end_with(parent, signal.SIGTERM if external else signal.SIGKILL):
        return
    # The pipe is reset, not just closed, if the owner ends while an answer is in the pipe.
    with suppress(*_GONE):
        while True:
            deadline, job, arguments = pipe.recv()
            try:
                answer = job(
                    lambda partial: pipe.send(("partial", partial)),
                    *(deadline, *given, *arguments),
                )
                pipe.send(("answer", answer))
            except CellError as error:
                pipe.send(("error", error))
            except ValueError as error:
                pipe.send(("error", ValueError(str(error))))
            except ChildProcessError as error:
                pipe.send(("error", WorkerDiedError(str(error))))
            except Exception as error:
                pipe.send(("error", WorkerDiedError(f"{name} failed ({one_line(error)})")))
