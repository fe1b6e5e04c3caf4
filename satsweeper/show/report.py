"""The findings of a sweep in a terminal; where the output is no terminal, nothing is cut off."""

from rich.console import Console

from pbcnf.wording import counted
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
from satsweeper.show.table import show_line, show_table
from satsweeper.show.terminal import console_for


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
