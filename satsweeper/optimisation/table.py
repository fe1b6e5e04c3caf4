"""The strategies by name; a new one is a file and a row here."""

from collections.abc import Callable
from typing import Final, NamedTuple

from pbcnf.wording import unknown_name
from satsweeper.optimisation.core_guided import core_guided
from satsweeper.optimisation.linear import linear
from satsweeper.optimisation.search import Search, Strategy
from satsweeper.solvers.protocol import SolverError

AUTO: Final = "auto"


class Row(NamedTuple):
    """A strategy."""

    summary: str
    parts: tuple[Callable[[Search, str], Strategy], ...]
    """What takes turns; called with the search and the name of the counter."""


STRATEGIES: Final[dict[str, Row]] = {
    AUTO: Row(
        "core-guided and linear take turns in one solver",
        (lambda search, counter: core_guided(search), linear),
    ),
    "core-guided": Row(
        "from below: cores are paid for, one by one",
        (lambda search, counter: core_guided(search),),
    ),
    "linear": Row("from above: each model must be better than the last", (linear,)),
}
"""Name -> what it does, and the searches that take turns in it."""


def find_strategy(name: str) -> Row:
    """The strategy of that name. Raises SolverError, with the nearest name, for another."""
    if name not in STRATEGIES:
        raise SolverError(unknown_name("strategy", name, STRATEGIES))
    return STRATEGIES[name]
