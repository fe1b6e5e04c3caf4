"""Tables and lines in a terminal; where the output is no terminal, nothing is cut off."""

from typing import TYPE_CHECKING, Final, Literal

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from satsweeper.report.table import Table
from satsweeper.show.terminal import console_for

if TYPE_CHECKING:
    from satsweeper.play.simulation.run import Simulation

_WIDE: Final = 100_000
_AROUND: Final = 3
"""The width that a column takes beside its text: a blank on each side, and one between columns."""


def show_table(console: Console, table: Table) -> None:
    """Print a table; in a terminal no word is broken.

    If a table is too wide, the columns ``table.spare`` are dropped one after the other; if that is
    not enough, lines are broken between words; if a table is still too wide, each row is printed as
    a list with a line for each column.
    """
    if not console.is_terminal:
        before, console.width = console.width, _WIDE
        console.print(_grid(table, _widest(table)))
        console.width = before
        return
    room = console.width - 2
    for dropped in range(len(table.spare) + 1):
        less = table.without(table.spare[:dropped])
        widths = _widest(less)
        if _taken(widths) <= room:
            console.print(_grid(less, widths))
            return
    # No column is narrower than its longest word.
    columns = [[word for text in column for word in text.split()] for column in _columns(less)]
    widths = [max((Text(word).cell_len for word in words), default=0) for words in columns]
    if _taken(widths) > room:
        show_line(console, table.caption, "italic")
        for first, *others in table.rows:
            show_line(console, f"\n{first}", "bold")
            for head, text in zip(table.heads[1:], others, strict=True):
                if text:
                    show_line(console, f"  {head}: {text}")
        show_line(console, "")
        return
    for at, most in sorted(enumerate(_widest(less)), key=lambda column: column[1]):
        # Spare width goes to the columns in ascending order of the width that they need: narrow
        # columns need little of it.
        widths[at] += min(most - widths[at], room - _taken(widths))
    console.print(_grid(less, widths))


def _columns(table: Table) -> list[tuple[str, ...]]:
    return [(head, *(row[at] for row in table.rows)) for at, head in enumerate(table.heads)]


def _widest(table: Table) -> list[int]:
    return [max(Text(text).cell_len for text in column) for column in _columns(table)]


def _taken(widths: list[int]) -> int:
    return sum(widths) + _AROUND * len(widths) - 1


def _grid(table: Table, widths: list[int]) -> Grid:
    grid = Grid(title=Text(table.caption, "italic"), title_justify="left", box=SIMPLE_HEAD)
    for at, (head, width) in enumerate(zip(table.heads, widths, strict=True)):
        justify: Literal["left", "right"] = "right" if at in table.numbers else "left"
        grid.add_column(Text(head), justify=justify, overflow="fold", width=width)
    for row in table.rows:
        grid.add_row(*map(Text, row))
    return grid


def show_line(console: Console, line: str, style: str = "") -> None:
    """Print a line, which is broken between words in a terminal only."""
    console.print(Text(line, style), soft_wrap=not console.is_terminal)


def show_simulation(found: "Simulation", console: Console | None = None) -> None:
    """Print remarks, then the tables of every setting, then how to read them."""
    from satsweeper.play.simulation.report import READING, heading, pair_table, remarks, run_table

    console = console or console_for()
    notes = list(remarks(found))
    for line in notes:
        show_line(console, line)
    for at, table in enumerate(found.tables):
        show_line(console, "\n" * bool(at or notes) + heading(table), "bold")
        show_table(console, run_table(table))
        if table.pairs:
            show_table(console, pair_table(table))
    for line in READING[: 1 + any(table.pairs for table in found.tables)]:
        show_line(console, line)
