"""Contests: the results of a task, by contender, instance and seed.

Instances with different axes are in different contests: a CNF has nothing to encode, a board
without a total has no total to encode.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from satsweeper.compare.job.job import Job, Result, Task

PARTS: Final = {
    (False, False): "with a total",
    (False, True): "without a total",
    (True, False): "the total alone",
    (True, True): "nothing to encode",
}
"""Value of ``part_of`` -> name of the instances with this value."""


@dataclass(frozen=True, slots=True, order=True)
class Contender:
    """A contender of a contest; instances and seeds are repetitions."""

    encoding: str
    total_encoding: str
    solver: str
    order: str

    def label(self, parts: Iterable[str] = ()) -> str:
        """Return the named parts of the contender joined by slashes; all parts by default.

        >>> Contender("direct", "", "minisat22", "given").label(["encoding", "solver"])
        'direct/minisat22'
        """
        named = list(parts) or [field.name for field in fields(self)]
        return "/".join(getattr(self, name) or "-" for name in named)


@dataclass(frozen=True)
class Contest:
    """All results of a task on instances that use equal axes.

    ``results[c, i, s]`` is the result of the c-th contender on the i-th instance with the s-th
    seed, or None. Contenders are in alphabetical order. ``timeout`` is the time limit of a job in
    seconds, or None. ``part`` names the instances of the contest among those of the task; empty if
    the contest has all of them.
    """

    task: Task
    part: str
    contenders: tuple[Contender, ...]
    instances: tuple[str, ...]
    seeds: tuple[int, ...]
    results: NDArray[Any]
    timeout: float | None

    @property
    def title(self) -> str:
        """The task, and the name of the part of its instances."""
        return f"{self.task}, {self.part}" if self.part else str(self.task)

    @property
    def varying(self) -> tuple[str, ...]:
        """The parts in which contenders differ; with a single contender the parts in use."""
        names = [field.name for field in fields(Contender)]
        found = [n for n in names if len({getattr(c, n) for c in self.contenders}) > 1]
        return tuple(found or [n for n in names if getattr(self.contenders[0], n)])

    @property
    def fixed(self) -> dict[str, str]:
        """The parts that all contenders share, without unused parts."""
        first = self.contenders[0]
        names = [field.name for field in fields(Contender) if field.name not in self.varying]
        return {name: getattr(first, name) for name in names if getattr(first, name)}

    def label(self, contender: Contender) -> str:
        """The name of a contender by the parts in which contenders differ."""
        return contender.label(self.varying)

    def only(self, kept: Collection[Contender]) -> "Contest":
        """Return the contest among some of its contenders."""
        places = [at for at, each in enumerate(self.contenders) if each in kept]
        contenders = tuple(self.contenders[at] for at in places)
        return replace(self, contenders=contenders, results=self.results[places])


def part_of(job: Job) -> tuple[bool, bool]:
    """Whether the constraints and the total have no encoding in a job."""
    return not job.encoding, not job.total_encoding


def contender_of(job: Job) -> Contender:
    """The contender that a job belongs to."""
    return Contender(job.encoding, job.total_encoding, job.solver, str(job.order))


def contests(
    results: Sequence[Result], timeout: float | None, families: Mapping[str, str] | None = None
) -> list[Contest]:
    """The results by task, in the order of ``Task``, by family if given, and by ``part_of``.

    Args:
        results: results of any tasks, at most one for each job.
        timeout: the time limit of a job in seconds, or None.
        families: digest of an instance -> its family; then each family is a contest of its own.
    """
    found = []
    for task in Task:
        parts: dict[tuple[str, bool, bool], list[Result]] = {}
        for result in results:
            job = result.job
            if job.task is task:
                family = (families or {}).get(job.instance, "")
                key = (family, *part_of(job))
                parts.setdefault(key, []).append(result)
        several = len({key[1:] for key in parts}) > 1
        for key in sorted(parts):
            named = [key[0], PARTS[key[1:]] if several else ""]
            part = ", ".join(filter(None, named))
            found.append(_contest(task, part, parts[key], timeout))
    return found


def _contest(task: Task, part: str, results: Sequence[Result], timeout: float | None) -> Contest:
    contenders = {
        each: at for at, each in enumerate(sorted({contender_of(r.job) for r in results}))
    }
    named = sorted({(result.job.name, result.job.instance) for result in results})
    instances = {digest: at for at, digest in enumerate(dict.fromkeys(d for _, d in named))}
    seeds = {seed: at for at, seed in enumerate(sorted({result.job.seed for result in results}))}
    table = np.full((len(contenders), len(instances), len(seeds)), None, dtype=np.object_)
    for result in results:
        job = result.job
        table[contenders[contender_of(job)], instances[job.instance], seeds[job.seed]] = result
    return Contest(task, part, tuple(contenders), tuple(instances), tuple(seeds), table, timeout)
