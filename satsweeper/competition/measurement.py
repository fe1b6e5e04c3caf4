"""The measurement of an instance, as a line of the journal."""

from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

from satsweeper.solvers.output import Claim

Grade = Literal["easy", "hard", "unsolved", "too large"]
"""``easy``: the weak solver has an answer. ``hard``: the strong one alone. Else ``unsolved``."""

_COUNTS: Final = ("variables", "clauses", "constraints")
COUNTED: Final = "COUNTED"
"""The claim of a counter, beside the claims of ``Claim``."""


@dataclass(frozen=True, slots=True)
class Probe:
    """An instance to be measured: a series by its name, a size and a seed."""

    series: str
    size: int
    seed: int

    @property
    def id(self) -> str:
        """The identifier, as in ``ones/12/0``."""
        return f"{self.series}/{self.size}/{self.seed}"


@dataclass(frozen=True, slots=True)
class SolverRun:
    """The run of a solver on an instance.

    ``claim``: SATISFIABLE, UNSATISFIABLE, COUNTED or UNKNOWN; then ``reason`` says why. ``count``:
    the models that it counted. ``seconds`` of CPU time, loading included.
    """

    claim: str
    seconds: float
    reason: str = ""
    count: int | None = None

    @property
    def solved(self) -> bool:
        """Whether there is an answer."""
        return self.claim != Claim.UNKNOWN

    def as_json(self) -> dict[str, Any]:
        """An object; numbers of models are in hexadecimal digits, as they may have thousands."""
        return {
            "claim": self.claim,
            "seconds": round(self.seconds, 3),
            "reason": self.reason,
            "count": None if self.count is None else hex(self.count),
        }


@dataclass(frozen=True, slots=True)
class Measurement:
    """The runs on an instance, the weak solver's and, if that had no answer, the strong one's.

    ``sums``: how sums of the constraints refute it (``modulo 2``, ``linear program``), empty if
    they do not, or were not asked. ``model``: bit v - 1 is variable v of a checked model, in
    hexadecimal digits; empty if there is none.
    """

    job: Probe
    variables: int = 0
    clauses: int = 0
    constraints: int = 0
    weak: SolverRun | None = None
    strong: SolverRun | None = None
    sums: str = ""
    model: str = ""

    @property
    def grade(self) -> Grade:
        """The grade of an instance by the bar."""
        if self.weak is None:
            return "too large"
        if self.weak.solved:
            return "easy"
        return "hard" if self.strong is not None and self.strong.solved else "unsolved"

    @property
    def solved(self) -> SolverRun | None:
        """The run with an answer, if there is one."""
        for run in (self.strong, self.weak):
            if run is not None and run.solved:
                return run
        return None

    def as_json(self) -> dict[str, Any]:
        """The object of a line of the journal."""
        runs = {"weak": self.weak, "strong": self.strong}
        return {
            "id": self.job.id,
            **asdict(self.job),
            **{name: getattr(self, name) for name in _COUNTS},
            **{name: None if run is None else run.as_json() for name, run in runs.items()},
            "sums": self.sums,
            "model": self.model,
        }


def measurement_of(line: object) -> Measurement:
    """Read the object of a line; ValueError for anything else."""
    try:
        said: Any = line
        job = Probe(str(said["series"]), int(said["size"]), int(said["seed"]))
        variables, clauses, constraints = (int(said[key]) for key in _COUNTS)
        runs = _run(said["weak"]), _run(said["strong"])
        int(said["model"] or "0", 16)
        counts = variables, clauses, constraints
        return Measurement(job, *counts, *runs, str(said["sums"]), said["model"])
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no measurement of an instance: {error}") from None


def _run(said: Any) -> SolverRun | None:
    if said is None:
        return None
    count = said["count"]
    claim, seconds, reason = str(said["claim"]), float(said["seconds"]), str(said["reason"])
    return SolverRun(claim, seconds, reason, None if count is None else int(count, 16))
