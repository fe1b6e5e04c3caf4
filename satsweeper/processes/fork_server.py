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
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, Final, Self

from satsweeper.processes.forked import Forked, Work, receive_frame, send_frame
from satsweeper.processes.interpreter import start
from satsweeper.processes.limits import Ended, Limits, one_line

_PATIENCE: Final = 5.0
"""Seconds that the server may take to end once its pipe is closed."""
_IDLE: Final = 2.0
"""Seconds between two looks at whether the owner still lives, while there is nothing to do."""
_ALONE: Final = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
"""One thread a process, and one order of sets of strings, whichever encoder is loaded there."""


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
        self._pipe: Any = None

    def ask(self, request: object, external: bool = False) -> Any:
        """The result of a job, or how it ended: ``Ended``; ``external`` as in ``Forked``."""
        answer = None
        try:
            if self._server is None:
                # Ctrl-C is for the owner to deal with.
                self._server, self._pipe = start(_serve, environment=_ALONE, process_group=0)
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
        self._pipe.close()
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
        send_frame(self._pipe.fileno(), message)
        return receive_frame(self._pipe.fileno())


def _serve(pipe: Connection) -> None:
    """The server: do the jobs that come through ``pipe`` until its other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    link = pipe.fileno()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    first = receive_frame(link)
    if first is None:
        return
    owner = os.getppid()
    try:
        opening, limits = pickle.loads(first)
        work = opening()
    except Exception as error:
        send_frame(link, (str(error) or one_line(error)).encode())
        return
    # Children share what is here as long as the collector does not touch it.
    gc.collect()
    gc.freeze()

    def asked(seconds: float) -> bool:
        return bool(select.select([link], [], [], seconds)[0])

    def watch() -> None:
        # Nothing is asked while a job runs, unless the pipe has ended.
        if asked(0) or os.getppid() != owner:
            raise SystemExit

    with Forked(work, limits, watch, (link,)) as child, suppress(BrokenPipeError):
        send_frame(link, b"")
        while True:
            while not asked(_IDLE):
                if os.getppid() != owner:
                    return
            request = receive_frame(link)
            if request is None:
                return
            answer = child.exchange(request[1:], external=bool(request[0]))
            send_frame(link, pickle.dumps(answer) if isinstance(answer, Ended) else answer)
