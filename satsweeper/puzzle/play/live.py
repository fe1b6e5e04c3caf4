"""Constraints of a board in a live solver, without selectors that a verdict would leave out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

from satsweeper.processes.deadline import Deadline
from satsweeper.puzzle.clause_writer import ClauseWriter
from satsweeper.puzzle.constraints.protocol import Constraint
from satsweeper.puzzle.lazy_connection import CuttingSolver
from satsweeper.puzzle.play.certain_game import Questions
from satsweeper.puzzle.play.shown import Layout
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.solvers.protocol import Satisfied
from satsweeper.solvers.sink import SolverSink, open_solver


class LiveBoard:
    """A solver whose models are the layouts that meet constraints; a context manager.

    Args:
        puzzle: the board, for its cells and for what is known of them.
        constraints: what layouts have to meet.
        deadline: the moment after which `layout` raises PuzzleTimeError.
    """

    def __init__(
        self, puzzle: Puzzle, constraints: Iterable[Constraint], deadline: Deadline | None = None
    ) -> None:
        number = puzzle.board.num_vars
        inner = open_solver("minisat22")
        sink = SolverSink(inner)
        sink.new_vars(number)
        self.writer = ClauseWriter(sink, puzzle.known)
        for constraint in constraints:
            constraint.write(self.writer)
        self._solver = CuttingSolver(inner, self.writer, number)
        self._number = number
        self._questions = Questions(deadline or Deadline())
        self.prefer = self._solver.prefer

    def close(self) -> None:
        """Free the solver."""
        self._solver.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def layout(self, assumed: Sequence[int] = ()) -> Layout | None:
        """Return a layout in which the literals ``assumed`` hold; None if there is none."""
        answer = self._questions.solve(self._solver, [*self.writer.selectors.values(), *assumed])
        if not isinstance(answer, Satisfied):
            return None
        # A model may end before variables that are in no clause; they are false then.
        return frozenset(self.writer.mines(answer.model[: self._number]))
