"""The jobs of a sweep: a list determined by instances and axes alone, in a fair order."""

import hashlib
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from random import Random
from typing import Any, Final, TypeVar

from pbcnf.constraints.order import LiteralOrder
from satsweeper.compare.job.job import Job, Task, result_of
from satsweeper.compare.sweep.journal import Records

RECORDS: Final = Records("satsweeper/compare/1", result_of, ("satsweeper", "pysat"))
"""The format of the folder of a comparison; the code of these packages is compared."""


Uses = Callable[[Any, Task], tuple[bool, bool] | None]
"""Whether a task on an instance needs an encoding, and an encoding of the total; or None.

None: the instance does not have the task.
"""

J = TypeVar("J")


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


def jobs_of(subjects: Iterable[Any], axes: Axes, uses: Uses) -> list[Job]:
    """Return all jobs, each once, block by block; a block is an instance under a seed.

    Each of ``subjects`` has a ``name`` for users and the ``digest`` of its content.

    The contenders of a block follow one another, in an order that is drawn from the block alone:
    drift during a sweep (heat, load, clock) affects all contenders alike, and no contender is
    always first. An axis that a task does not use has one value: no encoding, the given order.
    Instances of equal content are taken once.
    """
    contenders: dict[str, list[Job]] = {}
    for subject in subjects:
        digest, name = subject.digest, subject.name
        if digest in contenders:
            continue
        found: dict[Job, None] = {}
        for task in axes.tasks:
            used = uses(subject, task)
            if used is not None:
                encodings = axes.encodings if used[0] else ("",)
                totals = axes.total_encodings if used[1] else ("",)
                orders = axes.orders if any(used) else (LiteralOrder.GIVEN,)
                for encoding, total, solver, order in product(
                    encodings, totals, axes.solvers, orders
                ):
                    found[Job(digest, name, task, encoding, total, solver, order, seed=0)] = None
        contenders[digest] = list(found)
    jobs = []
    for seed in range(axes.seeds):
        for digest, own in contenders.items():
            block = [replace(job, seed=seed) for job in own]
            Random(f"{digest} {seed}").shuffle(block)
            jobs += block
    return jobs


def block_of(job: Job) -> Hashable:
    """Return a value that is equal for the jobs of one block only."""
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


def digest_of(jobs: Iterable[Any], *rules: object) -> str:
    """16 hexadecimal digits that depend on ``jobs`` and on ``rules``, such as limits."""
    hashed = hashlib.sha256()
    for rule in rules:
        hashed.update(f"{rule!r}\n".encode())
    for job in jobs:
        hashed.update(f"{job.id}\n".encode())
    return hashed.hexdigest()[:16]
