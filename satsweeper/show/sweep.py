"""A sweep in a few lines, or as one JSON object: its plan, and its results."""

import json
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any, Final

from pbcnf.wording import counted
from satsweeper.compare.job.measure import is_wrong
from satsweeper.compare.job.result import JobStatus, Result
from satsweeper.compare.sweep.run import Compared, Prepared
from satsweeper.notation.error import printable
from satsweeper.processes.standard_output import print_answer

SCHEMA: Final = "satsweeper/compare-run/1"


def show_plan(prepared: Prepared, processes: int, as_json: bool) -> None:
    """Print the numbers of jobs and instances, and a limit on the time; as JSON all jobs."""
    jobs = prepared.jobs
    if as_json:
        rows = [{"id": job.id, **asdict(job)} for job in jobs]
        contests = [asdict(each) for each in prepared.planned]
        plan = {"digest": prepared.digest, "comparisons": contests, "jobs": rows}
        print_answer(json.dumps({"schema": SCHEMA, **plan}))
        return
    instances = len({job.instance for job in jobs})
    seeds = counted(prepared.axes.seeds, "seed")
    print_answer(f"{counted(len(jobs), 'job')} on {counted(instances, 'instance')}, {seeds}")
    for each in prepared.planned:
        if each.comparisons:
            print_answer(
                f"{each}: {'enough' if each.enough else 'NOT ENOUGH to show any difference'}"
            )
    if prepared.limits.seconds is not None:
        hours = len(jobs) * prepared.limits.seconds / processes / 3600
        print_answer(f"at most {hours:.2g} hours, if every job takes all of its time")


def show_outcome(folder: str, prepared: Prepared, compared: Compared, as_json: bool) -> None:
    """Print the number of jobs by status, and the witness if a wrong answer stopped the sweep."""
    done, planned = len(compared.results), len(prepared.jobs)
    statuses = Counter(result.status.value for result in compared.results)
    if as_json:
        answer = {
            "schema": SCHEMA,
            "folder": folder,
            "jobs": planned,
            "done": done,
            "statuses": dict(sorted(statuses.items())),
            "disagreement": _disagreement(compared),
            "faults": list(compared.faults),
        }
        print_answer(json.dumps(answer))
        return
    counts = ", ".join(f"{count} {status}" for status, count in sorted(statuses.items()))
    print_answer(f"{done} of {counted(planned, 'job')}: {counts or 'nothing to do'}")
    for line in _failures(compared.results):
        print_answer(line)
    if compared.witness is not None:
        print_answer(compared.witness.text(), end="")
    else:
        print_answer(f"now: satsweeper report {shlex.quote(folder)}")


def _failures(results: Iterable[Result]) -> Iterator[str]:
    """The number of jobs that failed, by encoding and solver, with the first message."""
    failed: dict[str, list[Result]] = {}
    for result in results:
        if result.status is JobStatus.ERROR and not is_wrong(result):
            job = result.job
            name = "/".join(filter(None, (job.encoding, job.total_encoding, job.solver)))
            failed.setdefault(name, []).append(result)
    for name, errors in failed.items():
        yield f"{name}: errors in {len(errors)}, the first: {printable(errors[0].message or '-')}"


def _disagreement(compared: Compared) -> dict[str, Any] | None:
    found, witness = compared.disagreement, compared.witness
    if found is None:
        return None
    text = None if witness is None else witness.text()
    return {"line": str(found), "jobs": [job.id for job in found.jobs], "witness": text}
