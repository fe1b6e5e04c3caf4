"""The report as a self-contained page of HTML: tables, plots, manifest, command."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

import numpy as np

from pbcnf.wording import counted
from satsweeper.compare.report.findings import Findings, TaskFindings
from satsweeper.compare.report.sentences import (
    READING,
    answerable,
    apart,
    progress,
    setting,
    verdict,
    wrong_answers,
)
from satsweeper.compare.report.tables import growth_table, pair_table, score_table, status_table
from satsweeper.compare.statistics.curves import best_cactus, cactus
from satsweeper.compare.statistics.curves import scatter as pairs_of
from satsweeper.compare.statistics.measures import MEASURES
from satsweeper.report.figures import Curve, curves, inline, scatter
from satsweeper.report.html import Plot, document, figure_html, origin, table_html

SCATTERS: Final = 12
"""The most scatter plots of a task: the first contender by PAR-2 against the following ones."""

_FLOOR: Final = 1e-6
"""Least time in a plot, in seconds: a logarithmic axis has no 0."""


def page(found: Findings, command: Sequence[str]) -> str:
    """The report as an HTML document.

    Args:
        found: the findings of the sweep.
        command: the command that makes the page again, shown on the page.

    Raises:
        PlottingMissingError: there is no matplotlib.
    """
    name = found.sweep.path.name or str(found.sweep.path)
    title = f"Comparison of encodings: {name}"
    reading = (
        "<details>\n<summary>How to read this</summary>",
        *(f"<p>{escape(each)}</p>" for each in READING),
        "</details>",
    )
    body = [
        *_answers(found),
        *(reading if found.tasks else ()),
        *_contents(found),
        *(part for at, task in enumerate(found.tasks) for part in _task(task, f"t{at}")),
        *origin(command, found.sweep.arguments, found.sweep.manifest, "sweep"),
    ]
    kind = "soft" if found.sweep.complete else "alarm"
    done = [f'<p class="{kind}">{escape(line)}.</p>' for line in progress(found)]
    return document(title, done, body)


def _contents(found: Findings) -> Iterator[str]:
    yield '<nav aria-label="Contents">\n<ul>'
    for at, task in enumerate(found.tasks):
        yield f'<li><a href="#t{at}">Task {escape(task.contest.title)}</a></li>'
    yield '<li><a href="#origin">Where this comes from</a></li>\n</ul>\n</nav>'


def _answers(found: Findings) -> Iterator[str]:
    if found.trustworthy:
        yield '<p class="soft">All jobs of an instance and task gave the same answer.</p>'
        return
    yield '<section class="alarm">\n<h2>Wrong answers</h2>'
    yield "<p>Where answers differ, at least one is wrong: no time below means anything.</p>\n<ul>"
    yield from (f"<li>{escape(line)}</li>" for line in wrong_answers(found))
    yield "</ul>\n</section>"


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
    plots = [
        _cactus(task, f"{key}-cactus"),
        *(_growth(task, of, f"{key}-growth-{of}") for of in ("time", "clauses")),
        *_scatters(task, f"{key}-scatter"),
    ]
    for square in (False, True):
        yield f'<div class="plots{" square" * square}">'
        # A plot without any point is None.
        yield from (figure_html(plot) for plot in plots if plot and plot.square is square)
        yield "</div>"
    others = len(task.trusted.contenders) - 1
    if others > SCATTERS:
        text = f"Of {others} scatter plots {SCATTERS} are drawn: the first by PAR-2, the next ones."
        yield f'<p class="soft">{text}</p>'
    yield "<h3>More</h3>"
    if any(each.exponent for each in task.growth):
        yield table_html(growth_table(task))
    yield table_html(status_table(task))
    yield "</section>"


def _cactus(task: TaskFindings, key: str) -> Plot | None:
    contest = task.contest
    solved = cactus(task.trusted)
    drawn, words = [], []
    for score in task.scores:
        if score.contender in solved:
            times = solved[score.contender]
            name = contest.label(score.contender)
            steps = np.arange(1, len(times) + 1.0)
            look = contest.contenders.index(score.contender)
            drawn.append(Curve(name, steps, np.maximum(times, _FLOOR), look))
            slowest = f", the slowest in {times[-1]:.3g} s" if len(times) else ""
            words.append(f"{name}: {score.solved} of {counted(score.jobs, 'job')} solved{slowest}")
    best = best_cactus(task.trusted) if solved else np.array([])
    if len(solved) > 1:
        steps = np.arange(1, len(best) + 1.0)
        drawn.append(Curve("virtual best", steps, np.maximum(best, _FLOOR), None))
    if not len(best):
        return None
    title = f"Cactus plot: {contest.title}"
    what = "How many jobs each contender solves if every job may take so many CPU seconds. "
    text = what + "; ".join(words) + "."
    drawing = curves(drawn, "jobs solved", "CPU seconds (encode and solve)")
    return Plot(title, text, inline(drawing, key, title, text))


def _growth(task: TaskFindings, of: str, key: str) -> Plot | None:
    contest = task.contest
    drawn, words = [], []
    for each in task.growth:
        if each.of == of:
            name = contest.label(each.contender)
            look = contest.contenders.index(each.contender)
            numbers = np.maximum(each.numbers, _FLOOR)
            drawn.append(Curve(name, each.sizes, numbers, look, joined=False))
            if each.exponent is not None:
                middle, low, high = each.exponent
                words.append(f"{name}: exponent {middle:.2f} [{low:.2f}, {high:.2f}]")
    # Instances of one size show no growth.
    if len({float(size) for curve in drawn for size in curve.x}) < 2:
        return None
    unit = "CPU seconds (encode and solve)" if of == "time" else of
    title = f"Growth of {of}: {contest.title}"
    text = f"{unit[0].upper()}{unit[1:]} over the size of the instance, both logarithmic. "
    text += "; ".join(words) + "." * bool(words)
    drawing = curves(drawn, "size of the instance", unit, x_log=True)
    return Plot(title, text, inline(drawing, key, title, text))


def _scatters(task: TaskFindings, key: str) -> list[Plot]:
    contest = task.contest
    ranked = [s.contender for s in task.scores if s.contender in task.trusted.contenders]
    if not ranked:
        return []
    first, *others = filter(None, ranked)
    in_time = {frozenset({each.first, each.second}): each for each in task.by("time")}
    found = []
    for at, other in enumerate(others[:SCATTERS]):
        x, y = pairs_of(contest, first, other)
        if not len(x):
            continue
        a, b = contest.label(first), contest.label(other)
        compared = in_time.get(frozenset({first, other}))
        said = "" if compared is None else f" In time: {verdict(compared, contest)}."
        title = f"{a} against {b}: {contest.title}"
        above = int(np.count_nonzero(y > x))
        text = (
            f"CPU seconds of {counted(len(x), 'job')}; {above} above the diagonal, where {a} is"
            " faster."
        )
        drawing = scatter(
            np.maximum(x, _FLOOR), np.maximum(y, _FLOOR), f"{a} [s]", f"{b} [s]", contest.timeout
        )
        svg = inline(drawing, f"{key}-{at}", title, text + said)
        found.append(Plot(title, text + said, svg, square=True))
    return found
