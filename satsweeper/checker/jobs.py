"""Parts of a check in processes of their own.

A part is a function of a module and what it is called with. It has its result, or its fault, in
whatever process it was done; where no process can be had, or one ends without an answer, it is done
in this one. So how many there are changes the time that a check takes, and nothing else. Only the
standard library is used, and what starts Python anew: for whoever trusts the checker trusts this as
well. A process ends with its part.
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
        # It reads only once it is up, which takes a moment that this process need not wait.
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

    Whoever asked for the part does it over then, and so has the failure.
    """
    # Whoever has started it hears of Ctrl-C, and ends it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        work, arguments = pipe.recv()
        answer: tuple[str, Any] = ("done", work(*arguments))
    except WrongCertificateError as error:
        answer = ("wrong", (error.file, error.fault))
    except Exception:
        return
    _send(pipe, answer)
