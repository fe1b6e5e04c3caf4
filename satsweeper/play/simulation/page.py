"""The simulation as a self-contained page of HTML: tables and plots of every setting."""

from collections.abc import Iterator, Sequence
from html import escape

from satsweeper.play.simulation.figures import SettingFigures
from satsweeper.play.simulation.plots import plots
from satsweeper.play.simulation.run import Simulation
from satsweeper.play.simulation.tables import READING, heading, pair_table, remarks, run_table
from satsweeper.report.html import document, figure_html, origin, table_html


def page(found: Simulation, command: Sequence[str]) -> str:
    """The page of a simulation.

    Args:
        found: what it is about.
        command: makes the page again from the folder of the simulation; shown on it.

    Raises:
        PlottingMissingError: there is no matplotlib.
    """
    body = [
        *(f"<p>{escape(line)}</p>" for line in READING),
        *(part for at, table in enumerate(found.tables) for part in _section(table, f"s{at}")),
        *origin(command, found.manifest["arguments"], found.manifest, "simulation"),
    ]
    return document("Win rates", _header(found), body)


def _header(found: Simulation) -> Iterator[str]:
    kind = "alarm" if found.unsafe or not found.complete else "soft"
    for line in remarks(found):
        yield f'<p class="{kind}">{escape(line)}.</p>'


def _section(table: SettingFigures, key: str) -> Iterator[str]:
    yield f'<section aria-labelledby="{key}">\n<h2 id="{key}">{escape(heading(table))}</h2>'
    yield table_html(run_table(table))
    if table.pairs:
        yield table_html(pair_table(table))
    yield '<div class="plots">'
    yield from (figure_html(plot) for plot in plots(table, key))
    yield "</div>\n</section>"
