"""The figures of a simulation: tables of text, JSON, CSV, and a self-contained page of HTML."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import IO, Any, Final

import numpy as np

from pbcnf.wording import counted
from satsweeper.play.draw import FirstClick
from satsweeper.play.simulation.plan import LOOK
from satsweeper.play.simulation.run import Interval, Pair, SettingFigures, Simulation, StrategyRun
from satsweeper.report.figures import Curve, IntervalBar, histogram, inline, ranges
from satsweeper.report.html import Plot, document, figure_html, origin, table_html
from satsweeper.report.table import Table
from satsweeper.report.table import write_csv as write_rows

# The figures of a simulation as plain texts, for the terminal and for the page.

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
    """Yield remarks on the whole simulation, one line each, without a full stop."""
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
    """The heading of a table: the setting, and the number of games."""
    ended = ", narrow enough" if table.enough else ""
    return f"{table.setting}: {counted(table.games, 'game')}{ended}"


def run_table(table: SettingFigures) -> Table:
    """The table of a setting, one row for each strategy, in the order of the plan."""
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
    """The table of differences of a setting, one row for every two strategies."""
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
    """A share in per cent, without the percent sign; ``-`` for None."""
    return "-" if share is None else f"{100 * share:.2f}"


def number(value: float | None, form: str) -> str:
    """A number in the format ``form``; ``-`` for None."""
    return "-" if value is None else format(value, form)


def between(interval: Interval, form: str = ".2f") -> str:
    """Both ends of an interval of shares in per cent, each in the format ``form``."""
    low, high = (format(100 * end, form) for end in interval)
    return f"{low} to {high}"


# The figures of a simulation as one JSON object, and its runs as CSV.

COLUMNS: Final = (
    "board", "first_click", "start_row", "start_column", "seed", "strategy", "games", "won",
    "rate", "rate_low", "rate_high", "guesses", "won_without_guess", "won_without_guess_low",
    "won_without_guess_high", "seconds", "unsafe", "narrow_enough",
)  # fmt: skip
"""Columns of the CSV: intervals are of 95 %; ``guesses`` and CPU ``seconds`` are means a game."""


def as_json(found: Simulation) -> dict[str, Any]:
    """The object of schema ``satsweeper/simulate/1``; shares are from 0 to 1.

    A number that is not defined, as a mean over no games, is null.
    """
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
    rows = []
    for each in found.tables:
        for run in each.runs:
            row = run_row(each, run) | {"seed": found.plan.seed}
            row["start_row"], row["start_column"] = row.pop("start")
            row["rate_low"], row["rate_high"] = row.pop("interval")
            ends = row.pop("won_without_guess_interval")
            row["won_without_guess_low"], row["won_without_guess_high"] = ends
            row["narrow_enough"] = int(each.enough)
            rows.append(row)
    write_rows(COLUMNS, rows, stream)


def page(found: Simulation, command: Sequence[str]) -> str:
    """The page of a simulation, as a document of HTML.

    Args:
        found: the figures.
        command: the command that makes the page again from the folder of the simulation; the page
            shows this command.

    Raises:
        PlottingMissingError: matplotlib is not installed.
    """
    body = [
        *(f"<p>{escape(line)}</p>" for line in READING),
        *(part for at, table in enumerate(found.tables) for part in _section(table, f"s{at}")),
        *origin(command, found.manifest["arguments"], found.manifest, "simulation"),
    ]
    kind = "alarm" if found.unsafe or not found.complete else "soft"
    header = [f'<p class="{kind}">{escape(line)}.</p>' for line in remarks(found)]
    return document("Win rates", header, body)


def _section(table: SettingFigures, key: str) -> Iterator[str]:
    yield f'<section aria-labelledby="{key}">\n<h2 id="{key}">{escape(heading(table))}</h2>'
    yield table_html(run_table(table))
    if table.pairs:
        yield table_html(pair_table(table))
    yield '<div class="plots">'
    yield from (figure_html(plot) for plot in plots(table, key))
    yield "</div>\n</section>"


def plots(table: SettingFigures, key: str) -> Iterator[Plot]:
    """Yield the plots of a setting for which there are figures: none without games.

    ``key``: the beginning of all ids in the plots.

    Raises:
        PlottingMissingError: matplotlib is not installed.
    """
    if not table.games:
        return
    named = heading(table)
    bars, words = [], []
    for at, run in enumerate(table.runs):
        rate = 100 * run.won / run.games
        bars.append(IntervalBar(run.strategy, rate, *_percent(run.interval), at))
        words.append(f"{run.strategy}: {rate:.2f} % ({between(run.interval)})")
    title = f"Games won: {named}"
    text = f"The share of games won, in per cent, with its interval of 95 %. {'; '.join(words)}."
    text += " The axis need not begin with 0."
    drawing = ranges(bars, "games won [%]")
    yield Plot(title, text, inline(drawing, f"{key}-rates", title, text))
    if table.pairs:
        # A pair is drawn in the colour and shape of its first strategy.
        looks = {run.strategy: at for at, run in enumerate(table.runs)}
        bars, words = [], []
        for pair in table.pairs:
            label, points = f"{pair.strategy} - {pair.against}", 100 * pair.pairs.difference
            bars.append(IntervalBar(label, points, *_percent(pair.interval), looks[pair.strategy]))
            words.append(f"{label}: {points:+.2f} ({between(pair.interval, '+.2f')})")
        title = f"Differences: {named}"
        text = (
            "By how many points the first strategy wins more games than the second, on the same"
            f" layouts, with an interval of 95 %. {'; '.join(words)}."
        )
        drawing = ranges(bars, "difference [points]", mark=0.0)
        yield Plot(title, text, inline(drawing, f"{key}-pairs", title, text))
    if any(len(run.by_guesses) > 1 for run in table.runs):
        drawn = []
        for at, run in enumerate(table.runs):
            guesses = np.arange(max(run.by_guesses) + 1.0)
            games = [run.by_guesses.get(int(number), (0, 0))[0] for number in guesses]
            drawn.append(Curve(run.strategy, guesses, 100 * np.array(games) / run.games, at))
        words = [f"{run.strategy}: {run.guesses:.2f} on average" for run in table.runs]
        title = f"Guesses: {named}"
        text = (
            "The share of games with so many moves that were not certain, in per cent, of"
            f" {counted(table.games, 'game')} won or lost. {'; '.join(words)}."
        )
        drawing = histogram(drawn, "guesses in a game", "games [%]")
        yield Plot(title, text, inline(drawing, f"{key}-guesses", title, text))


def _percent(interval: Interval) -> Interval:
    return 100 * interval[0], 100 * interval[1]
