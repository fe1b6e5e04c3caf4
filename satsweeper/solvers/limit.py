"""A time limit that is kept by asking solvers small questions: budgets of conflicts, and a clock.

Most of PySAT's solvers cannot be interrupted while they search (CaDiCaL never returns to Python),
but nearly all stop after a number of conflicts and keep what they learned.
"""

from collections.abc import Sequence
from time import monotonic
from typing import Final

from satsweeper.solvers.protocol import Answer, LiveSolver, Unknown

_FIRST_BUDGET: Final = 2_000
_SLICE: Final = 0.2
"""Seconds that one question should take at the most."""
_FIRST_STRETCH: Final = 1_000
_STRETCH: Final = 0.1
"""Seconds that one stretch of an unlimited question should take at the most."""


class Limit:
    """Asks a solver until a deadline.

    Args:
        seconds: from now; None for no limit: then budgets end with the first :meth:`widen`.
        budget: conflicts of a question, at first; 0: no question is asked before a widening.
    """

    def __init__(self, seconds: float | None = None, budget: int = _FIRST_BUDGET) -> None:
        self._deadline = None if seconds is None else monotonic() + seconds
        self._budget: int | None = budget

    @property
    def expired(self) -> bool:
        """Whether the time is over."""
        return self._deadline is not None and monotonic() >= self._deadline

    @property
    def left(self) -> float | None:
        """Seconds until the deadline, None if there is none."""
        return None if self._deadline is None else max(self._deadline - monotonic(), 0.0)

    def solve(self, solver: LiveSolver, assumptions: Sequence[int] = ()) -> Answer:
        """One question; Unknown when its budget or the time is used up."""
        if self._budget == 0:
            return Unknown("conflicts")
        if self._deadline is None:
            return solver.solve(assumptions, self._budget)
        start = monotonic()
        if start >= self._deadline:
            return Unknown("time")
        answer = solver.solve(assumptions, self._budget, self._deadline - start)
        if self._budget is not None and monotonic() - start > _SLICE:
            self._budget = max(self._budget // 2, 1)
        return answer

    def widen(self) -> None:
        """Allow more conflicts a question from now on: any number, if there is no deadline."""
        if self._deadline is None:
            self._budget = None
        elif self._budget is not None:
            self._budget = max(2 * self._budget, 1)


class LimitedSolver:
    """A solver that gives every question up once a limit of time or of conflicts is reached."""

    def __init__(self, solver: LiveSolver, limit: Limit, effort: int | None) -> None:
        self.name = solver.name
        self.calls = 0
        self.over = False
        """Whether a question was given up since the limit was reached."""
        self.add_clause = solver.add_clause
        self.conflicts = solver.conflicts
        self.prefer = solver.prefer
        self.close = solver.close
        self._solver = solver
        self._limit = limit
        self._effort = effort
        self._budget = _FIRST_STRETCH

    def solve(
        self,
        assumptions: Sequence[int] = (),
        conflicts: int | None = None,
        seconds: float | None = None,
    ) -> Answer:
        """One question, in stretches of few conflicts, until a limit is reached."""
        self.calls += 1
        begun = self.conflicts()
        while not self._limit.expired:
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
            if monotonic() - began > _STRETCH:
                self._budget = max(self._budget // 2, 1)
        self.over = True
        return Unknown("limit")
