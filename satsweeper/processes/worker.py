"""Work in a process of its own, which can be ended on the dot whatever its solver does.

Budgets of conflicts end most searches in time (``limit.py``); this is for the solvers that have
none, and for a single step that takes long. The worker sends what it has proved as it goes, so
that ending it loses only the step under way.
"""

import ctypes
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from time import time
from typing import Any, Final

from satsweeper.board.errors import FailedError
from satsweeper.solvers.programs import EXTERNAL
from satsweeper.solvers.protocol import SolverFailedError

GRACE: Final = 0.5
"""Seconds that a worker may take beyond its limit before it is ended."""


class WorkerDiedError(FailedError, RuntimeError):
    """The worker ended without an answer: its solver crashed or was killed from outside."""


def within(seconds: float, solver: str, job: Callable[..., Any], *arguments: object) -> Any:
    """What ``job(send, deadline, *arguments)`` returns in a worker, or the last thing it sent.

    None if the time was over before either. ``job`` is a function of a module; it may go on until
    ``deadline`` (as of ``time.time``), is ended half a second later, and owns the worker's main
    thread.

    Raises:
        WorkerDiedError: there is no answer, since the solver crashed or failed.
        ValueError: ``job`` raised one.
    """
    deadline = time() + seconds
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    external = solver.startswith(EXTERNAL)
    process = context.Process(
        target=_work, args=(there, solver, deadline, job, arguments), daemon=True
    )
    answer: Any = None
    try:
        with no_interrupt():
            process.start()
        there.close()
        while here.poll(max(deadline + GRACE - time(), 0)):
            message = here.recv()
            if isinstance(message, Exception):
                raise message
            final, answer = message
            if final:
                break
    except EOFError:
        process.join()
        raise WorkerDiedError(
            f"solver {solver!r} ended unexpectedly ({how_ended(process.exitcode)})"
        ) from None
    finally:
        if process.pid is not None:
            if external:
                # So that it ends its own child; a solver in the worker itself would not listen.
                process.terminate()
                process.join(GRACE)
            process.kill()
            process.join()
        here.close()
    return answer


def _work(
    out: Connection,
    solver: str,
    deadline: float,
    job: Callable[..., Any],
    arguments: tuple[object, ...],
) -> None:
    """The worker: sends ``(False, partial)`` as it goes and ``(True, answer)`` at the end."""
    last = signal.SIGTERM if solver.startswith(EXTERNAL) else signal.SIGKILL
    if not end_with_parent(last):
        return
    with suppress(BrokenPipeError):
        try:
            answer = job(lambda partial: out.send((False, partial)), deadline, *arguments)
            out.send((True, answer))
        except ValueError as error:
            out.send(ValueError(str(error)))
        except SolverFailedError as error:
            out.send(WorkerDiedError(str(error)))
        except Exception as error:
            what = " ".join(f"{type(error).__name__}: {error}".split())
            out.send(WorkerDiedError(f"solver {solver!r} failed ({what})"))


def end_with_parent(last: signal.Signals) -> bool:
    """Leave Ctrl-C to the parent, and get this signal when it ends; False: it has ended already."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if sys.platform == "linux" and parent is not None:
        # No orphan may go on searching: PR_SET_PDEATHSIG.
        ctypes.CDLL(None).prctl(1, last)
        return os.getppid() == parent.pid
    return True


@contextmanager
def no_interrupt() -> Iterator[None]:
    """Hold Ctrl-C back; a process started meanwhile never sees one, not even while it starts."""
    if sys.platform == "win32":
        yield
        return
    # Starting it unblocks the signal, so it must run before.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def how_ended(code: int | None) -> str:
    """The exit code of a process, or the signal that ended it."""
    if code is not None and code < 0:
        return signal.Signals(-code).name
    return f"exit code {code}"
