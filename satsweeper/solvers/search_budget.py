"""Conflict budgets of searches, which keep a deadline although solvers cannot be interrupted.

Most of PySAT's solvers cannot be interrupted while they search (CaDiCaL never returns to Python),
but nearly all stop after a given number of conflicts and keep their learned clauses. So a solver is
called with a small budget of conflicts, and the clock is read between two calls.
"""

from collections.abc import Sequence
from time import monotonic
from typing import Final

from satsweeper.processes.deadline import Deadline
from satsweeper.solvers.protocol import Answer, LiveSolver, Unknown

_FIRST_BUDGET: Final = 2_000
"""The budget of conflicts of a question, before the first widening."""
_SLICE: Final = 0.2
"""The time in seconds above which a question halves the budget."""
_FIRST_STRETCH: Final = 1_000
"""The budget of conflicts of the first call for a question to a ``LimitedSolver``."""
_STRETCH: Final = 0.1
"""The time in seconds above which a call of a ``LimitedSolver`` halves the budget."""


class SearchBudget:
    """The deadline of a search, and the budget of conflicts of each question to a solver.

    Args:
        deadline: the deadline of the whole search. Without a deadline the first `widen` removes the
            budget.
        conflicts: the first budget of a question; 0: every question is unknown before `widen`.
    """

    def __init__(self, deadline: Deadline | None = None, conflicts: int = _FIRST_BUDGET) -> None:
        self.deadline = deadline or Deadline()
        self._conflicts: int | None = conflicts

    def solve(self, solver: LiveSolver, assumptions: Sequence[int] = ()) -> Answer:
        """Call ``solver`` under ``assumptions``; Unknown if the budget or the time is used up."""
        if self._conflicts == 0:
            return Unknown("conflicts")
        left = self.deadline.left()
        if left is None:
            return solver.solve(assumptions, self._conflicts)
        if not left:
            return Unknown("time")
        start = monotonic()
        answer = solver.solve(assumptions, self._conflicts, left)
        if self._conflicts is not None and monotonic() - start > _SLICE:
            self._conflicts = max(self._conflicts // 2, 1)
        return answer

    def widen(self) -> None:
        """Double the budget of conflicts; without a deadline, remove the budget."""
        if self.deadline == Deadline():
            self._conflicts = None
        elif self._conflicts is not None:
            self._conflicts = max(2 * self._conflicts, 1)


class LimitedSolver:
    """A solver whose questions end at a deadline or at a total number of conflicts.

    Args:
        solver: the solver that is called.
        deadline: the deadline; questions are Unknown afterwards.
        effort: the most conflicts of ``solver`` since its creation; None: no limit.
    """

    def __init__(self, solver: LiveSolver, deadline: Deadline, effort: int | None) -> None:
        self.name = solver.name
        self.calls = 0
        self.over = False
        """Whether a question was stopped at the deadline or at ``effort``."""
        self.add_clause = solver.add_clause
        self.conflicts = solver.conflicts
        self.prefer = solver.prefer
        self.close = solver.close
        self._solver = solver
        self._deadline = deadline
        self._effort = effort
        self._budget = _FIRST_STRETCH

    def solve(
        self,
        assumptions: Sequence[int] = (),
        conflicts: int | None = None,
        seconds: float | None = None,
    ) -> Answer:
        """Answer one question by calls with a small budget of conflicts, until a limit is reached.

        ``conflicts``: the most conflicts of this question, None for no limit. ``seconds`` is passed
        to the solver.
        """
        self.calls += 1
        begun = self.conflicts()
        while not self._deadline.passed():
            met = self.conflicts()
            left = self._budget
            if self._effort is not None:
                left = min(left, self._effort - met)
            if left <= 0:
                break
            if conflicts is not None:
                left = min(left, conflicts - (met - begun))
                if left <= 0:
                    return Unknown("conflicts")
            began = monotonic()
            answer = self._solver.solve(assumptions, left, seconds)
            if not isinstance(answer, Unknown):
                return answer
            # The clock is read only between calls, so the budget is halved after a long call.
            if monotonic() - began > _STRETCH:
                self._budget = max(self._budget // 2, 1)
        self.over = True
        return Unknown("limit")
