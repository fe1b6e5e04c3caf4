"""Rows of an entry's tables: instances, measurements, and confirmations of answers."""

import io
from collections.abc import Sequence
from typing import Any, Final

from satsweeper.competition.files import stem
from satsweeper.competition.instance import Series
from satsweeper.competition.measurement import Measurement
from satsweeper.competition.measuring import WEAK, Bar
from satsweeper.competition.solving import ELIMINATION
from satsweeper.count.odds import digits
from satsweeper.report.table import write_csv

HEADS: Final = {
    "sat": ("instance", "answer", "variables", "clauses", "weak", "strong"),
    "pb": ("instance", "answer", "variables", "constraints", "weak", "strong"),
    "counting": ("instance", "models", "variables", "clauses", "weak", "strong"),
}
"""Track -> heads of the columns of its table."""


def row(track: str, measured: Measurement) -> tuple[str, ...]:
    """The row of an instance; seconds of a run without an answer are marked by ``>``."""
    run = measured.solved
    answer = "" if run is None else str(run.claim).lower()
    if run is not None and run.count is not None:
        answer = shortened(run.count)
    size = measured.constraints if track == "pb" else measured.clauses
    seconds = ["", ""]
    for at, asked in enumerate((measured.weak, measured.strong)):
        if asked is not None:
            seconds[at] = f"{asked.seconds:.2f}" if asked.solved else f"> {asked.seconds:.3g}"
    return (stem(measured.job), answer, str(measured.variables), str(size), *seconds)


def shortened(number: int) -> str:
    """A number of up to 15 digits in full, a larger number by four digits and an exponent."""
    text = digits(number)
    return text if len(text) <= 15 else f"{text[0]}.{text[1:4]}e{len(text) - 1}"


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
    run, said = measured.solved, measured.as_json()
    for name in ("weak", "strong"):
        if said[name] is not None:
            del said[name]["count"]
    return {
        "name": stem(measured.job),
        "family": series.family.name,
        **{name: said[name] for name in ("series", "size", "seed")},
        "status": "satisfiable" if series.satisfiable else "unsatisfiable",
        "why": series.why,
        "models": None if run is None or run.count is None else digits(run.count),
        **{name: said[name] for name in ("variables", "clauses", "constraints")},
        "grade": measured.grade,
        "weak": said["weak"],
        "strong": said["strong"],
        "confirmed": confirmed(series, bar, measured),
    }


def csv_text(rows: Sequence[dict[str, Any]]) -> str:
    """The times as CSV: a line for each instance, seconds empty for a solver that did not run."""
    heads = ["name", "family", "size", "seed", "status", "models", "variables", "clauses"]
    heads += ["constraints", "grade"]
    runs = [(run, what) for run in ("weak", "strong") for what in ("claim", "seconds")]
    lines = [
        {head: each[head] for head in heads}
        | {f"{run}_{what}": (each[run] or {}).get(what) for run, what in runs}
        for each in rows
    ]
    stream = io.BytesIO()
    write_csv([*heads, *(f"{run}_{what}" for run, what in runs)], lines, stream)
    return stream.getvalue().decode()
