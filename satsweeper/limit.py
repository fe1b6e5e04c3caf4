"""A time limit that is kept by asking solvers small questions: budgets of conflicts, and a clock.

Most of PySAT's solvers cannot be interrupted while they search (CaDiCaL never returns to Python),
but nearly all stop after a number of conflicts and keep what they learned.
"""

from collections.abc import Sequence
from time import monotonic
from typing import Final

from satsweeper.solvers.protocol import Answer, LiveSolver, Unknown

_FIRST_BUDGET: Final = 1_000
_SLICE: Final = 0.2
"""Seconds that one question should take at the most."""


class Limit:
    """Asks a solver until a deadline.

    Args:
        seconds: from now; None for no limit, and then no budgets either.
    """

    def __init__(self, seconds: float | None = None) -> None:
        self._deadline = None if seconds is None else monotonic() + seconds
        self._budget = _FIRST_BUDGET

    @property
    def endless(self) -> bool:
        """Whether there is no limit at all."""
        return self._deadline is None

    @property
    def expired(self) -> bool:
        """Whether the time is over."""
        return self._deadline is not None and monotonic() >= self._deadline

    def solve(self, solver: LiveSolver, assumptions: Sequence[int] = ()) -> Answer:
        """One question; Unknown when its budget or the time is used up."""
        if self._deadline is None:
            return solver.solve(assumptions)
        start = monotonic()
        if start >= self._deadline:
            return Unknown("time")
        answer = solver.solve(assumptions, self._budget)
        if monotonic() - start > _SLICE:
            self._budget = max(self._budget // 2, 1)
        return answer

    def widen(self) -> None:
        """Allow more conflicts a question from now on."""
        self._budget *= 2
