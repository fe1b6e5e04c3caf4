"""Jobs in a forked child of a worker, each within limits of CPU time, wall-clock time and memory.

The worker has one thread and has loaded what jobs need, so that forking is quick and safe, whatever
threads its owner has. It may be used in any thread and from a script without a main guard.
"""

import gc
import os
import pickle
import signal
from collections.abc import Callable
from types import FrameType
from typing import Any, Final, NoReturn, Self

from satsweeper.processes.deadline import Deadline
from satsweeper.processes.forked import Forked, Work
from satsweeper.processes.limits import Ended, Limits, one_line
from satsweeper.processes.worker import Worker, WorkerDiedError

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
