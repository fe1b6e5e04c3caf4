"""Parts of a self-contained page of HTML: frame, tables, plots, commands that make it again."""

import json
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final

from pbcnf.palette import DARK, LIGHT, SERIES, Ground
from satsweeper.report.table import Table


def _colours(at: int, theme: Ground) -> str:
    names = ("ground", "text", "faint", "rule", "band", "alarm", "accent")
    series = "".join(f" --s{number}: {both[at]};" for number, both in enumerate(SERIES))
    return "".join(f" --{name}: {getattr(theme, name)};" for name in names) + series


_STYLE: Final = (
    f"""
:root {{ color-scheme: light dark;{_colours(0, LIGHT)} }}
@media (prefers-color-scheme: dark) {{ :root {{{_colours(1, DARK)} }} }}
@media print {{ :root {{ color-scheme: light;{_colours(0, LIGHT)} }}
  section, figure {{ break-inside: avoid; }} }}
"""
    """\
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 76rem; background: var(--ground);
  color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.25rem; margin: 3rem 0 .25rem; padding-top: 1rem;
  border-top: 1px solid var(--rule); }
h3 { font-size: 1.05rem; margin: 2rem 0 .5rem; }
p { max-width: 70ch; margin: .5rem 0; }
a { color: var(--accent); }
.soft { color: var(--faint); }
.alarm { color: var(--alarm); font-weight: 600; }
section.alarm { border-left: .3rem solid var(--alarm); padding-left: 1rem; font-weight: 400; }
.scroll { overflow-x: auto; margin: .75rem 0 1.25rem; }
:is(.scroll, summary):focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .25rem 0 .4rem; white-space: nowrap; }
td { white-space: nowrap; } td.words { white-space: normal; }
th, td { padding: .3rem .9rem .3rem 0; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--rule); }
thead th { color: var(--faint); font-weight: 500; white-space: nowrap; }
tbody th { font-weight: 500; white-space: nowrap; }
.number { text-align: right; white-space: nowrap; }
.words { min-width: 14rem; }
details { margin: .75rem 0; }
summary { cursor: pointer; }
.plots { display: grid; gap: 2rem 2.5rem; align-items: start; margin: 1rem 0;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 27rem), 1fr)); }
.square { grid-template-columns: repeat(auto-fill, minmax(min(100%, 18rem), 1fr)); }
figure { margin: 0; min-width: 0; }
figure svg { display: block; width: 100%; height: auto; }
figcaption { font-size: .9rem; margin-top: .4rem; }
figcaption strong { display: block; }
pre { background: var(--band); padding: .75rem 1rem; overflow-x: auto; font-size: .85rem;
  line-height: 1.45; }
code { font-family: ui-monospace, monospace; }
"""
)
"""The style sheet of a page, light and dark, on paper too."""


@dataclass(frozen=True, slots=True)
class Plot:
    """An SVG element, its title and a description in words; ``square`` plots are smaller."""

    title: str
    description: str
    svg: str
    square: bool = False


def document(title: str, header: Iterable[str], body: Iterable[str]) -> str:
    """The page: a title, the elements ``header`` below the title, and the elements ``body``."""
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>",
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
    """Yield the section on the commands that make the page and its data again.

    ``command`` makes the page again, ``swept`` are the arguments that make its data; each may be
    empty. ``what`` is the word for the data, such as "sweep".
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
    of_numbers = [
        ' class="number"' if at in table.numbers else "" for at in range(len(table.heads))
    ]
    for head, kind in zip(table.heads, of_numbers, strict=True):
        lines.append(f'<th scope="col"{kind}>{escape(head)}</th>')
    lines.append("</tr>\n</thead>\n<tbody>")
    for first, *rest in table.rows:
        cells = [f'<th scope="row">{escape(first)}</th>']
        for cell, of_number in zip(rest, of_numbers[1:], strict=True):
            # A longer cell may be broken into lines.
            kind = ' class="words"' if len(cell) > 26 else of_number
            cells.append(f"<td{kind}>{escape(cell)}</td>")
        lines.append(f"<tr>{''.join(cells)}</tr>")
    lines.append("</tbody>\n</table>\n</div>")
    return "\n".join(lines)
