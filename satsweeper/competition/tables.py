"""Rows of an entry's tables: instances, measurements, and confirmations of answers."""

import csv
import io
from collections.abc import Sequence
from typing import Any, Final

from satsweeper.competition.files import stem
from satsweeper.competition.instance import Series
from satsweeper.competition.measurement import Measurement, SolverRun
from satsweeper.competition.measuring import WEAK, Bar
from satsweeper.competition.solving import ELIMINATION
from satsweeper.count.odds import digits

_DECIDED: Final = ("instance", "answer", "variables", "clauses", "weak", "strong")
HEADS: Final = {
    "sat": _DECIDED,
    "pb": ("instance", "answer", "variables", "constraints", "weak", "strong"),
    "counting": ("instance", "models", "variables", "clauses", "weak", "strong"),
}
"""Of the rows of a track."""
_SHOWN: Final = 15
"""Digits of a number of models that a table shows."""


def row(track: str, measured: Measurement) -> tuple[str, ...]:
    """A row for readers; seconds that were not enough are marked by ``>``."""
    run = measured.solved
    answer = "" if run is None else str(run.claim).lower()
    if run is not None and run.count is not None:
        answer = shortened(run.count)
    size = measured.constraints if track == "pb" else measured.clauses
    return (
        stem(measured),
        answer,
        str(measured.variables),
        str(size),
        _seconds(measured.weak),
        _seconds(measured.strong),
    )


def shortened(number: int) -> str:
    """A number, or of a large one how many digits it has."""
    text = digits(number)
    return text if len(text) <= _SHOWN else f"{text[0]}.{text[1:4]}e{len(text) - 1}"


def confirmed(series: Series, bar: Bar, measured: Measurement) -> list[str]:
    """Return the confirmations of the answer, besides the argument of the family."""
    strong = ELIMINATION if bar.track == "counting" else bar.strong
    found = [
        f"{name}: {run.claim.lower()}"
        for name, run in ((WEAK, measured.weak), (strong, measured.strong))
        if run is not None and run.solved
    ]
    if measured.model:
        found.append("a model, checked against clauses and constraints")
    if measured.sums:
        found.append(f"sums of constraints: {measured.sums}")
    return found


def as_json(series: Series, bar: Bar, measured: Measurement) -> dict[str, Any]:
    """Return the object of an instance in ``entry.json``."""
    job, run = measured.job, measured.solved
    said = measured.as_json()
    for name in ("weak", "strong"):
        if said[name] is not None:
            del said[name]["count"]
    return {
        "name": stem(measured),
        "family": series.family.name,
        "series": job.series,
        "size": job.size,
        "seed": job.seed,
        "status": "satisfiable" if series.satisfiable else "unsatisfiable",
        "why": series.why,
        "models": None if run is None or run.count is None else digits(run.count),
        "variables": measured.variables,
        "clauses": measured.clauses,
        "constraints": measured.constraints,
        "grade": measured.grade,
        "weak": said["weak"],
        "strong": said["strong"],
        "confirmed": confirmed(series, bar, measured),
    }


def csv_text(rows: Sequence[dict[str, Any]]) -> str:
    """The times as CSV: a line an instance, seconds empty where a solver was not asked."""
    stream = io.StringIO()
    heads = ["name", "family", "size", "seed", "status", "models", "variables", "clauses"]
    heads += ["constraints", "grade"]
    runs = ("weak", "strong")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([*heads, *(f"{run}_{what}" for run in runs for what in ("claim", "seconds"))])
    for each in rows:
        said = [(each[run] or {}).get(what, "") for run in runs for what in ("claim", "seconds")]
        writer.writerow([*("" if each[head] is None else each[head] for head in heads), *said])
    return stream.getvalue()


def _seconds(run: SolverRun | None) -> str:
    if run is None:
        return ""
    return f"{run.seconds:.2f}" if run.solved else f"> {run.seconds:.3g}"
