"""Reports in notebooks: the tables of a sweep or a simulation, and the lines about them."""

from collections.abc import Iterable
from html import escape
from io import StringIO

from rich.console import Console

from pbcnf.show.table import html_table
from satsweeper.compare.report.findings import Findings
from satsweeper.compare.report.sentences import answerable, apart, progress, setting, wrong_answers
from satsweeper.compare.report.tables import growth_table, pair_table, score_table, status_table
from satsweeper.play.simulation.report import heading, remarks, run_table
from satsweeper.play.simulation.report import pair_table as games_pair_table
from satsweeper.play.simulation.run import Simulation
from satsweeper.report.table import Table
from satsweeper.show.report import show_report
from satsweeper.show.table import show_simulation, show_table


def html(value: Findings | Simulation | Table) -> str:
    """The tables of ``value`` with headings, as HTML without scripts.

    The only style is the alignment of cells.
    """
    if isinstance(value, Table):
        return html_table(value.caption, value.heads, value.rows, value.numbers)
    parts = _of_games(value) if isinstance(value, Simulation) else _of_sweep(value)
    return "\n".join(parts)


def text(value: Findings | Simulation | Table) -> str:
    """The report ``value`` as a terminal of unlimited width shows it, without colours."""
    stream = StringIO()
    console = Console(file=stream, color_system=None, force_terminal=False, force_jupyter=False)
    if isinstance(value, Table):
        show_table(console, value)
    elif isinstance(value, Simulation):
        show_simulation(value, console)
    else:
        show_report(value, console)
    return "\n".join(line.rstrip() for line in stream.getvalue().strip("\n").split("\n"))


def _of_sweep(found: Findings) -> Iterable[str]:
    if not found.trustworthy:
        yield "<p><strong>WRONG ANSWERS: no time below means anything.</strong></p>"
        yield from _paragraphs(wrong_answers(found))
    yield from _paragraphs(progress(found))
    for task in found.tasks:
        yield f"<h4>Task {escape(task.contest.title)}</h4>"
        yield from _paragraphs([setting(task), *filter(None, [answerable(task), *apart(task)])])
        yield html(score_table(task))
        if len(task.trusted.contenders) > 1:
            yield html(pair_table(task, "time"))
        yield html(growth_table(task))
        yield html(status_table(task))


def _of_games(found: Simulation) -> Iterable[str]:
    yield from _paragraphs(remarks(found))
    for each in found.tables:
        yield f"<h4>{escape(heading(each))}</h4>"
        yield html(run_table(each))
        if each.pairs:
            yield html(games_pair_table(each))


def _paragraphs(lines: Iterable[str]) -> Iterable[str]:
    for line in lines:
        yield f"<p>{escape(line)}.</p>"
