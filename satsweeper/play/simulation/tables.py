"""The figures of a simulation as plain texts, for the terminal and the page alike."""

from collections.abc import Iterator
from typing import Final

from pbcnf.wording import counted
from satsweeper.play.first_click import FirstClick
from satsweeper.play.simulation.figures import Interval, SettingFigures
from satsweeper.play.simulation.plan import LOOK
from satsweeper.play.simulation.run import Simulation
from satsweeper.report.table import Table

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
