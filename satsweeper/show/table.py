"""Tables and lines in a terminal; where the output is no terminal, nothing is cut off."""

from typing import Final, Literal

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from satsweeper.compare.report.table import Table

_WIDE: Final = 100_000


def show_table(console: Console, table: Table) -> None:
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


def show_line(console: Console, line: str, style: str = "") -> None:
    """A line, broken between words in a terminal only."""
    console.print(Text(line, style), soft_wrap=not console.is_terminal)
