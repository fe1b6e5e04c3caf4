"""Jobs in a process of their own, which can be killed at any moment and is then replaced."""

import os
import pickle
import subprocess
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Self

from pbcnf.encoders.protocol import Encoder
from satsweeper.compare.instances.instance import Instance
from satsweeper.compare.job.job import Job
from satsweeper.compare.job.result import Measured, Result, Status
from satsweeper.processes.frames import receive, send
from satsweeper.processes.limits import Ended, Limits
from satsweeper.solvers.programs import EXTERNAL

_PATIENCE: Final = 5.0
"""Seconds that the process may take to end once its pipe is closed."""


class Killable:
    """Does jobs one after the other, each within limits. A context; it starts with the first job.

    ``run`` raises nothing for what a job does. A job beyond its time has the status ``timeout``,
    beyond its memory ``memory``, and ``crash`` with the name of the signal if its process ended by
    itself. ``measured`` then has the CPU time of the whole job in ``solve``.

    The process is no child by ``multiprocessing``: it may be used in any thread, in a daemonic
    process and from a script without a main guard; a ``Killable`` itself belongs to one thread.
    When this process ends, however it does, the other ends too.

    Args:
        instances: the instances that jobs name.
        limits: of each job.
        encoders: encoders of the caller's own, by name; pickled here, so that a module that the
            other process can import has to hold their classes. Or the bytes of their pickle.
        budget: as in ``measure``.

    Raises:
        OSError: the system cannot fork, so that there would be no limits.
        TypeError, pickle.PicklingError: encoders that cannot be pickled.
    """

    def __init__(
        self,
        instances: Iterable[Instance],
        limits: Limits | None = None,
        encoders: Mapping[str, Encoder] | bytes | None = None,
        *,
        budget: bool = False,
    ) -> None:
        if not hasattr(os, "fork"):
            raise OSError("jobs within limits need a system that can fork processes")
        self._instances = {instance.digest: instance for instance in instances}
        if encoders is not None and not isinstance(encoders, bytes):
            encoders = pickle.dumps(dict(encoders))
        self._first = pickle.dumps((limits or Limits(), encoders, budget))
        self._keeper: subprocess.Popen[bytes] | None = None

    def run(self, job: Job) -> Result:
        """The outcome of a job."""
        instance = self._instances.get(job.instance)
        if instance is None:
            return _result(job, Status.ERROR, message=f"no instance {job.instance[:16]}")
        kind = b"e" if job.solver.startswith(EXTERNAL) else b"-"
        try:
            answer = self._ask(kind + pickle.dumps((job, instance)))
        except BaseException:
            # Halfway through a message: nothing more can be said to it.
            self.close()
            raise
        if isinstance(answer, Result):
            return answer
        if isinstance(answer, Ended):
            return _result(job, Status(answer.how), answer, answer.what)
        self.close()
        if isinstance(answer, str):
            return _result(job, Status.ERROR, message=answer)
        return _result(job, Status.CRASH, message="the process that watches over the job ended")

    def close(self) -> None:
        """End the other process, whatever it is doing; the next job starts a new one."""
        keeper, self._keeper = self._keeper, None
        if keeper is None:
            return
        for pipe in (keeper.stdin, keeper.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        try:
            keeper.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            keeper.kill()
            keeper.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _ask(self, message: bytes) -> Any:
        """What the other process answers; None if it ended instead."""
        try:
            if self._keeper is None:
                self._keeper = _start()
                complaint = self._exchange(self._first)
                if complaint != b"":
                    return None if complaint is None else complaint.decode()
            answer = self._exchange(message)
            return None if answer is None else pickle.loads(answer)
        except BrokenPipeError:
            return None

    def _exchange(self, message: bytes) -> bytes | None:
        keeper = self._keeper
        assert keeper is not None
        assert keeper.stdin is not None
        assert keeper.stdout is not None
        send(keeper.stdin.fileno(), message)
        return receive(keeper.stdout.fileno())


def _start() -> "subprocess.Popen[bytes]":
    # The same modules as here, and nothing else inherited: no threads, no main module.
    code = (
        f"import sys; sys.path[:] = {sys.path!r}\n"
        "from satsweeper.compare.sweep.keeper import main; main()"
    )
    # One thread a process, and sets of texts in one order even in an encoder of somebody's own.
    alone = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
    return subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | alone,
        bufsize=0,
        # Ctrl-C is for the sweep to deal with.
        start_new_session=True,
    )


def _result(
    job: Job, status: Status, ended: Ended | None = None, message: str | None = None
) -> Result:
    measured = Measured(0.0, ended.seconds, ended.memory) if ended else Measured(0.0, 0.0, 0)
    return Result(job, status, measured, message=message)
