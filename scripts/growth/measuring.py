"""Measuring a point: each run is a child of its own with a hard limit of CPU time.

As in ``satsweeper.competition.measuring``, whose children these are, no answer is taken on trust.
"""

from dataclasses import dataclass
from typing import Final, Self

from satsweeper.board.errors import DefectError
from satsweeper.competition.instance import EntryInstance, TooLargeError, instance_of
from satsweeper.competition.instance_family import Series
from satsweeper.competition.measurement import SolverRun
from satsweeper.competition.measuring import Children
from satsweeper.families.table import FAMILIES
from satsweeper.processes.limits import Ended
from satsweeper.solvers.output import Claim
from scripts.growth.contenders import Outcome, Task, series_for, task_of
from scripts.growth.points import Measured, Point

_MORE: Final = 1.0
"""Seconds that a child has beyond the limit: for imports, and as the clock may ring early."""
TIMEOUT: Final = "timeout"
TOO_LARGE: Final = "formula too large"


@dataclass(frozen=True, slots=True)
class Setting:
    """CPU seconds a run, runs a point, and the first seed; the others follow."""

    limit: float
    repetitions: int
    seed: int


class Measurer:
    """Measures points one after the other; a context manager."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._children = Children()

    def run(self, job: Point) -> Measured:
        """Measure a point; the first run without an answer is the last.

        Raises:
            DefectError: an answer is not what the family's argument says.
        """
        family = FAMILIES[job.family]
        series = series_for(family, job.contender)
        runs: list[SolverRun] = []
        verdicts: list[str] = []
        instance: EntryInstance | None = None
        for seed in range(self._setting.seed, self._setting.seed + self._setting.repetitions):
            if instance is None or series.seeded:
                try:
                    instance = instance_of(series, job.size, seed)
                except TooLargeError:
                    runs.append(SolverRun(Claim.UNKNOWN, 0.0, TOO_LARGE))
                    verdicts.append("")
                    break
            found = self._within(task_of(job.contender, instance, family, job.size, seed))
            _check(job, series, found.run)
            runs.append(found.run)
            verdicts.append(found.verdicts)
            if not found.run.solved:
                break
        return Measured(job, tuple(runs), tuple(verdicts))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._children.close()

    def _within(self, task: Task) -> Outcome:
        limit = self._setting.limit
        found = self._children.run(task, 1.1 * limit + _MORE)
        if isinstance(found, Ended):
            if found.how == "error":
                raise DefectError(found.what or "a contender failed")
            return Outcome(SolverRun(Claim.UNKNOWN, found.seconds, str(found)))
        outcome: Outcome = found
        if outcome.run.seconds > limit:
            return Outcome(SolverRun(Claim.UNKNOWN, outcome.run.seconds, TIMEOUT))
        return outcome


def _check(job: Point, series: Series, run: SolverRun) -> None:
    expected = Claim.SATISFIABLE if series.satisfiable else Claim.UNSATISFIABLE
    if run.solved and run.claim != expected:
        raise DefectError(f"{job.id}: it says {run.claim}; by argument it is {expected}")
