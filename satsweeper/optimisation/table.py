"""The strategies by name; a new one is a file and a row here."""

from collections.abc import Callable
from typing import Final, NamedTuple

from pbcnf.wording import unknown_name
from satsweeper.optimisation.core_guided import core_guided
from satsweeper.optimisation.linear import linear
from satsweeper.optimisation.search import Search, Strategy
from satsweeper.solvers.protocol import SolverError

AUTO: Final = "auto"


class StrategyRow(NamedTuple):
    """A row of the table of strategies."""

    summary: str
    parts: tuple[Callable[[Search, str], Strategy], ...]
    """Searches that take turns; each is called with the `Search` and the name of a counter."""


STRATEGIES: Final[dict[str, StrategyRow]] = {
    AUTO: StrategyRow(
        "core-guided and linear take turns in one solver",
        (lambda search, counter: core_guided(search), linear),
    ),
    "core-guided": StrategyRow(
        "from below: cores are paid for, one by one",
        (lambda search, counter: core_guided(search),),
    ),
    "linear": StrategyRow("from above: each model must be better than the last", (linear,)),
}
"""Name of a strategy -> summary, and the searches that take turns."""


def find_strategy(name: str) -> StrategyRow:
    """Return the strategy ``name``. Raises SolverError, with the nearest name, if unknown."""
    if name not in STRATEGIES:
        raise SolverError(unknown_name("strategy", name, STRATEGIES))
    return STRATEGIES[name]
