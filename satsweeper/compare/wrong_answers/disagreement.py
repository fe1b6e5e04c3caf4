"""Contradictory and wrong answers, which stop a sweep."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from pbcnf.encoders.table import ENCODERS
from satsweeper.compare.job.contestants import NATIVE, Encoders, contestant
from satsweeper.compare.job.job import Job, Result, Task
from satsweeper.compare.job.measure import is_wrong
from satsweeper.processes.forked import ForkServer
from satsweeper.processes.limits import Limits


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


# The audit of users' encoders after a sweep, as jobs may all succeed with a wrong encoder.
#
# A clause that is missing from the encoding of a total shows only where a search happens to need
# it. So after a sweep that showed nothing, each such encoder is checked against every assignment of
# up to five inputs at every bound, in a process of its own that can be ended.

_INPUTS: Final = 5
_SECONDS: Final = 10.0
"""CPU seconds for one encoder; what takes longer is not said."""


def lines(found: Mapping[str, str]) -> list[str]:
    """Return a line for each fault that ``faulty`` returned."""
    return [
        f"{name} is wrong, although no job has shown it: {fault}" for name, fault in found.items()
    ]


def faulty(names: Iterable[str], encoders: Encoders | None = None) -> dict[str, str]:
    """The encoders of these names that are not ours and are wrong, and what is wrong with them."""
    own = dict(encoders or {})
    foreign = [n for n in dict.fromkeys(names) if n in own or n not in {"", NATIVE, *ENCODERS}]
    with ForkServer(partial(partial, _fault, own), Limits(seconds=_SECONDS)) as server:
        found = {name: server.ask(name) for name in foreign}
    # An encoder that ends the process has ended its jobs, too, and they say so.
    return {name: fault for name, fault in found.items() if isinstance(fault, str)}


def _fault(encoders: Encoders, name: str) -> str | None:
    from pbcnf.audit import Property, cases

    encoder = contestant(name, encoders)
    if encoder is None:
        return None
    # Jobs report exceptions; here only answers count.
    for case in cases(encoder, _INPUTS):
        if case.audit is not None and Property.CORRECT in case.audit.failures:
            return f"{case.bound}: {case.audit.failures[Property.CORRECT]}"
    return None
