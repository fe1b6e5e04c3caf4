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


class Limit:
    """Asks a solver until a deadline.

    Args:
        seconds: from now; None for no limit: then budgets end with the first :meth:`widen`.
    """

    def __init__(self, seconds: float | None = None) -> None:
        self._deadline = None if seconds is None else monotonic() + seconds
        self._budget: int | None = _FIRST_BUDGET

    @property
    def expired(self) -> bool:
        """Whether the time is over."""
        return self._deadline is not None and monotonic() >= self._deadline

    def solve(self, solver: LiveSolver, assumptions: Sequence[int] = ()) -> Answer:
        """One question; Unknown when its budget or the time is used up."""
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
            self._budget *= 2
