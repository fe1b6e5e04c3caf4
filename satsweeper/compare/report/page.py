"""The report as a self-contained page of HTML: tables, plots, manifest, command."""

from collections.abc import Iterator, Sequence
from html import escape

from satsweeper.compare.report.findings import Findings, TaskFindings
from satsweeper.compare.report.plots import SCATTERS, plots
from satsweeper.compare.report.sentences import (
    READING,
    answerable,
    apart,
    progress,
    setting,
    wrong_answers,
)
from satsweeper.compare.report.tables import (
    growth_table,
    pair_table,
    score_table,
    status_table,
)
from satsweeper.compare.statistics.measures import MEASURES
from satsweeper.report.html import document, figure_html, origin, table_html


def page(found: Findings, command: Sequence[str]) -> str:
    """The page.

    Args:
        found: what it is about.
        command: makes the page again; shown on it.

    Raises:
        PlottingMissingError: there is no matplotlib.
    """
    name = found.sweep.path.name or str(found.sweep.path)
    title = f"Comparison of encodings: {name}"
    body = [
        *_answers(found),
        *_reading(found),
        *(part for at, task in enumerate(found.tasks) for part in _task(task, f"t{at}")),
        *origin(command, found.sweep.arguments, found.sweep.manifest, "sweep"),
    ]
    return document(title, _progress(found), body)


def _progress(found: Findings) -> Iterator[str]:
    kind = "soft" if found.sweep.complete else "alarm"
    for line in progress(found):
        yield f'<p class="{kind}">{escape(line)}.</p>'


def _answers(found: Findings) -> Iterator[str]:
    if found.trustworthy:
        yield '<p class="soft">All jobs of an instance and task gave the same answer.</p>'
        return
    yield '<section class="alarm">\n<h2>Wrong answers</h2>'
    yield "<p>Where answers differ, at least one is wrong: no time below means anything.</p>"
    yield "<ul>"
    yield from (f"<li>{escape(line)}</li>" for line in wrong_answers(found))
    yield "</ul>\n</section>"


def _reading(found: Findings) -> Iterator[str]:
    if found.tasks:
        yield "<details>\n<summary>How to read this</summary>"
        yield from (f"<p>{escape(each)}</p>" for each in READING)
        yield "</details>"


def _task(task: TaskFindings, key: str) -> Iterator[str]:
    yield f'<section aria-labelledby="{key}">'
    yield f'<h2 id="{key}">Task {escape(task.contest.title)}</h2>'
    yield f'<p class="soft">{escape(setting(task))}.</p>'
    for line in filter(None, [answerable(task), *apart(task)]):
        yield f"<p>{escape(line)}.</p>"
    yield table_html(score_table(task))
    yield "<h3>Pairs</h3>"
    if len(task.trusted.contenders) > 1:
        yield table_html(pair_table(task, "time"))
    else:
        yield "<p>There is one contender only: nothing to compare.</p>"
    for measure in MEASURES:
        if measure != "time" and task.by(measure):
            yield f"<details>\n<summary>Pairs by {measure}</summary>"
            yield f"{table_html(pair_table(task, measure))}\n</details>"
    yield "<h3>Plots</h3>"
    drawn = plots(task, key)
    for square in (False, True):
        yield f'<div class="plots{" square" * square}">'
        yield from (figure_html(plot) for plot in drawn if plot.square is square)
        yield "</div>"
    others = len(task.trusted.contenders) - 1
    if others > SCATTERS:
        text = f"Of {others} scatter plots {SCATTERS} are drawn: the first by PAR-2, the next ones."
        yield f'<p class="soft">{text}</p>'
    yield "<h3>More</h3>"
    yield table_html(growth_table(task))
    yield table_html(status_table(task))
    yield "</section>"
