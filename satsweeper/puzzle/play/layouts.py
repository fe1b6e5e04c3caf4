"""Layouts drawn at random among those that a board allows."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from random import Random
from typing import Final, NamedTuple, Self

from satsweeper.puzzle.board_constraints import board_constraints
from satsweeper.puzzle.clause_writer import ClauseWriter
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.lazy_connection import CuttingSolver
from satsweeper.puzzle.play.shown import Layout
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.solvers.protocol import Satisfied
from satsweeper.solvers.sink import SolverSink, open_solver

_TRIES: Final = 400
"""The number of uniform draws of mines that are tried before a solver searches."""


class DrawnLayout(NamedTuple):
    """A layout, and whether all layouts of the board were equally likely."""

    mines: Layout
    uniform: bool


class LayoutSource:
    """All layouts that meet rules, clues, regions and total of a board, in one live solver.

    A context manager; `close` frees the solver.

    Args:
        puzzle: the board, with a total.

    Raises RuleError for a board that lacks what a rule needs, or has no total.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        if puzzle.mines is None:
            raise RuleError("a layout is drawn with a number of mines: the total is unknown")
        self.puzzle = puzzle
        self._constraints = board_constraints(puzzle)
        inner = open_solver("minisat22")
        sink = SolverSink(inner)
        sink.new_vars(puzzle.board.num_vars)
        self._writer = ClauseWriter(sink, puzzle.known)
        for constraint in self._constraints:
            constraint.write(self._writer)
        self._solver = CuttingSolver(inner, self._writer, puzzle.board.num_vars)
        sink.solver = self._solver

    def close(self) -> None:
        """Free the solver."""
        self._solver.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def draw(self, random: Random, free: Collection[int] = ()) -> DrawnLayout | None:
        """Draw a layout in which the cells ``free`` have no mine; None if there is none.

        Mines are drawn uniformly until they meet all constraints, so all layouts are equally
        likely. Where that takes too many draws, the layout is instead one near the last draw, as
        `near` finds it: then all layouts are possible, but not equally likely.
        """
        target: Layout = frozenset()
        for target in self._uniform(random, free):
            if all(each.holds(target) for each in self._constraints):
                return DrawnLayout(target, uniform=True)
        board = self.puzzle.board
        fixed = [-variable for cell in free for variable in board.variables[cell]]
        found = self.near(random, target, fixed)
        return None if found is None else DrawnLayout(found, uniform=False)

    def _uniform(self, random: Random, free: Collection[int]) -> Iterator[Layout]:
        """Yield random sets of mines with the right total."""
        known = self.puzzle.known
        without = {*free}
        covered = [
            variable
            for cell, variables in enumerate(self.puzzle.board.variables)
            for variable in variables
            if cell not in without and variable not in known
        ]
        shown = [variable for variable, value in known.items() if value]
        count = (self.puzzle.mines or 0) - len(shown)
        possible = 0 <= count <= len(covered)
        for _ in range(_TRIES if possible else 0):
            yield frozenset(shown + random.sample(covered, count))

    def near(self, random: Random, target: Layout, fixed: Sequence[int] = ()) -> Layout | None:
        """Return a layout near ``target`` in which the literals ``fixed`` hold; None without one.

        Variables are taken in random order; each keeps its value in the target if that is possible
        together with those before. So a target that is a layout is found itself.
        """
        puzzle = self.puzzle
        number = puzzle.board.num_vars
        literals = [v if v in target else -v for v in range(1, number + 1)]
        self._solver.prefer(literals)
        assumed = [*self._writer.selectors.values(), *fixed]
        answer = self._solver.solve(assumed)
        if not isinstance(answer, Satisfied):
            return None
        known = puzzle.known
        decided = {*map(abs, fixed), *known}
        order = [lit for lit in literals if abs(lit) not in decided]
        random.shuffle(order)
        model = {*answer.model[:number]}
        for lit in order:
            if lit not in model:
                answer = self._solver.solve([*assumed, lit])
                if isinstance(answer, Satisfied):
                    model = {*answer.model[:number]}
                else:
                    lit = -lit
            assumed.append(lit)
        return frozenset(self._writer.mines(model))
