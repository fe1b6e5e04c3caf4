"""Conflict budgets of searches, which keep a deadline although solvers cannot be interrupted.

Most of PySAT's solvers cannot be interrupted while they search (CaDiCaL never returns to Python),
but nearly all stop after a number of conflicts and keep the clauses that they have learned. So a
solver is asked with few conflicts at a time, and the clock is read between two questions.
"""

from collections.abc import Sequence
from time import monotonic
from typing import Final

from satsweeper.processes.deadline import Deadline
from satsweeper.solvers.protocol import Answer, LiveSolver, Unknown

_FIRST_BUDGET: Final = 2_000
"""Conflicts of a question, before the first widening."""
_SLICE: Final = 0.2
"""Seconds that one question should take at the most."""
_FIRST_STRETCH: Final = 1_000
"""Conflicts of the first stretch of a question to a ``LimitedSolver``."""
_STRETCH: Final = 0.1
"""Seconds that one stretch of a question to a ``LimitedSolver`` should take at the most."""


class SearchBudget:
    """A deadline of a search, and how many conflicts each question to a solver may cost.

    Args:
        deadline: of the whole search. If it never comes, the first `widen` lifts the budget.
        conflicts: of a question, at first; 0: no question is asked before a widening.
    """

    def __init__(self, deadline: Deadline | None = None, conflicts: int = _FIRST_BUDGET) -> None:
        self.deadline = deadline or Deadline()
        self._conflicts: int | None = conflicts

    def solve(self, solver: LiveSolver, assumptions: Sequence[int] = ()) -> Answer:
        """Ask ``solver`` one question; Unknown if the budget or the time is used up."""
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
        """Allow each question twice the conflicts; any number, if there is no deadline."""
        if self.deadline == Deadline():
            self._conflicts = None
        elif self._conflicts is not None:
            self._conflicts = max(2 * self._conflicts, 1)


class LimitedSolver:
    """A solver that gives every question up once a deadline or a number of conflicts is reached.

    Args:
        solver: answers the questions.
        deadline: after which no question is answered.
        effort: conflicts of ``solver`` since it was made, after which no question is answered.
    """

    def __init__(self, solver: LiveSolver, deadline: Deadline, effort: int | None) -> None:
        self.name = solver.name
        self.calls = 0
        self.over = False
        """Whether a question was given up since the limit was reached."""
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
        """Answer one question, in stretches of few conflicts, until a limit is reached."""
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
            # The clock is read only between questions, so a stretch that took too long is halved.
            if monotonic() - began > _STRETCH:
                self._budget = max(self._budget // 2, 1)
        self.over = True
        return Unknown("limit")
