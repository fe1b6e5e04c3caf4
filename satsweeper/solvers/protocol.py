"""The protocol of live solvers, and their three answers."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from satsweeper.board.errors import Error, FailedError


class Satisfied(NamedTuple):
    """A model exists under the assumptions.

    ``model[v - 1]`` is ``v`` or ``-v``. Variables the solver never met may be missing at the end.
    """

    model: list[int]


class Unsatisfied(NamedTuple):
    """No model under the assumptions; already ``core``, a subset of them, is contradictory.

    An empty core: the clauses alone are contradictory.
    """

    core: list[int]


class Unknown(NamedTuple):
    """A limit was reached first."""

    reason: str


Answer = Satisfied | Unsatisfied | Unknown


class Statistics(NamedTuple):
    """The cost of a search in the solver's own counts, which differ between solvers."""

    conflicts: int
    propagations: int
    decisions: int


class SolverError(Error, ValueError):
    """A named solver does not exist, or lacks a feature that is needed."""


class SolverFailedError(FailedError, ChildProcessError):
    """A solver ended without an answer, or with one that is wrong."""


class LiveSolver(Protocol):
    """An incremental solver. Adding a clause or solving again ends the previous answer."""

    name: str
    """The solver's name in ``satsweeper.solvers.table``."""

    calls: int
    """The number of calls of :meth:`solve`."""

    def add_clause(self, clause: Iterable[int]) -> object:
        """Add a clause for good."""

    def solve(
        self,
        assumptions: Sequence[int] = (),
        conflicts: int | None = None,
        seconds: float | None = None,
    ) -> Answer:
        """Search for a model in which all assumptions hold, within a budget of conflicts.

        ``seconds`` is for solvers that can be stopped at a time; others do not listen to it.
        """

    def conflicts(self) -> int:
        """Conflicts met so far; 0 where the solver does not tell."""

    def prefer(self, literals: Sequence[int]) -> None:
        """Ask the solver to try these literals first; it may ignore the wish."""

    def close(self) -> None:
        """Free the solver. Using it afterwards is an error of the caller."""
