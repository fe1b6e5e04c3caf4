"""A live solver that adds cuts until its models have the connections that a board asks for."""

from __future__ import annotations

from collections.abc import Sequence

from satsweeper.processes.deadline import Deadline
from satsweeper.puzzle.clause_writer import ClauseWriter
from satsweeper.solvers.protocol import Answer, LiveSolver, Satisfied, Unknown


class CuttingSolver:
    """A solver around another: each model is checked for connections, and cut off without them.

    A cut holds in every layout that meets the connection, and it carries the selector of the rule:
    so it stays, and a core that needs it has the rule.

    Args:
        solver: the solver that searches.
        writer: the writer of the board's clauses, with its connections and selectors.
        num_vars: the number of variables of cells.
    """

    def __init__(self, solver: LiveSolver, writer: ClauseWriter, num_vars: int) -> None:
        self.name = solver.name
        self.calls = 0
        self.cuts = 0
        """The number of cuts so far."""
        self.add_clause = solver.add_clause
        self.conflicts = solver.conflicts
        self.prefer = solver.prefer
        self.close = solver.close
        self._solver = solver
        self._writer = writer
        self._num_vars = num_vars

    def solve(
        self,
        assumptions: Sequence[int] = (),
        conflicts: int | None = None,
        seconds: float | None = None,
    ) -> Answer:
        """Search for a model with the connections whose selectors are assumed.

        ``conflicts`` and ``seconds`` limit the whole search, with all its cuts.
        """
        assumed = {*assumptions}
        wanted = [
            each for each in self._writer.connections if self._writer.selector(each.part) in assumed
        ]
        deadline, begun, first = Deadline.after(seconds), self.conflicts(), self.calls
        left = conflicts
        while True:
            self.calls += 1
            answer = self._solver.solve(assumptions, left, deadline.left())
            if not wanted or not isinstance(answer, Satisfied):
                return answer
            mines = self._writer.mines(answer.model[: self._num_vars])
            cuts = [(each, cut) for each in wanted for cut in each.separations(mines)]
            if not cuts:
                return answer
            self.cuts += len(cuts)
            for each, cut in cuts:
                self._writer.separate(each, cut)
            if conflicts is not None:
                # One question may take many searches, which share the budget; a search that meets
                # no conflict counts as one.
                left = conflicts - (self.conflicts() - begun) - (self.calls - first)
                if left <= 0:
                    return Unknown("conflicts")
            if deadline.passed():
                return Unknown("time")
