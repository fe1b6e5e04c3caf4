"""What a sweep found, in a terminal; where the output is no terminal, nothing is cut off."""

from typing import Final, Literal

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

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
from satsweeper.compare.report.tables import (
    Table,
    growth_table,
    pair_table,
    score_table,
    status_table,
)
from satsweeper.compare.statistics.measures import MEASURES
from satsweeper.show.console import console_for

_WIDE: Final = 100_000


def show_report(found: Findings, console: Console | None = None) -> None:
    """Print answers that differ, how much there is, and a section a task."""
    console = console or console_for()
    if not found.trustworthy:
        _line(console, "WRONG ANSWERS: no time below means anything")
        for line in wrong_answers(found):
            _line(console, f"  {line}")
    for line in progress(found):
        _line(console, line)
    if found.sweep.results and found.trustworthy:
        _line(console, "all jobs of an instance and task gave the same answer")
    for task in found.tasks:
        _show_task(console, task)
    for line in READING if found.tasks else ():
        _line(console, line)


def _show_task(console: Console, task: TaskFindings) -> None:
    _line(console, f"\nTask {task.contest.title}: {setting(task)}", "bold")
    for line in filter(None, [answerable(task), *apart(task)]):
        _line(console, line)
    _table(console, score_table(task))
    if len(task.trusted.contenders) > 1:
        _table(console, pair_table(task, "time"))
        for measure in MEASURES:
            if measure != "time":
                _claims(console, task, measure)
    _table(console, growth_table(task))
    _table(console, status_table(task))


def _claims(console: Console, task: TaskFindings, measure: str) -> None:
    """The significant differences by a measure, a line each, and how many others there are."""
    compared = task.by(measure)
    if not compared:
        return
    claimed = [each for each in compared if each.better]
    few = [each for each in compared if each.corrected is not None and not each.enough]
    for what, number in ((FEW, len(few)), (SAME, len(compared) - len(claimed) - len(few))):
        if number:
            _line(console, f"{measure}: {what} in {number} of {counted(len(compared), 'pair')}")
    for each in claimed:
        label = task.contest.label
        pair = f"{label(each.first)} : {label(each.second)}"
        _line(console, f"{measure}: {pair}: {verdict(each, task.contest)}")


def _table(console: Console, table: Table) -> None:
    """The table; in a terminal without the spare columns for which there is no room."""
    before = console.width
    if console.is_terminal:
        wide = console.options.update(width=_WIDE)
        for dropped in range(len(table.spare) + 1):
            grid = _grid(table.without(table.spare[:dropped]))
            if console.measure(grid, options=wide).maximum <= console.width:
                break
    else:
        grid = _grid(table)
        console.width = _WIDE
    console.print(grid)
    console.width = before


def _grid(table: Table) -> Grid:
    grid = Grid(title=Text(table.caption, "italic"), title_justify="left", box=SIMPLE_HEAD)
    for at, head in enumerate(table.heads):
        justify: Literal["left", "right"] = "right" if at in table.numbers else "left"
        grid.add_column(Text(head), justify=justify, overflow="fold")
    for row in table.rows:
        grid.add_row(*map(Text, row))
    return grid


def _line(console: Console, line: str, style: str = "") -> None:
    console.print(Text(line, style), soft_wrap=not console.is_terminal)
