"""Jobs within limits where the system cannot fork: in a process that is started anew.

It imports what jobs need when it starts, and again after each job that ended it.
"""

import os
import pickle
from collections.abc import Callable
from time import thread_time
from typing import Any, Final, Self

from satsweeper.processes.deadline import Deadline
from satsweeper.processes.forked import Last, Work
from satsweeper.processes.limits import Ended, Limits, one_line
from satsweeper.processes.memory import limit_memory, peak_memory
from satsweeper.processes.worker import Worker, WorkerDiedError


class SpawnServer:
    """Does jobs one after the other, each within limits; a context manager, for one thread.

    As ``ForkServer``, with limits as the system allows: seconds are of the clock, as nobody counts
    a job's CPU time from outside, and memory is limited where the system refuses what is too much.

    Args:
        opening: returns what does a job, in the process; can be pickled.
        limits: of each job.
    """

    def __init__(self, opening: Callable[[], Work], limits: Limits) -> None:
        self._first = pickle.dumps((opening, limits.memory))
        self._limits = limits
        self._worker: Worker | None = None
        self._external = False

    def ask(self, request: object, external: bool = False) -> Any:
        """The result of a job, or how it ended: ``Ended``; ``external`` as in ``Forked``."""
        if external != self._external:
            self.close()
        seconds = self._limits.clock(external=True)
        try:
            if self._worker is None:
                self._external = external
                self._worker = Worker("the process of a job", external)
            if not self._worker.running:
                complaint = self._worker.ask(None, _open, self._first)
                if complaint:
                    self.close()
                    return Ended("error", complaint)
            found = self._worker.ask(seconds, _do, pickle.dumps(request))
        except WorkerDiedError as died:
            return Ended("crash", died.how or str(died))
        except BaseException:
            # Halfway through a message: nothing more can be said to it.
            self.close()
            raise
        if found is None:
            return Ended("timeout", None, seconds or 0.0)
        last, answer = found
        if last:
            self.close()
        return pickle.loads(answer)

    def close(self) -> None:
        """End the process, whatever it is doing; the next job starts a new one."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


_OPENED: Final[list[Work]] = []
"""In the process: what does its jobs."""


def _open(send: object, deadline: Deadline, first: bytes) -> str:
    """Get ready for jobs; what prevents it. What is written to the standard streams is nobody's."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (1, 2):
        os.dup2(nothing, stream)
    try:
        opening, memory = pickle.loads(first)
        _OPENED.append(opening())
    except Exception as error:
        return str(error) or one_line(error)
    if memory is not None:
        limit_memory(memory)
    return ""


def _do(send: object, deadline: Deadline, request: bytes) -> tuple[bool, bytes]:
    """Whether this was the last job of the process, and what came of it."""
    began = thread_time()
    try:
        found = _OPENED[-1](pickle.loads(request))
    except MemoryError:
        found = Last(Ended("memory", None, thread_time() - began, peak_memory()))
    except BaseException as error:
        # Some libraries raise what is no Exception, as for a panic in Rust.
        found = Ended("error", one_line(error), thread_time() - began, peak_memory())
    last = isinstance(found, Last)
    return last, pickle.dumps(found.value if isinstance(found, Last) else found)
