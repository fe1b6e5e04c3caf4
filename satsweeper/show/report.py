"""The findings of a sweep in a terminal; where the output is no terminal, nothing is cut off."""

import json
import shlex
from collections import Counter
from dataclasses import asdict
from typing import Final

from rich.console import Console

from pbcnf.wording import counted
from satsweeper.compare.job.job import JobStatus, Result
from satsweeper.compare.job.measure import is_wrong
from satsweeper.compare.report.findings import Findings, TaskFindings
from satsweeper.compare.report.sentences import (
    FEW,
    READING,
    SAME,
    answerable,
    apart,
    progress,
    setting,
    verdict,
    wrong_answers,
)
from satsweeper.compare.report.tables import growth_table, pair_table, score_table, status_table
from satsweeper.compare.statistics.measures import MEASURES
from satsweeper.compare.sweep.run import Compared, Prepared
from satsweeper.notation.error import printable
from satsweeper.processes.standard_output import print_answer
from satsweeper.show.table import show_line, show_table
from satsweeper.show.terminal import console_for

# A sweep in a few lines, or as one JSON object: its plan, and its results.

SCHEMA: Final = "satsweeper/compare-run/1"


def show_plan(prepared: Prepared, processes: int, as_json: bool) -> None:
    """Print the numbers of jobs and instances, and a limit on the time; as JSON all jobs.

    ``processes``: the number of processes, which divides the time.
    """
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
            power = "enough" if each.enough else "NOT ENOUGH to show any difference"
            print_answer(f"{each}: {power}")
    if prepared.limits.seconds is not None:
        hours = len(jobs) * prepared.limits.seconds / processes / 3600
        print_answer(f"at most {hours:.2g} hours, if every job takes all of its time")


def show_outcome(folder: str, prepared: Prepared, compared: Compared, as_json: bool) -> None:
    """Print the number of jobs by status, and the witness if a wrong answer stopped the sweep."""
    done, planned, witness = len(compared.results), len(prepared.jobs), compared.witness
    statuses = Counter(result.status.value for result in compared.results)
    if as_json:
        found, disagreement = compared.disagreement, None
        if found is not None:
            text = None if witness is None else witness.text()
            ids = [job.id for job in found.jobs]
            disagreement = {"line": str(found), "jobs": ids, "witness": text}
        answer = {
            "schema": SCHEMA,
            "folder": folder,
            "jobs": planned,
            "done": done,
            "statuses": dict(sorted(statuses.items())),
            "disagreement": disagreement,
            "faults": list(compared.faults),
        }
        print_answer(json.dumps(answer))
        return
    counts = ", ".join(f"{count} {status}" for status, count in sorted(statuses.items()))
    print_answer(f"{done} of {counted(planned, 'job')}: {counts or 'nothing to do'}")
    # Failed jobs are grouped by encoding and solver, each group with its first message.
    failed: dict[str, list[Result]] = {}
    for result in compared.results:
        if result.status is JobStatus.ERROR and not is_wrong(result):
            job = result.job
            name = "/".join(filter(None, (job.encoding, job.total_encoding, job.solver)))
            failed.setdefault(name, []).append(result)
    for name, errors in failed.items():
        first = printable(errors[0].message or "-")
        print_answer(f"{name}: errors in {len(errors)}, the first: {first}")
    if witness is not None:
        print_answer(witness.text(), end="")
    else:
        print_answer(f"now: satsweeper report {shlex.quote(folder)}")


def show_report(found: Findings, console: Console | None = None) -> None:
    """Print wrong answers, the progress of the sweep, and a section for each task."""
    console = console or console_for()
    if not found.trustworthy:
        show_line(console, "WRONG ANSWERS: no time below means anything")
        for line in wrong_answers(found):
            show_line(console, f"  {line}")
    for line in progress(found):
        show_line(console, line)
    if found.sweep.results and found.trustworthy:
        show_line(console, "all jobs of an instance and task gave the same answer")
    for task in found.tasks:
        _show_task(console, task)
    for line in READING if found.tasks else ():
        show_line(console, line)


def _show_task(console: Console, task: TaskFindings) -> None:
    show_line(console, f"\nTask {task.contest.title}: {setting(task)}", "bold")
    for line in filter(None, [answerable(task), *apart(task)]):
        show_line(console, line)
    show_table(console, score_table(task))
    if len(task.trusted.contenders) > 1:
        show_table(console, pair_table(task, "time"))
        for measure in MEASURES:
            if measure != "time":
                _claims(console, task, measure)
    show_table(console, growth_table(task))
    show_table(console, status_table(task))


def _claims(console: Console, task: TaskFindings, measure: str) -> None:
    """Print the significant differences by ``measure``, a line each, and the number of others."""
    compared = task.by(measure)
    if not compared:
        return
    claimed = [each for each in compared if each.better]
    few = [each for each in compared if each.corrected is not None and not each.enough]
    for what, number in ((FEW, len(few)), (SAME, len(compared) - len(claimed) - len(few))):
        if number:
            show_line(console, f"{measure}: {what} in {number} of {counted(len(compared), 'pair')}")
    for each in claimed:
        label = task.contest.label
        pair = f"{label(each.first)} : {label(each.second)}"
        show_line(console, f"{measure}: {pair}: {verdict(each, task.contest)}")
