"""Parts of a check in processes of their own.

A part is a function of a module and its arguments. Its result, or its fault, does not depend on the
process: where no process can be had, or a process ends without an answer, the part is done in this
one. So the number of processes changes the time that a check takes, and nothing else. Only the
standard library is used, and the module that starts Python: whoever trusts the checker trusts this
as well. A process ends with its part.
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
    """Starts parts, ``most`` at a time with what this process does; a context manager.

    Leaving it ends all processes, whatever they are doing.
    """

    def __init__(self, most: int = 1) -> None:
        if most < 1:
            raise ValueError(f"jobs={most}: at least 1")
        self._most = most
        self._running: list[subprocess.Popen[bytes]] = []

    def start(self, work: Callable[..., T], *arguments: object) -> Callable[[], T]:
        """Start ``work(*arguments)``; return a function that waits for the result or error.

        If enough other parts are running, the work is done when that function is called.
        """
        self._running = [process for process in self._running if process.poll() is None]
        if len(self._running) >= self._most - 1:
            return partial(work, *arguments)
        try:
            process, here = start(_serve)
        except OSError:
            return partial(work, *arguments)
        self._running.append(process)
        # The new process reads only once it is up: a thread waits for that, not this one.
        Thread(target=_send, args=(here, (work, arguments)), daemon=True).start()
        return partial(self._answer, here, work, arguments)

    def shares(self, work: Sequence[T]) -> list[Sequence[T]]:
        """Divide ``work`` into shares of about equal size, at most one for each process."""
        size = -(-len(work) // self._most) or 1
        return [work[at : at + size] for at in range(0, len(work), size)]

    def _answer(self, here: Connection, work: Callable[..., T], arguments: tuple[object, ...]) -> T:
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

    The process that asked for the part then does the part itself, and so has the failure.
    """
    # The process that has started this one hears of Ctrl-C, and ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        work, arguments = pipe.recv()
        answer: tuple[str, Any] = ("done", work(*arguments))
    except WrongCertificateError as error:
        answer = ("wrong", (error.file, error.fault))
    except Exception:
        return
    _send(pipe, answer)
