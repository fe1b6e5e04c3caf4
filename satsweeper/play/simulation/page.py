"""The simulation as a self-contained page of HTML: tables and plots of every setting."""

from collections.abc import Iterator, Sequence
from html import escape

import numpy as np

from pbcnf.wording import counted
from satsweeper.play.simulation.figures import Interval, SettingFigures, StrategyRun
from satsweeper.play.simulation.run import Simulation
from satsweeper.play.simulation.tables import (
    READING,
    between,
    heading,
    pair_table,
    remarks,
    run_table,
)
from satsweeper.report.figures import Curve, IntervalBar, curves, inline, ranges
from satsweeper.report.html import Plot, document, figure_html, origin, table_html


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


def plots(table: SettingFigures, key: str) -> Iterator[Plot]:
    """All plots that have something to show; ``key`` begins the ids in them.

    Raises:
        PlottingMissingError: there is no matplotlib.
    """
    if not table.games:
        return
    yield _rates(table, f"{key}-rates")
    if table.pairs:
        yield _differences(table, f"{key}-pairs")
    if any(len(run.by_guesses) > 1 for run in table.runs):
        yield _guesses(table, f"{key}-guesses")


def _rates(table: SettingFigures, key: str) -> Plot:
    drawn = [
        IntervalBar(run.strategy, 100 * run.won / run.games, *_percent(run.interval), at)
        for at, run in enumerate(table.runs)
    ]
    words = [
        f"{run.strategy}: {100 * run.won / run.games:.2f} % ({between(run.interval)})"
        for run in table.runs
    ]
    title = f"Games won: {heading(table)}"
    text = f"The share of games won, in per cent, with its interval of 95 %. {'; '.join(words)}."
    return Plot(title, text, inline(ranges(drawn, "games won [%]"), key, title, text))


def _differences(table: SettingFigures, key: str) -> Plot:
    names = [run.strategy for run in table.runs]
    drawn, words = [], []
    for pair in table.pairs:
        label, points = f"{pair.strategy} - {pair.against}", 100 * pair.pairs.difference
        look = names.index(pair.strategy)
        drawn.append(IntervalBar(label, points, *_percent(pair.interval), look))
        words.append(f"{label}: {points:+.2f} ({between(pair.interval, '+.2f')})")
    title = f"Differences: {heading(table)}"
    text = (
        "By how many points the first strategy wins more games than the second, on the same"
        f" layouts, with an interval of 95 %. {'; '.join(words)}."
    )
    drawing = ranges(drawn, "difference [points]", mark=0.0)
    return Plot(title, text, inline(drawing, key, title, text))


def _guesses(table: SettingFigures, key: str) -> Plot:
    drawn = [_spread(run, at) for at, run in enumerate(table.runs)]
    words = [f"{run.strategy}: {run.guesses:.2f} on average" for run in table.runs]
    title = f"Guesses: {heading(table)}"
    text = (
        "The share of games with so many moves that were not certain, in per cent, of"
        f" {counted(table.games, 'game')} won or lost. {'; '.join(words)}."
    )
    drawing = curves(drawn, "guesses in a game", "games [%]", y_log=False)
    return Plot(title, text, inline(drawing, key, title, text))


def _spread(run: StrategyRun, at: int) -> Curve:
    guesses = np.arange(max(run.by_guesses) + 1.0)
    games = [run.by_guesses.get(int(number), (0, 0))[0] for number in guesses]
    return Curve(run.strategy, guesses, 100 * np.array(games) / run.games, at)


def _percent(interval: Interval) -> Interval:
    return 100 * interval[0], 100 * interval[1]
