"""One page of HTML that needs nothing else: tables, plots, the manifest, how to make it again."""

import json
import shlex
from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from satsweeper.compare.report.findings import Findings, TaskFindings
from satsweeper.compare.report.plots import SCATTERS, Plot, plots
from satsweeper.compare.report.sentences import (
    READING,
    answerable,
    apart,
    progress,
    setting,
    wrong_answers,
)
from satsweeper.compare.report.style import STYLE
from satsweeper.compare.report.tables import (
    Table,
    growth_table,
    pair_table,
    score_table,
    status_table,
)
from satsweeper.compare.statistics.measures import MEASURES

_SHORT: Final = 26
"""Characters of a cell that keep together."""


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
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>",
            f"<header>\n<h1>{escape(title)}</h1>",
            *_progress(found),
            "</header>\n<main>",
            *_answers(found),
            *_reading(found),
            *(part for at, task in enumerate(found.tasks) for part in _task(task, f"t{at}")),
            *_origin(found, command),
            "</main>\n</body>\n</html>\n",
        ]
    )


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
    yield _table(score_table(task))
    yield "<h3>Pairs</h3>"
    if len(task.trusted.contenders) > 1:
        yield _table(pair_table(task, "time"))
    else:
        yield "<p>There is one contender only: nothing to compare.</p>"
    for measure in MEASURES:
        if measure != "time" and task.by(measure):
            yield f"<details>\n<summary>Pairs by {measure}</summary>"
            yield f"{_table(pair_table(task, measure))}\n</details>"
    yield "<h3>Plots</h3>"
    drawn = plots(task, key)
    for square in (False, True):
        yield f'<div class="plots{" square" * square}">'
        yield from (_figure(plot) for plot in drawn if plot.square is square)
        yield "</div>"
    others = len(task.trusted.contenders) - 1
    if others > SCATTERS:
        text = f"Of {others} scatter plots {SCATTERS} are drawn: the first by PAR-2, the next ones."
        yield f'<p class="soft">{text}</p>'
    yield "<h3>More</h3>"
    yield _table(growth_table(task))
    yield _table(status_table(task))
    yield "</section>"


def _origin(found: Findings, command: Sequence[str]) -> Iterator[str]:
    yield '<section aria-labelledby="origin">\n<h2 id="origin">Where this comes from</h2>'
    yield "<p>This page is made again, byte for byte, by</p>"
    yield f"<pre><code>{escape(shlex.join(command))}</code></pre>"
    if swept := found.sweep.arguments:
        line = shlex.join(["satsweeper", *swept])
        yield f"<p>and the sweep, but for its times, by</p>\n<pre><code>{escape(line)}</code></pre>"
    manifest = json.dumps(found.sweep.manifest, indent=1, ensure_ascii=False)
    yield "<details>\n<summary>The manifest of the sweep</summary>"
    yield f"<pre><code>{escape(manifest)}</code></pre>\n</details>\n</section>"


def _figure(plot: Plot) -> str:
    caption = f"<strong>{escape(plot.title)}</strong> {escape(plot.description)}"
    return f"<figure>\n{plot.svg}\n<figcaption>{caption}</figcaption>\n</figure>"


def _table(table: Table) -> str:
    label = escape(table.caption, quote=True)
    lines = [
        f'<div class="scroll" role="region" tabindex="0" aria-label="{label}">',
        f"<table>\n<caption>{escape(table.caption)}</caption>\n<thead>\n<tr>",
    ]
    for at, head in enumerate(table.heads):
        lines.append(f'<th scope="col"{_number(table, at)}>{escape(head)}</th>')
    lines.append("</tr>\n</thead>\n<tbody>")
    for first, *rest in table.rows:
        cells = [f'<th scope="row">{escape(first)}</th>']
        for at, cell in enumerate(rest, 1):
            kind = ' class="words"' if len(cell) > _SHORT else _number(table, at)
            cells.append(f"<td{kind}>{escape(cell)}</td>")
        lines.append(f"<tr>{''.join(cells)}</tr>")
    lines.append("</tbody>\n</table>\n</div>")
    return "\n".join(lines)


def _number(table: Table, at: int) -> str:
    return ' class="number"' if at in table.numbers else ""
