"""The measurement of an instance, as a line of the journal."""

from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

from satsweeper.solvers.output import Claim

Grade = Literal["easy", "hard", "unsolved", "too large"]
"""``easy``: solved by the weak solver. ``hard``: solved by the strong solver alone.

``unsolved``: solved by neither. ``too large``: not measured.
"""

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

    ``claim``: SATISFIABLE, UNSATISFIABLE, COUNTED or UNKNOWN. ``reason``: the cause of UNKNOWN.
    ``count``: the number of models, None without a count. ``seconds``: CPU time, loading included.
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
        """The run as an object; the number of models, which may be very large, is hexadecimal."""
        count = None if self.count is None else hex(self.count)
        return asdict(self) | {"seconds": round(self.seconds, 3), "count": count}


@dataclass(frozen=True, slots=True)
class Measurement:
    """The runs of the weak solver and, if that run had no answer, of the strong solver.

    ``sums``: the kind of a refutation by sums of constraints (``modulo 2``, ``linear program``),
    empty without a refutation or an attempt. ``model``: bit v - 1 is variable v of a checked model,
    in hexadecimal digits; empty without a model. ``digest``: the MD5 of the clauses.
    """

    job: Probe
    variables: int = 0
    clauses: int = 0
    constraints: int = 0
    weak: SolverRun | None = None
    strong: SolverRun | None = None
    sums: str = ""
    model: str = ""
    digest: str = ""

    @property
    def grade(self) -> Grade:
        """The grade of the instance."""
        if self.weak is None:
            return "too large"
        if self.weak.solved:
            return "easy"
        return "hard" if self.strong is not None and self.strong.solved else "unsolved"

    @property
    def solved(self) -> SolverRun | None:
        """The run with an answer, the strong solver's if both have one; None without an answer."""
        for run in (self.strong, self.weak):
            if run is not None and run.solved:
                return run
        return None

    def as_json(self) -> dict[str, Any]:
        """The object of a line of the journal."""
        own, runs = asdict(self), {"weak": self.weak, "strong": self.strong}
        said = {name: run and run.as_json() for name, run in runs.items()}
        return {"id": self.job.id, **own.pop("job"), **own, **said}


def measurement_of(line: object) -> Measurement:
    """Return the measurement of the object of a line; ValueError for any other value."""
    try:
        fields: Any = line
        job = Probe(str(fields["series"]), int(fields["size"]), int(fields["seed"]))
        variables, clauses, constraints = (int(fields[key]) for key in _COUNTS)
        runs = _run(fields["weak"]), _run(fields["strong"])
        int(fields["model"] or "0", 16)
        counts = variables, clauses, constraints
        digest = str(fields.get("digest", ""))
        return Measurement(job, *counts, *runs, str(fields["sums"]), fields["model"], digest)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no measurement of an instance: {error}") from None


def _run(fields: Any) -> SolverRun | None:
    if fields is None:
        return None
    count = fields["count"]
    claim, seconds, reason = str(fields["claim"]), float(fields["seconds"]), str(fields["reason"])
    return SolverRun(claim, seconds, reason, None if count is None else int(count, 16))
