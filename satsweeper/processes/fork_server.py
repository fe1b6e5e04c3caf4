"""A process that has loaded what jobs need, and forks children that do them within limits.

It has one thread, so that forking is quick and safe, whatever threads its owner has. It is no child
by ``multiprocessing``: it may be used in any thread, in a daemonic process and from a script
without a main guard. It ends when its pipe does, and so does the child that it watches.
"""

import gc
import os
import pickle
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, Self

from satsweeper.processes.forked import Forked, Work
from satsweeper.processes.frames import receive, send
from satsweeper.processes.limits import Ended, Limits, one_line

_PATIENCE: Final = 5.0
"""Seconds that the server may take to end once its pipe is closed."""
_IDLE: Final = 2.0
"""Seconds between two looks at whether the owner still lives, while there is nothing to do."""


class ForkServer:
    """Does jobs one after the other, each within limits; a context manager, for one thread.

    It starts with the first job. When this process ends, however it does, the server ends too.

    Args:
        opening: returns what does a job, in the server; can be pickled.
        limits: of each job.
    """

    def __init__(self, opening: Callable[[], Work], limits: Limits) -> None:
        self._first = pickle.dumps((opening, limits))
        self._server: subprocess.Popen[bytes] | None = None

    def ask(self, request: object, external: bool = False) -> Any:
        """The result of a job, or how it ended: ``Ended``; ``external`` as in ``Forked``."""
        answer = None
        try:
            if self._server is None:
                self._server = _start()
                complaint = self._exchange(self._first)
                if complaint:
                    self.close()
                    return Ended("error", complaint.decode())
            answer = self._exchange(bytes([external]) + pickle.dumps(request))
        except BrokenPipeError:
            pass
        except BaseException:
            # Halfway through a message: nothing more can be said to it.
            self.close()
            raise
        if answer is None:
            self.close()
            return Ended("crash", "the process that watches over the job ended")
        return pickle.loads(answer)

    def close(self) -> None:
        """End the server, whatever it is doing; the next job starts a new one."""
        server, self._server = self._server, None
        if server is None:
            return
        for pipe in (server.stdin, server.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        try:
            server.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _exchange(self, message: bytes) -> bytes | None:
        """What the server answers; None if it ended instead."""
        server = self._server
        assert server is not None
        assert server.stdin is not None
        assert server.stdout is not None
        send(server.stdin.fileno(), message)
        return receive(server.stdout.fileno())


def _start() -> "subprocess.Popen[bytes]":
    # The same modules as here, and nothing else inherited: no threads, no main module.
    code = (
        f"import sys; sys.path[:] = {sys.path!r}\n"
        "from satsweeper.processes.fork_server import serve; serve()"
    )
    # One thread a process, and sets of texts in one order even in an encoder of somebody's own.
    alone = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
    return subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | alone,
        bufsize=0,
        # Ctrl-C is for the owner to deal with.
        start_new_session=True,
    )


def serve() -> None:
    """The server: do what comes through standard input until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests, replies = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    first = receive(requests)
    if first is None:
        return
    owner = os.getppid()
    try:
        opening, limits = pickle.loads(first)
        work = opening()
    except Exception as error:
        send(replies, (str(error) or one_line(error)).encode())
        return
    # Children share what is here as long as the collector does not touch it.
    gc.collect()
    gc.freeze()

    def asked(seconds: float) -> bool:
        return bool(select.select([requests], [], [], seconds)[0])

    def watch() -> None:
        # Nothing is asked while a job runs, unless the pipe has ended.
        if asked(0) or os.getppid() != owner:
            raise SystemExit

    with Forked(work, limits, watch, (requests, replies)) as child, suppress(BrokenPipeError):
        send(replies, b"")
        while True:
            while not asked(_IDLE):
                if os.getppid() != owner:
                    return
            request = receive(requests)
            if request is None:
                return
            answer = child.exchange(request[1:], external=bool(request[0]))
            send(replies, pickle.dumps(answer) if isinstance(answer, Ended) else answer)
