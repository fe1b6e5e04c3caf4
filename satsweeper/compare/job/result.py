"""The result of a job: a line of a sweep's results."""

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from satsweeper.compare.job.job import Job, LiteralOrder, Task


class JobStatus(StrEnum):
    """The way in which a job ended. Only ``sat`` and ``unsat`` are answers."""

    SAT = "sat"
    UNSAT = "unsat"
    UNKNOWN = "unknown"
    """The solver gave up."""
    TIMEOUT = "timeout"
    MEMORY = "memory"
    CRASH = "crash"
    """The process ended without an answer."""
    ERROR = "error"
    """An exception, or an answer that is wrong; ``message`` says which."""

    @property
    def solved(self) -> bool:
        """Whether the status is an answer."""
        return self in (JobStatus.SAT, JobStatus.UNSAT)


@dataclass(frozen=True)
class Measured:
    """Measurements that differ between runs: CPU seconds, and bytes of peak memory."""

    encode: float
    solve: float
    memory: int


@dataclass(frozen=True)
class Result:
    """The result of a job; everything but ``measured`` is equal in every run.

    Counts are None where the job ended before they were known. ``verdicts`` is a digest of the
    answer (of every cell's verdict; or of sat/unsat): two jobs of one instance and task must agree.
    ``budget``: the least number of conflicts with which the solver decides, None if not asked for.
    """

    job: Job
    status: JobStatus
    measured: Measured
    variables: int | None = None
    clauses: int | None = None
    literals: int | None = None
    conflicts: int | None = None
    propagations: int | None = None
    decisions: int | None = None
    calls: int | None = None
    verdicts: str | None = None
    budget: int | None = None
    message: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The object of one line: ``id`` first, then the job's fields, then the outcome's."""
        own = {key: value for key, value in asdict(self).items() if key != "job"}
        own["measured"] = own.pop("measured")
        return {"id": self.job.id, **asdict(self.job), **own}


def result_of(line: object) -> Result:
    """The result that ``as_json`` wrote.

    Raises:
        ValueError: a field is missing or unknown, or the id is not the job's.
    """
    if not isinstance(line, dict):
        raise ValueError("not a result: no object")
    fields: dict[str, Any] = dict(line)
    try:
        known = fields.pop("id")
        job = Job(
            instance=fields.pop("instance"),
            name=fields.pop("name"),
            task=Task(fields.pop("task")),
            encoding=fields.pop("encoding"),
            total_encoding=fields.pop("total_encoding"),
            solver=fields.pop("solver"),
            order=LiteralOrder(fields.pop("order")),
            seed=fields.pop("seed"),
        )
        status = JobStatus(fields.pop("status"))
        measured = Measured(**fields.pop("measured"))
        result = Result(job=job, status=status, measured=measured, **fields)
    except (KeyError, TypeError) as error:
        raise ValueError(f"not a result: {error}") from None
    if job.id != known:
        raise ValueError(f"the id {known} is not that of its job")
    return result
