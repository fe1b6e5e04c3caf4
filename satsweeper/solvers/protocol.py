"""The protocol of live solvers, and their three answers."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from satsweeper.board.errors import Error, FailedError


class Satisfied(NamedTuple):
    """A model exists under the assumptions.

    ``model[v - 1]`` is ``v`` or ``-v``. The model may end before variables that are in no clause.
    """

    model: list[int]


class Unsatisfied(NamedTuple):
    """No model exists under the assumptions; ``core``, a subset of them, is contradictory.

    If ``core`` is empty, the clauses alone are contradictory.
    """

    core: list[int]


class Unknown(NamedTuple):
    """A limit was reached before an answer; ``reason`` names the limit."""

    reason: str


Answer = Satisfied | Unsatisfied | Unknown


class Statistics(NamedTuple):
    """The cost of a search in the solver's own counts, which differ between solvers."""

    conflicts: int
    propagations: int
    decisions: int


class SolverError(Error, ValueError):
    """A named solver does not exist, or lacks a required feature."""


class SolverFailedError(FailedError, ChildProcessError):
    """A solver ended without an answer, or with a wrong answer."""


class LiveSolver(Protocol):
    """An incremental solver. Adding a clause or solving again ends the previous answer."""

    name: str
    """The solver's name in ``satsweeper.solvers.table``."""

    calls: int
    """The number of calls of :meth:`solve`."""

    def add_clause(self, clause: Iterable[int]) -> object:
        """Add a clause, which cannot be removed."""

    def solve(
        self,
        assumptions: Sequence[int] = (),
        conflicts: int | None = None,
        seconds: float | None = None,
    ) -> Answer:
        """Search for a model in which all assumptions hold, within a budget of conflicts.

        ``conflicts``: the most conflicts, None for no limit; ignored by solvers without budgets.
        ``seconds``: the time limit, ignored by solvers that cannot be stopped at a time.
        """

    def conflicts(self) -> int:
        """Return the number of conflicts so far; 0 if the solver does not report conflicts."""

    def prefer(self, literals: Sequence[int]) -> None:
        """Set the preferred phases to ``literals``; a solver may ignore them."""

    def close(self) -> None:
        """Free the solver, which must not be used afterwards."""
