"""A table in HTML that looks right without a style sheet, and on light and dark pages."""

from collections.abc import Collection, Sequence
from html import escape


def html_table(
    caption: str,
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    numbers: Collection[int] = (),
) -> str:
    """Return a table of plain texts, which are escaped; `numbers` are columns of numbers.

    >>> html_table("", ["x"], [["<1>"]]).count("&lt;1&gt;")
    1
    """
    return html_rows(escape(caption), heads, [[*map(escape, row)] for row in rows], numbers)


def html_rows(
    caption: str,
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    numbers: Collection[int] = (),
) -> str:
    """Return a table whose caption and cells are HTML already."""
    # Notebooks align all cells to the right unless told otherwise, and leave colours to the page.
    sides = [f' style="text-align: {"right" if at in numbers else "left"}"' for at in range(99)]
    lines = ["<table>"]
    if caption:
        lines.append(f'<caption style="text-align: left">{caption}</caption>')
    if heads:
        named = "".join(
            f'<th scope="col"{side}>{escape(head)}</th>'
            for head, side in zip(heads, sides, strict=False)
        )
        lines.append(f"<thead><tr>{named}</tr></thead>")
    lines.append("<tbody>")
    for row in rows:
        cells = (f"<td{side}>{cell}</td>" for cell, side in zip(row, sides, strict=False))
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return "\n".join([*lines, "</tbody>", "</table>"])
