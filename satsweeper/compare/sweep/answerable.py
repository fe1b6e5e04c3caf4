"""Whether a sweep can show any difference: known before it runs, from its jobs alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from pbcnf.wording import counted
from satsweeper.compare.job.job import Job
from satsweeper.compare.statistics.contest import PARTS, Contender, contender_of, part_of
from satsweeper.compare.statistics.signed_rank import instances_needed
from satsweeper.solvers.programs import EXTERNAL
from satsweeper.solvers.table import features


@dataclass(frozen=True, slots=True)
class Planned:
    """The comparisons of one contest to come.

    ``comparisons`` counts those of all parts of the task, over which p-values are corrected: at
    the most, as measures in which nobody differs are not tested. ``needed`` instances are the
    fewest with which a difference can be shown among so many.
    """

    task: str
    part: str
    contenders: int
    instances: int
    comparisons: int
    needed: int

    @property
    def enough(self) -> bool:
        """Whether there are as many instances as needed, or nothing is compared."""
        return not self.comparisons or self.instances >= self.needed

    def __str__(self) -> str:
        """Return a line for the user."""
        title = f"{self.task}, {self.part}" if self.part else self.task
        what = (
            f"task {title}: up to {counted(self.comparisons, 'comparison')} of"
            f" {counted(self.contenders, 'contender')}"
        )
        there = f"{self.instances} {'is' if self.instances == 1 else 'are'} there"
        need = "needs" if self.comparisons == 1 else "need"
        return f"{what} {need} {self.needed} instances; {there}"


def planned(jobs: Sequence[Job], budget: bool) -> list[Planned]:
    """The contests of a sweep, by task; ``budget``: whether budgets are measured as well."""
    tasks: dict[str, dict[tuple[bool, bool], list[Job]]] = {}
    for job in jobs:
        tasks.setdefault(str(job.task), {}).setdefault(part_of(job), []).append(job)
    found = []
    for task, parts in tasks.items():
        contenders = {key: set(map(contender_of, own)) for key, own in parts.items()}
        count = sum(_comparisons(key, each, budget) for key, each in contenders.items())
        for key in sorted(parts):
            found.append(
                Planned(
                    task,
                    PARTS[key] if len(parts) > 1 else "",
                    contenders=len(contenders[key]),
                    instances=len({job.instance for job in parts[key]}),
                    comparisons=count if len(contenders[key]) > 1 else 0,
                    needed=instances_needed(count),
                )
            )
    return found


def _comparisons(key: tuple[bool, bool], contenders: set[Contender], budget: bool) -> int:
    return sum(
        _measures(key, first.solver, second.solver, budget)
        for first, second in combinations(contenders, 2)
    )


def _measures(key: tuple[bool, bool], first: str, second: str, budget: bool) -> int:
    """By how many measures two contenders can differ: those that both solvers take."""
    solvers = {first, second}
    # Time and its parts; where nothing is encoded, that takes no time.
    count = 2 if key == (True, True) else 3
    if not any(solver.startswith(EXTERNAL) for solver in solvers):
        count += 2
    return count + (budget and all(features(solver).budget for solver in solvers))
