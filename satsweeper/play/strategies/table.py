"""The table of strategies, and how to find one by its name."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from pbcnf.wording import unknown_name

if TYPE_CHECKING:
    from satsweeper.play.strategies.strategy import Strategy

STRATEGIES: Final[dict[str, str]] = {
    "random": "any covered cell",
    "score_003": "five weighted considerations, as in a solver of 2012",
    "safest": "the cell that is least likely a mine",
    "progress": "the safest cell that most likely makes others certain (PSEQ)",
    "second_safety": "the safest two moves, counted for every number a cell may show",
    "exact": "second_safety, and the best play there is where few layouts are left",
}
"""Name -> what it maximises. The strategy is ``strategies/NAME.py``."""

EXACT: Final = "+exact"
"""Behind any name: the best play there is where few layouts are left."""


def check_strategy(name: str) -> None:
    """Raise as ``find_strategy`` does, but import none of the table's."""
    if name.removesuffix(EXACT) not in STRATEGIES:
        find_strategy(name)


def find_strategy(name: str) -> Strategy:
    """The strategy of a name, ``MODULE:NAME`` for one of your own, each with ``+exact`` or without.

    Raises:
        ValueError: there is none; one line.
    """
    if name.endswith(EXACT):
        from satsweeper.play.strategies.exact import with_exact

        return with_exact(find_strategy(name.removesuffix(EXACT)))
    if name in STRATEGIES:
        choose: Strategy = import_module(f"satsweeper.play.strategies.{name}").choose
        return choose
    if ":" in name:
        from satsweeper.play.strategies.own import own_strategy

        return own_strategy(name)
    raise ValueError(unknown_name("strategy", name, STRATEGIES, ", and MODULE:NAME"))
