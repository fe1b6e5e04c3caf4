"""The simulation as a self-contained page of HTML: tables and plots of every setting."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import IO, Any, Final

import numpy as np

from pbcnf.wording import counted
from satsweeper.play.draw import FirstClick
from satsweeper.play.simulation.plan import LOOK
from satsweeper.play.simulation.run import Simulation
from satsweeper.play.simulation.tally import Interval, Pair, SettingFigures, StrategyRun
from satsweeper.report import table
from satsweeper.report.figures import Curve, IntervalBar, curves, inline, ranges
from satsweeper.report.html import Plot, document, figure_html, origin, table_html
from satsweeper.report.table import Table

# The figures of a simulation as plain texts, for the terminal and the page alike.

_NARROW: Final = {
    "all": "interval",
    "rates": "interval of a share won",
    "differences": "interval of a difference",
}

READING: Final = (
    "Won: the share of games won, with Wilson's interval of 95 %. Guesses: moves that were not"
    " certain, the first click aside, a game. Unguessed: the share of all games that were won"
    " without any. CPU time: of a game, in play.",
    "All strategies of a setting play the same layouts. A difference is that of the shares won, in"
    " points, with Tango's score interval for pairs, of 95 %; p is McNemar's, exact and two-sided."
    " Nothing is corrected for the number of pairs.",
)
"""Paragraphs that explain how to read the tables."""


def remarks(found: Simulation) -> Iterator[str]:
    """Yield remarks on all tables, a line each."""
    plan = found.plan
    if found.shard is not None:
        yield f"This is shard {found.shard[0]} of {found.shard[1]}"
    if not found.complete:
        yield f"Not finished: {counted(found.missing, 'game')} to come"
    if plan.width is not None:
        yield (
            f"A fixed-width rule ends a setting: every {LOOK} games, if no {_NARROW[plan.narrow]}"
            f" is wider than {100 * plan.width:g} points. Then intervals hold what they are for as"
            " often as they say only in the limit (Chow and Robbins 1965), and p-values are those"
            " of so many games planned beforehand"
        )
    if any(setting.first_click is FirstClick.WINDOWS for setting in plan.settings):
        yield (
            "Under the first click windows layouts are not equally likely, which no strategy is"
            " told: what is certain stays certain, odds are slightly wrong"
        )
    if found.unsafe:
        yield f"WRONG: {counted(found.unsafe, 'cell')} called safe had a mine"


def heading(table: SettingFigures) -> str:
    """Return a setting and its number of games."""
    ended = ", narrow enough" if table.enough else ""
    return f"{table.setting}: {counted(table.games, 'game')}{ended}"


def run_table(table: SettingFigures) -> Table:
    """A row a strategy, in the order of the plan."""
    rows = tuple(
        (
            run.strategy,
            f"{run.won}",
            percent(run.rate),
            between(run.interval),
            number(run.guesses, ".2f"),
            percent(run.unguessed / run.games if run.games else None),
            number(run.seconds, ".4f") + " s" * (run.seconds is not None),
            f"{run.unsafe}",
        )
        for run in table.runs
    )
    heads = ("strategy", "games won", "won [%]", "95 % interval", "guesses", "unguessed [%]",
             "CPU time", "unsafe")  # fmt: skip
    return Table("Strategies", heads, rows, frozenset({1, 2, 4, 5, 6, 7}), (5, 4, 1))


def pair_table(table: SettingFigures) -> Table:
    """A row for every two strategies."""
    rows = tuple(
        (
            f"{pair.strategy} - {pair.against}",
            f"{100 * pair.pairs.difference:+.2f}",
            between(pair.interval, "+.2f"),
            f"{pair.pairs.first}",
            f"{pair.pairs.second}",
            f"{pair.p:.2g}",
        )
        for pair in table.pairs
    )
    heads = ("pair", "points", "95 % interval", "only first", "only second", "p")
    return Table("Pairs on the same layouts", heads, rows, frozenset({1, 3, 4, 5}), (4, 3))


def percent(share: float | None) -> str:
    """A share in per cent, without the sign; ``-`` for none."""
    return "-" if share is None else f"{100 * share:.2f}"


def number(value: float | None, form: str) -> str:
    """A number, ``-`` for none."""
    return "-" if value is None else format(value, form)


def between(interval: Interval, form: str = ".2f") -> str:
    """Both ends, in per cent."""
    low, high = (format(100 * end, form) for end in interval)
    return f"{low} to {high}"


# The figures of a simulation as one JSON object, and its runs as CSV.

COLUMNS: Final = (
    "board",
    "first_click",
    "start_row",
    "start_column",
    "seed",
    "strategy",
    "games",
    "won",
    "rate",
    "rate_low",
    "rate_high",
    "guesses",
    "won_without_guess",
    "won_without_guess_low",
    "won_without_guess_high",
    "seconds",
    "unsafe",
    "narrow_enough",
)
"""Columns: intervals of 95 %, means a game of ``guesses`` and of CPU ``seconds``."""


def as_json(found: Simulation) -> dict[str, Any]:
    """``satsweeper/simulate/1``; numbers that do not exist are null, shares are from 0 to 1."""
    plan = found.plan
    return {
        "schema": "satsweeper/simulate/1",
        "seed": plan.seed,
        "games": plan.games,
        "width": plan.width,
        "narrow": plan.narrow,
        "shard": None if found.shard is None else list(found.shard),
        "complete": found.complete,
        "runs": [run_row(table, run) for table in found.tables for run in table.runs],
        "pairs": [pair_row(table, pair) for table in found.tables for pair in table.pairs],
    }


def run_row(table: SettingFigures, run: StrategyRun) -> dict[str, Any]:
    """Return the row of a strategy under a setting."""
    return {
        **table.setting.as_json(),
        "strategy": run.strategy,
        "games": run.games,
        "won": run.won,
        "rate": run.rate,
        "interval": list(run.interval),
        "guesses": run.guesses,
        "won_without_guess": run.unguessed / run.games if run.games else None,
        "won_without_guess_interval": list(run.unguessed_interval),
        "seconds": run.seconds,
        "unsafe": run.unsafe,
        "narrow_enough": table.enough,
    }


def pair_row(table: SettingFigures, pair: Pair) -> dict[str, Any]:
    """The object for two strategies under a setting: how much more often the first wins."""
    pairs = pair.pairs
    return {
        **table.setting.as_json(),
        "strategy": pair.strategy,
        "against": pair.against,
        "games": pairs.n,
        "both": pairs.both,
        "only_strategy": pairs.first,
        "only_against": pairs.second,
        "neither": pairs.neither,
        "difference": pairs.difference if pairs.n else None,
        "interval": list(pair.interval),
        "p": pair.p,
    }


def write_csv(found: Simulation, stream: IO[bytes]) -> None:
    """Write a header and a row for each run of `found`."""
    rows = (
        _row(run_row(table, run)) | {"seed": found.plan.seed}
        for table in found.tables
        for run in table.runs
    )
    table.write_csv(COLUMNS, rows, stream)


def _row(found: dict[str, Any]) -> dict[str, Any]:
    found["start_row"], found["start_column"] = found.pop("start")
    found["rate_low"], found["rate_high"] = found.pop("interval")
    ends = found.pop("won_without_guess_interval")
    found["won_without_guess_low"], found["won_without_guess_high"] = ends
    found["narrow_enough"] = int(found["narrow_enough"])
    return found


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
