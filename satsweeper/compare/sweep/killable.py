"""Jobs of a sweep in a forked child of a worker, each within limits."""

import pickle
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Self

from pbcnf.encoders.protocol import Encoder
from satsweeper.compare.instances.instance import Instance
from satsweeper.compare.job.job import Job, LiteralOrder, Task
from satsweeper.compare.job.measure import measure
from satsweeper.compare.job.result import JobStatus, Measured, Result
from satsweeper.position import Position
from satsweeper.processes.fork_server import ForkServer
from satsweeper.processes.forked import Last, Work
from satsweeper.processes.limits import Ended, Limits
from satsweeper.solvers.programs import EXTERNAL


class Killable:
    """Runs jobs of a sweep one after the other, each within limits; a context manager.

    ``run`` raises nothing that a job raises. A job beyond its time has the status ``timeout``,
    beyond its memory ``memory``, and ``crash`` with the name of the signal if its process ended.
    The CPU time of the whole job is then in ``measured.solve``.

    Args:
        instances: the instances that jobs name.
        limits: of each job.
        encoders: encoders of the caller's own, by name; pickled here, so that a module that the
            other process can import has to hold their classes. Or the bytes of their pickle.
        budget: as in ``measure``.

    Raises:
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
        self._instances = {instance.digest: instance for instance in instances}
        if not isinstance(encoders, bytes):
            encoders = pickle.dumps(dict(encoders or {}))
        self._server = ForkServer(partial(_open, encoders, budget), limits or Limits())

    def run(self, job: Job) -> Result:
        """Return the result of ``job``, whatever ended it."""
        instance = self._instances.get(job.instance)
        if instance is None:
            return _result(job, Ended("error", f"no instance {job.instance[:16]}"))
        return self.run_on(job, instance)

    def run_on(self, job: Job, instance: Instance) -> Result:
        """Return the result of ``job`` on ``instance``, whatever ended it."""
        answer = self._server.ask((job, instance), external=job.solver.startswith(EXTERNAL))
        return _result(job, answer) if isinstance(answer, Ended) else answer

    def close(self) -> None:
        """End the worker, whatever it is doing; the next job starts a new one."""
        self._server.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _result(job: Job, ended: Ended) -> Result:
    measured = Measured(0.0, ended.seconds, ended.memory)
    return Result(job, JobStatus(ended.how), measured, message=ended.what)


def _open(encoders: bytes, budget: bool) -> Work:
    """Load in the server what jobs need, by doing a small job, and return the function for jobs."""
    try:
        own = pickle.loads(encoders) or None
    except Exception as error:
        raise ValueError(f"the encoders cannot be loaded: {error}") from None
    instance = Instance.of_board(Position.parse("1 3 1\n?1?"), "")
    names = ("direct", "totalizer", "minisat22")
    measure(Job(instance.digest, "", Task.CLASSIFY, *names, LiteralOrder.RANDOM, 1), instance)

    def work(asked: tuple[Job, Instance]) -> Result | Last:
        result = measure(*asked, own, budget=budget)
        # After an allocation has failed, little memory is left for the next job.
        return Last(result) if result.status is JobStatus.MEMORY else result

    return work
