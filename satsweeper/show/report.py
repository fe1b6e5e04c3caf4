"""The findings of a sweep in a terminal; where the output is no terminal, nothing is cut off."""

import json
import shlex
from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Final, Literal

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

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
from satsweeper.report.table import Table
from satsweeper.show.terminal import console_for

if TYPE_CHECKING:
    from satsweeper.play.simulation.run import Simulation


# Tables and lines in a terminal; where the output is no terminal, nothing is cut off.

_WIDE: Final = 100_000
_AROUND: Final = 3
"""The width of a column beside its text: two blanks, and one between columns."""


def show_table(console: Console, table: Table) -> None:
    """Print a table; in a terminal no word is broken.

    Where there is no room the spare columns go first, then lines are broken between words; where
    that is not enough either, each row is a list with a line for each column.
    """
    if not console.is_terminal:
        before, console.width = console.width, _WIDE
        console.print(_grid(table, _widest(table)))
        console.width = before
        return
    room = console.width - 2
    for dropped in range(len(table.spare) + 1):
        less = table.without(table.spare[:dropped])
        widths = _widest(less)
        if _taken(widths) <= room:
            console.print(_grid(less, widths))
            return
    # No column is narrower than its longest word.
    columns = [[word for text in column for word in text.split()] for column in _columns(less)]
    widths = [max((Text(word).cell_len for word in words), default=0) for words in columns]
    if _taken(widths) > room:
        show_line(console, table.caption, "italic")
        for first, *others in table.rows:
            show_line(console, f"\n{first}", "bold")
            for head, text in zip(table.heads[1:], others, strict=True):
                if text:
                    show_line(console, f"  {head}: {text}")
        show_line(console, "")
        return
    for at, most in sorted(enumerate(_widest(less)), key=lambda column: column[1]):
        # What is left goes to the narrow columns first: they soon need no more.
        widths[at] += min(most - widths[at], room - _taken(widths))
    console.print(_grid(less, widths))


def _columns(table: Table) -> list[tuple[str, ...]]:
    return [(head, *(row[at] for row in table.rows)) for at, head in enumerate(table.heads)]


def _widest(table: Table) -> list[int]:
    return [max(Text(text).cell_len for text in column) for column in _columns(table)]


def _taken(widths: list[int]) -> int:
    return sum(widths) + _AROUND * len(widths) - 1


def _grid(table: Table, widths: list[int]) -> Grid:
    grid = Grid(title=Text(table.caption, "italic"), title_justify="left", box=SIMPLE_HEAD)
    for at, (head, width) in enumerate(zip(table.heads, widths, strict=True)):
        justify: Literal["left", "right"] = "right" if at in table.numbers else "left"
        grid.add_column(Text(head), justify=justify, overflow="fold", width=width)
    for row in table.rows:
        grid.add_row(*map(Text, row))
    return grid


def show_line(console: Console, line: str, style: str = "") -> None:
    """A line, broken between words in a terminal only."""
    console.print(Text(line, style), soft_wrap=not console.is_terminal)


def show_simulation(found: "Simulation", console: Console | None = None) -> None:
    """Print remarks, then the tables of every setting, then how to read them."""
    from satsweeper.play.simulation.report import READING, heading, pair_table, remarks, run_table

    console = console or console_for()
    notes = list(remarks(found))
    for line in notes:
        show_line(console, line)
    for at, table in enumerate(found.tables):
        show_line(console, "\n" * bool(at or notes) + heading(table), "bold")
        show_table(console, run_table(table))
        if table.pairs:
            show_table(console, pair_table(table))
    for line in READING[: 1 + any(table.pairs for table in found.tables)]:
        show_line(console, line)


# A sweep in a few lines, or as one JSON object: its plan, and its results.

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
    # The jobs that failed, by encoding and solver, with the first message.
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
    """Print answers that differ, how much there is, and a section a task."""
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
    """Print the significant differences by a measure, a line each, and the number of others."""
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
