"""Jobs of a sweep and their results: a task on an instance, by an encoding, solver and order."""

import hashlib
import json
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

from pbcnf.constraints.order import LiteralOrder


class Task(StrEnum):
    """The measurement that a job makes.

    ``classify``: the verdict of every covered cell, in one live solver. ``consistent``: one call,
    is there a layout. ``total``: the constraint on the number of mines alone, one call. ``solve``:
    one call on a problem (OPB, KNF) or a CNF from anyone.
    """

    CLASSIFY = "classify"
    CONSISTENT = "consistent"
    TOTAL = "total"
    SOLVE = "solve"


@dataclass(frozen=True)
class Job:
    """A job of a sweep; equal jobs have equal ids, on every machine.

    ``instance`` is the digest of the instance's content, ``name`` its name for users. ``encoding``
    or ``total_encoding`` is empty if the task has nothing to encode by it. ``seed`` 0 keeps the
    order of variables and clauses; any other seed scrambles both. The seed also draws the literal
    order ``random``.
    """

    instance: str
    name: str
    task: Task
    encoding: str
    total_encoding: str
    solver: str
    order: LiteralOrder
    seed: int

    @cached_property
    def id(self) -> str:
        """16 hexadecimal digits that depend on nothing but the job."""
        text = json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]


# The result of a job: a line of a sweep's results.


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
    """An exception, or a wrong answer; see ``message``."""

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
    answer (the verdict of every cell, or sat/unsat), which must be equal in all jobs of one
    instance and task. ``budget``: the least number of conflicts with which the solver decides, None
    if it was not measured.
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
        own = {field: fields.pop(field) for field in Job.__dataclass_fields__}
        job = Job(**own | {"task": Task(own["task"]), "order": LiteralOrder(own["order"])})
        status = JobStatus(fields.pop("status"))
        measured = Measured(**fields.pop("measured"))
        result = Result(job=job, status=status, measured=measured, **fields)
    except (KeyError, TypeError) as error:
        raise ValueError(f"not a result: {error}") from None
    if job.id != known:
        raise ValueError(f"the id {known} is not that of its job")
    return result
