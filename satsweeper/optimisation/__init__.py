"""Problems and builders decided and optimised by satisfiability: any constraints, no board.

>>> from pbcnf import Cardinality, Objective, Problem
>>> from satsweeper.optimisation import solve
>>> clauses = Cardinality([1, 2], lower=1), Cardinality([2, 3], lower=1)
>>> found = solve(Problem(3, clauses, objective=Objective((1, 2, 3), (3, 4, 2))))
>>> found.status, found.value, found.model
(<SolveStatus.OPTIMUM: 'OPTIMUM FOUND'>, 4, (-1, 2, -3))
"""

from typing import TYPE_CHECKING

from pbcnf.late_imports import late_imports

if TYPE_CHECKING:
    from satsweeper.optimisation.models import NamedOutcome as NamedOutcome
    from satsweeper.optimisation.models import solve as solve
    from satsweeper.optimisation.run import STRATEGIES as STRATEGIES
    from satsweeper.optimisation.run import Settings as Settings
    from satsweeper.optimisation.search import Outcome as Outcome
    from satsweeper.optimisation.search import Status as Status
else:
    __getattr__, __dir__, __all__ = late_imports(__spec__)
