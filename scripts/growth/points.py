"""What is measured at a point: a contender on a family at one size, several times."""

from dataclasses import dataclass
from statistics import median
from typing import Any

from satsweeper.competition.measurement import SolverRun


@dataclass(frozen=True, slots=True)
class Point:
    """A contender, a family and a size."""

    family: str
    contender: str
    size: int

    @property
    def id(self) -> str:
        """As in ``ones/minisat22/12``."""
        return f"{self.family}/{self.contender}/{self.size}"


@dataclass(frozen=True, slots=True)
class Measured:
    """The runs at a point, up to the first without an answer.

    ``verdicts``: for each run a digest of what a complete engine said of all cells, else empty.
    """

    job: Point
    runs: tuple[SolverRun, ...]
    verdicts: tuple[str, ...]

    @property
    def decided(self) -> bool:
        """Whether every run has an answer."""
        return all(run.solved for run in self.runs)

    @property
    def seconds(self) -> tuple[float, float, float]:
        """CPU time: the median, the least and the most."""
        times = [run.seconds for run in self.runs]
        return median(times), min(times), max(times)

    def as_json(self) -> dict[str, Any]:
        """The object of a line of the journal."""
        runs = [
            {"claim": run.claim, "seconds": round(run.seconds, 6), "reason": run.reason}
            for run in self.runs
        ]
        job = self.job
        return {
            "id": job.id,
            "family": job.family,
            "contender": job.contender,
            "size": job.size,
            "runs": runs,
            "verdicts": list(self.verdicts),
        }


def measured_of(line: object) -> Measured:
    """Read the object of a line; ValueError for anything else."""
    try:
        said: Any = line
        runs = tuple(
            SolverRun(str(run["claim"]), float(run["seconds"]), str(run["reason"]))
            for run in said["runs"]
        )
        if not runs:
            raise ValueError("a point without runs")
        job = Point(str(said["family"]), str(said["contender"]), int(said["size"]))
        return Measured(job, runs, tuple(map(str, said["verdicts"])))
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no measurement of a point: {error}") from None
