"""The table of strategies, and how to find a strategy by its name.

A strategy chooses the cell of a guess: a function from a view of a position to a covered cell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pbcnf.wording import unknown_name

if TYPE_CHECKING:
    from satsweeper.play.view import Strategy

STRATEGIES: Final[dict[str, str]] = {
    "random": "any covered cell",
    "score_003": "five weighted considerations, as in a solver of 2012",
    "safest": "the cell that is least likely a mine",
    "progress": "the safest cell that most likely makes others certain (PSEQ)",
    "second_safety": "the safest two moves, counted for every number a cell may show",
    "learned": "the chance to win two moves ahead, estimated by a network learned from games",
    "exact": "second_safety, and the best play there is where few layouts are left",
}
"""Name, also of a function in ``built_in`` -> the aim of the strategy."""

EXACT: Final = "+exact"
"""The ending of a name that adds exact play where few layouts are left: see ``with_exact``."""


def check_strategy(name: str) -> None:
    """Raise ValueError as ``find_strategy``, without importing the strategies of the table."""
    if name.removesuffix(EXACT) not in STRATEGIES:
        find_strategy(name)


def find_strategy(name: str) -> Strategy:
    """The strategy called ``name``: of the table, or ``MODULE:NAME``; each may end with ``+exact``.

    Raises:
        ValueError: there is no such strategy; one line.
    """
    if name.endswith(EXACT):
        from satsweeper.play.strategies.built_in import with_exact

        return with_exact(find_strategy(name.removesuffix(EXACT)))
    if name in STRATEGIES:
        from satsweeper.play.strategies import built_in

        strategy: Strategy = getattr(built_in, name)
        return strategy
    if ":" in name:
        return _user_strategy(name)
    raise ValueError(unknown_name("strategy", name, STRATEGIES, ", and MODULE:NAME"))


def _user_strategy(name: str) -> Strategy:
    """The user's function ``MODULE:NAME``, whose module may lie in the current folder."""
    from inspect import signature

    from satsweeper.peers.user_encoder import load_named

    try:
        found: Any = load_named(name)
    except (Exception, SystemExit) as error:
        why = str(error) or type(error).__name__
        raise ValueError(f"unknown strategy {name!r}: {' '.join(why.split())}") from None
    try:
        signature(found).bind(None)
    except (TypeError, ValueError):
        what = "it must be a function of one argument, a view of the position"
        raise ValueError(f"{name!r} is no strategy: {what}") from None
    strategy: Strategy = found
    return strategy
