"""Parts of a check in processes of their own.

A part is a function of a module and its arguments. Its result, or its fault, does not depend on the
process: if no process can be started, or a process ends without an answer, the calling process does
the part. So the number of processes changes the time that a check takes, and nothing else. Only the
standard library and the module that starts Python are used, since both belong to the trusted code.
A process ends with its part.
"""

import signal
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from threading import Thread
from typing import Any, Final, Self, TypeVar

from satsweeper.checker.errors import WrongCertificateError
from satsweeper.processes.interpreter import start

T = TypeVar("T")


class Jobs:
    """A context manager that runs parts in up to ``most`` processes, the calling one included.

    On exit all other processes are killed, also in the middle of a part.
    """

    def __init__(self, most: int = 1) -> None:
        if most < 1:
            raise ValueError(f"jobs={most}: at least 1")
        self._most = most
        self._running: list[subprocess.Popen[bytes]] = []

    def start(self, work: Callable[..., T], *arguments: object) -> Callable[[], T]:
        """Start ``work(*arguments)``; return a function that waits for the result or error.

        If ``most`` processes are busy, the returned function does the work when it is called.
        """
        self._running = [process for process in self._running if process.poll() is None]
        if len(self._running) >= self._most - 1:
            return partial(work, *arguments)
        try:
            process, here = start(_serve)
        except OSError:
            return partial(work, *arguments)
        self._running.append(process)
        # The new process reads its pipe only once Python is up. A thread sends the part, so that
        # this thread need not wait.
        Thread(target=_send, args=(here, (work, arguments)), daemon=True).start()
        return partial(self._answer, here, work, arguments)

    def shares(self, work: Sequence[T]) -> list[Sequence[T]]:
        """Divide ``work`` into shares of about equal size, at most one for each process."""
        size = -(-len(work) // self._most) or 1
        return [work[at : at + size] for at in range(0, len(work), size)]

    def _answer(self, here: Connection, work: Callable[..., T], arguments: tuple[object, ...]) -> T:
        """Return the result that comes through pipe ``here``; without a result, do the work."""
        try:
            kind, answer = here.recv()
        except (EOFError, OSError):
            return work(*arguments)
        if kind == "wrong":
            raise WrongCertificateError(*answer)
        found: T = answer
        return found

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for process in self._running:
            process.kill()
            process.wait()


ALONE: Final = Jobs()
"""Jobs without other processes."""


def _send(pipe: Connection, message: object) -> None:
    with suppress(OSError):
        pipe.send(message)


def _serve(pipe: Connection) -> None:
    """In a process: do one part; for any failure but a fault of the certificate send nothing.

    The calling process then does the part again, so that the failure is raised there.
    """
    # Ctrl-C also interrupts the calling process, which then kills this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        work, arguments = pipe.recv()
        answer: tuple[str, Any] = ("done", work(*arguments))
    except WrongCertificateError as error:
        answer = ("wrong", (error.file, error.fault))
    except Exception:
        return
    _send(pipe, answer)
