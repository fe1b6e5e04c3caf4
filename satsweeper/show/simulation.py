"""What a simulation came to, in a terminal; where the output is no terminal, nothing is cut off."""

from rich.console import Console

from satsweeper.play.simulation.run import Simulation
from satsweeper.play.simulation.tables import READING, heading, pair_table, remarks, run_table
from satsweeper.show.console import console_for
from satsweeper.show.table import show_line, show_table


def show_simulation(found: Simulation, console: Console | None = None) -> None:
    """Print what to know first, and the tables of every setting."""
    console = console or console_for()
    said = list(remarks(found))
    for line in said:
        show_line(console, line)
    for at, table in enumerate(found.tables):
        show_line(console, "\n" * bool(at or said) + heading(table), "bold")
        show_table(console, run_table(table))
        if table.pairs:
            show_table(console, pair_table(table))
    for line in READING[: 1 + any(table.pairs for table in found.tables)]:
        show_line(console, line)
