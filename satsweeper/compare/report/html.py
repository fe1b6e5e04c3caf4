"""Parts of a page of HTML that needs nothing else: frame, tables, plots, how to make it again."""

import json
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final

from satsweeper.compare.report.style import STYLE
from satsweeper.compare.report.table import Table

_SHORT: Final = 26
"""Characters of a cell that keep together."""


@dataclass(frozen=True, slots=True)
class Plot:
    """An SVG element, with its title and what it shows in words; ``square`` ones are smaller."""

    title: str
    description: str
    svg: str
    square: bool = False


def document(title: str, header: Iterable[str], body: Iterable[str]) -> str:
    """The page: a title, elements below it, and the elements of its body."""
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>",
            f"<header>\n<h1>{escape(title)}</h1>",
            *header,
            "</header>\n<main>",
            *body,
            "</main>\n</body>\n</html>\n",
        ]
    )


def origin(
    command: Sequence[str], swept: Sequence[str], manifest: Mapping[str, Any], what: str
) -> Iterator[str]:
    """How the page is made again by ``command``, and the ``what`` that it is about by ``swept``.

    Each may be empty, if there is no such command.
    """
    yield '<section aria-labelledby="origin">\n<h2 id="origin">Where this comes from</h2>'
    if command:
        yield "<p>This page is made again, byte for byte, by</p>"
        yield f"<pre><code>{escape(shlex.join(command))}</code></pre>"
    if swept:
        line = shlex.join(["satsweeper", *swept])
        yield f"<p>The {what} is made again, but for its times, by</p>"
        yield f"<pre><code>{escape(line)}</code></pre>"
    shown = json.dumps(manifest, indent=1, ensure_ascii=False)
    yield f"<details>\n<summary>The manifest of the {what}</summary>"
    yield f"<pre><code>{escape(shown)}</code></pre>\n</details>\n</section>"


def figure_html(plot: Plot) -> str:
    """A plot with its title and description below."""
    caption = f"<strong>{escape(plot.title)}</strong> {escape(plot.description)}"
    return f"<figure>\n{plot.svg}\n<figcaption>{caption}</figcaption>\n</figure>"


def table_html(table: Table) -> str:
    """A table that can be scrolled from the keyboard."""
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
