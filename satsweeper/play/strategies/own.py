"""A strategy of a user's own: ``MODULE:NAME``, a function of a view that returns a cell."""

from inspect import signature
from typing import Any

from satsweeper.peers.named import load_named
from satsweeper.play.strategies.strategy import Strategy


def own_strategy(name: str) -> Strategy:
    """The strategy ``MODULE:NAME``; its module may lie in the current folder.

    Raises:
        ValueError: there is none of that name, or it is no function of one argument; one line.
    """
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
