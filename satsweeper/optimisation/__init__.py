"""Problems and builders decided and optimised by satisfiability: any constraints, no board.

>>> from pbcnf import Cardinality, Objective, Problem
>>> from satsweeper.optimisation import solve
>>> clauses = Cardinality([1, 2], lower=1), Cardinality([2, 3], lower=1)
>>> found = solve(Problem(3, clauses, objective=Objective((1, 2, 3), (3, 4, 2))))
>>> found.status, found.value, found.model
(<Status.OPTIMUM: 'OPTIMUM FOUND'>, 4, (-1, 2, -3))
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from satsweeper.optimisation.models import NamedOutcome, solve
    from satsweeper.optimisation.outcome import Outcome, Status
    from satsweeper.optimisation.run import Settings
    from satsweeper.optimisation.table import STRATEGIES

__all__ = ["STRATEGIES", "NamedOutcome", "Outcome", "Settings", "Status", "solve"]

_HOME = {
    "STRATEGIES": "table",
    "NamedOutcome": "models",
    "Outcome": "outcome",
    "Settings": "run",
    "Status": "outcome",
    "solve": "models",
}


def __getattr__(name: str) -> Any:
    """Import the public names on first use: who only says that time is up loads no encoder."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names alone."""
    return sorted(__all__)
