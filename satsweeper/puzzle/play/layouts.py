"""Layouts drawn at random among those that a board allows."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from random import Random
from typing import Final, NamedTuple, Self

from satsweeper.processes.deadline import Deadline
from satsweeper.puzzle.board_constraints import board_constraints
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.play.live import LiveBoard
from satsweeper.puzzle.play.shown import Layout, values_everywhere
from satsweeper.puzzle.puzzle import Puzzle

_TRIES: Final = 400
"""The number of uniform draws of mines that are tried before a solver searches."""


class DrawnLayout(NamedTuple):
    """A layout, and whether all layouts of the board were equally likely."""

    mines: Layout
    uniform: bool


class LayoutSource:
    """All layouts in which a board can be played, in one live solver.

    They meet its rules, clues, regions and total, and each safe cell has a value to show.

    A context manager; `close` frees the solver.

    Args:
        puzzle: the board, with a total.
        deadline: the moment after which a search raises PuzzleTimeError.

    Raises RuleError for a board that lacks what a rule needs, or has no total.
    """

    def __init__(self, puzzle: Puzzle, deadline: Deadline | None = None) -> None:
        if puzzle.mines is None:
            raise RuleError("a layout is drawn with a number of mines: the total is unknown")
        self.puzzle = puzzle
        self._constraints = [*board_constraints(puzzle), *values_everywhere(puzzle)]
        self._live = LiveBoard(puzzle, self._constraints, deadline)
        self.close = self._live.close

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
        found = self.near(random, target, self._without(free))
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

    def possible(self, free: Collection[int] = ()) -> bool:
        """Whether there is a layout in which the cells ``free`` have no mine."""
        return self._live.layout(self._without(free)) is not None

    def _without(self, free: Collection[int]) -> list[int]:
        """Return the literals that say that cells have no mine."""
        return [-variable for cell in free for variable in self.puzzle.board.variables[cell]]

    def near(self, random: Random, target: Layout, fixed: Sequence[int] = ()) -> Layout | None:
        """Return a layout near ``target`` in which the literals ``fixed`` hold; None without one.

        Variables are taken in random order; each keeps its value in the target if that is possible
        together with those before. So a target that is a layout is found itself.
        """
        known = self.puzzle.known
        literals = [v if v in target else -v for v in range(1, self.puzzle.board.num_vars + 1)]
        self._live.prefer(literals)
        assumed = list(fixed)
        found = self._live.layout(assumed)
        if found is None:
            return None
        decided = {*map(abs, fixed), *known}
        order = [lit for lit in literals if abs(lit) not in decided]
        random.shuffle(order)
        for lit in order:
            if (abs(lit) in found) != (lit > 0):
                other = self._live.layout([*assumed, lit])
                if other is None:
                    lit = -lit
                else:
                    found = other
            assumed.append(lit)
        return found
