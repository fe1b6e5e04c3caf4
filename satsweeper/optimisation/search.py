"""What all strategies share: the solver, the best model, and how much better one may be."""

from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple

from pbcnf.constraints.problem import Problem
from pbcnf.literals import Lit
from satsweeper.optimisation.cost import Cost
from satsweeper.optimisation.descent import Descent
from satsweeper.optimisation.live import LiveSink
from satsweeper.solvers.evaluation import completed
from satsweeper.solvers.protocol import Answer, Satisfied, SolverFailedError


class Question(NamedTuple):
    """Asked of the solver: a model under these assumptions, within so many conflicts."""

    assumptions: Sequence[Lit] = ()
    conflicts: int | None = None


Strategy = Generator[Question, Answer, None]
"""Yields questions, is sent the answers, and ends when the search is closed.

It knows no clock: whoever runs it may put a question off, or never answer it.
"""


class Search:
    """A problem in a live solver, and what is known of its cost.

    No model costs less than ``lower``. ``model`` is the best one so far, literals of the problem's
    variables in order, and costs ``upper``; both are None before the first.

    Args:
        problem: every model is checked against it.
        cost: of a model; None: any model will do.
        sink: holds the clauses of the problem.
        found: called with each better model and its cost.
    """

    def __init__(
        self,
        problem: Problem,
        cost: Cost | None,
        sink: LiveSink,
        found: Callable[[Sequence[Lit], int], object],
    ) -> None:
        self.problem = problem
        self.cost = cost or Cost({}, 0, 1)
        self.sink = sink
        self.lower = 0
        self.upper: int | None = None
        self._descent: Descent | None = None
        self.model: Sequence[Lit] | None = None
        self.exhausted = False
        """Whether no model is better than the best one, or there is none."""
        self._found = found

    @property
    def closed(self) -> bool:
        """Whether nothing is left to search for."""
        return self.exhausted or (self.upper is not None and self.lower >= self.upper)

    def take(self, answer: Satisfied) -> None:
        """Check a model, without what is paid for nothing, and keep it if it is the best so far.

        Raises SolverFailedError for a model that does not hold.
        """
        true = set(completed(answer.model, self.problem.num_vars))
        cost = self.cost.in_model(true)
        if self.upper is not None and cost >= self.upper:
            return
        if cost:
            self._descent = self._descent or Descent(self.problem, self.cost.terms)
            true = self._descent.improved(true)
            cost = self.cost.in_model(true)
        if not self.problem.holds(true):
            raise SolverFailedError(
                f"{self.sink.solver.name}: wrong model: it does not satisfy the problem"
            )
        self.model, self.upper = sorted(true, key=abs), cost
        self.sink.solver.prefer(self.model)
        self._found(self.model, cost)

    def raise_lower(self, cost: int) -> None:
        """No model that is better than the best one costs less than this."""
        self.lower = max(self.lower, cost if self.upper is None else min(cost, self.upper))

    def exhaust(self) -> None:
        """There is no better model than the best one, or none at all."""
        self.exhausted = True
        if self.upper is not None:
            self.raise_lower(self.upper)
