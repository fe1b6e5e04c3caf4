"""The jobs of a sweep: a list that depends on nothing but what is compared, in a fair order."""

import hashlib
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final, Protocol, TypeVar

from satsweeper.compare.job.job import Job, LiteralOrder, Task, result_of
from satsweeper.compare.sweep.journal import J, Records, SweepJob

RECORDS: Final = Records("satsweeper/compare/1", result_of, ("satsweeper", "pysat"))
"""The format of the folder of a comparison; the code of these packages is compared."""


class PlanSubject(Protocol):
    """An instance as plans use it."""

    @property
    def name(self) -> str:
        """The name for users."""
        ...

    @property
    def digest(self) -> str:
        """The digest of its content."""
        ...


S = TypeVar("S", bound=PlanSubject)


Uses = Callable[[S, Task], tuple[bool, bool] | None]
"""Whether a task on an instance needs an encoding, and one of the total; None: no such task."""


@dataclass(frozen=True, slots=True)
class Axes:
    """The axes of a comparison; every combination is a contender. Seeds are ``0 .. seeds - 1``.

    Raises:
        ValueError: an axis without a value, or fewer than one seed.
    """

    tasks: tuple[Task, ...]
    encodings: tuple[str, ...]
    total_encodings: tuple[str, ...]
    solvers: tuple[str, ...]
    orders: tuple[LiteralOrder, ...] = (LiteralOrder.GIVEN,)
    seeds: int = 1

    def __post_init__(self) -> None:
        """Check that every axis has a value."""
        for axis in ("tasks", "encodings", "total_encodings", "solvers", "orders"):
            if not getattr(self, axis):
                raise ValueError(f"no {axis.replace('_', ' ')} to compare")
        if self.seeds < 1:
            raise ValueError(f"{self.seeds} seeds: at least 1")


def jobs_of(subjects: Iterable[S], axes: Axes, uses: Uses[S]) -> list[Job]:
    """Return all jobs, each once, block by block; a block is an instance under a seed.

    The contenders of a block follow one another, in an order that is drawn from the block alone:
    whatever drifts while a sweep runs (heat, load, clock) hits all of them alike, and none is
    always first. An axis that a task has no use for takes one value: no encoding, the order given.
    Instances of equal content are taken once.
    """
    contenders: dict[str, list[Job]] = {}
    for subject in subjects:
        if subject.digest not in contenders:
            contenders[subject.digest] = _contenders(subject, axes, uses)
    jobs = []
    for seed in range(axes.seeds):
        for digest, found in contenders.items():
            block = [replace(job, seed=seed) for job in found]
            Random(f"{digest} {seed}").shuffle(block)
            jobs += block
    return jobs


def _contenders(subject: S, axes: Axes, uses: Uses[S]) -> list[Job]:
    found: dict[Job, None] = {}
    for task in axes.tasks:
        used = uses(subject, task)
        if used is None:
            continue
        for encoding in axes.encodings if used[0] else ("",):
            for total_encoding in axes.total_encodings if used[1] else ("",):
                for solver in axes.solvers:
                    for order in axes.orders if any(used) else (LiteralOrder.GIVEN,):
                        job = Job(
                            instance=subject.digest,
                            name=subject.name,
                            task=task,
                            encoding=encoding,
                            total_encoding=total_encoding,
                            solver=solver,
                            order=order,
                            seed=0,
                        )
                        found[job] = None
    return list(found)


def block_of(job: Job) -> Hashable:
    """Return a value that the jobs of a block share and other jobs do not."""
    return job.instance, job.seed


def shard_of(jobs: Sequence[J], number: int, of: int, block: Callable[[J], Hashable]) -> list[J]:
    """Every ``of``-th block, from block ``number`` on, which counts from 1.

    Blocks stay whole, so that contenders on one instance meet on one machine.

    Raises:
        ValueError: ``number`` is not between 1 and ``of``.
    """
    if not 1 <= number <= of:
        raise ValueError(f"shard {number}/{of}: the first number is 1 to the second")
    blocks: dict[Hashable, list[J]] = {}
    for job in jobs:
        blocks.setdefault(block(job), []).append(job)
    return [job for each in list(blocks.values())[number - 1 :: of] for job in each]


def digest_of(jobs: Iterable[SweepJob], *rules: object) -> str:
    """16 hexadecimal digits of a list of jobs, and of what else their results depend on."""
    hashed = hashlib.sha256()
    for rule in rules:
        hashed.update(f"{rule!r}\n".encode())
    for job in jobs:
        hashed.update(f"{job.id}\n".encode())
    return hashed.hexdigest()[:16]
