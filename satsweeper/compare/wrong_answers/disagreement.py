"""Contradictory and wrong answers, which stop a sweep."""

from dataclasses import dataclass

from satsweeper.compare.job.job import Job, Task
from satsweeper.compare.job.measure import is_wrong
from satsweeper.compare.job.result import Result


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two jobs of one instance and task with different answers; or one whose answer is wrong."""

    first: Result
    second: Result | None

    @property
    def jobs(self) -> tuple[Job, ...]:
        """The one or two jobs."""
        return tuple(result.job for result in (self.first, self.second) if result is not None)

    def __str__(self) -> str:
        """Return a line that names the jobs."""
        told = f"{self.first.job.name}, task {self.first.job.task}: {_named(self.first)}"
        if self.second is None:
            return f"{told}: {self.first.message}"
        return f"disagreement: {told} and {_named(self.second)}"


class Watch:
    """Sees every result, and tells as soon as two answers differ or one is wrong."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, Task], Result] = {}

    def see(self, result: Result) -> Disagreement | None:
        """Take in one more result."""
        if is_wrong(result):
            return Disagreement(result, None)
        if not result.status.solved:
            return None
        first = self._seen.setdefault((result.job.instance, result.job.task), result)
        return Disagreement(first, result) if differ(first, result) else None


def differ(first: Result, second: Result) -> bool:
    """Whether two answers to a question contradict each other."""
    if not (first.status.solved and second.status.solved):
        return False
    return (first.status, first.verdicts) != (second.status, second.verdicts)


def contender(job: Job) -> str:
    """Return the values that tell ``job`` from other jobs of its instance and task."""
    parts = [job.encoding, job.total_encoding, job.solver, job.order, f"seed {job.seed}"]
    return "/".join(part for part in parts if part)


def _named(result: Result) -> str:
    said = f" says {result.status}" if result.status.solved else ""
    return f"{contender(result.job)} ({result.job.id}){said}"
