"""Problems and builders decided and optimised by satisfiability: any constraints, no board.

>>> from pbcnf import Cardinality, Objective, Problem
>>> from satsweeper.optimisation import solve
>>> clauses = Cardinality([1, 2], lower=1), Cardinality([2, 3], lower=1)
>>> found = solve(Problem(3, clauses, objective=Objective((1, 2, 3), (3, 4, 2))))
>>> found.status, found.value, found.model
(<Status.OPTIMUM: 'OPTIMUM FOUND'>, 4, (-1, 2, -3))
"""

from satsweeper.optimisation.models import NamedOutcome, solve
from satsweeper.optimisation.outcome import Outcome, Status
from satsweeper.optimisation.run import Settings
from satsweeper.optimisation.table import STRATEGIES

__all__ = ["STRATEGIES", "NamedOutcome", "Outcome", "Settings", "Status", "solve"]
