"""Games by certain moves on boards whose solution is known: the solver is asked what can differ."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, Self

from satsweeper.board.errors import LimitError
from satsweeper.processes.deadline import Deadline
from satsweeper.puzzle.clue import Clue
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.play.shown import Layout
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.session import PuzzleSession
from satsweeper.solvers.backbone import Backbone
from satsweeper.solvers.protocol import Answer, LiveSolver, Satisfied, Unknown, Unsatisfied
from satsweeper.solvers.search_budget import SearchBudget

EFFORT: Final = 200
"""The most conflicts of an easy proof."""
_FIRST: Final = 50
"""The most conflicts of the first search for a proof."""
_MORE: Final = 4
"""The factor by which conflicts grow while nothing is proved."""
_STRETCH: Final = 1_000
"""The most conflicts between two looks at the clock."""


class PuzzleTimeError(LimitError):
    """The time is used up."""


class CertainGame:
    """A game by certain moves on a board whose solution is known; a context manager.

    Easy proofs come first, as the cells that they open may make the others easy.

    Args:
        puzzle: the board to go on from.
        clues: the clue of every safe cell, by number.
        flags: whether flags are trusted to be mines, or ignored.
        deadline: the end of the game.
        effort: the most conflicts of the search for one proof: what takes more counts as unknown.
            None: no limit.

    ``left``: the safe cells that are not open. ``session``: the board as it is. Questions raise
    PuzzleTimeError at the deadline, and RuleError if the board contradicts itself.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        clues: Mapping[int, Clue],
        *,
        flags: str = "trust",
        deadline: Deadline | None = None,
        effort: int | None = None,
    ) -> None:
        self.deadline = deadline or Deadline()
        self.left = {*clues}.difference(puzzle.clues, puzzle.opened)
        self._clues = clues
        self._flags = flags
        self._effort = effort
        self._solution: Layout | None = None
        if not puzzle.board.capacity:
            every = range(len(puzzle.geometry))
            self._solution = frozenset([cell + 1 for cell in every if cell not in clues])
        self.session = SolutionSession(puzzle, self._solution, flags)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.session.close()

    def safe(self) -> list[int]:
        """Return covered cells that are proved to be safe; none if no cell can be."""
        return self._proved([-cell - 1 for cell in self.left])

    def mines(self) -> frozenset[int]:
        """Return the covered cells that are proved to be mines."""
        # With every safe cell open the others are mines.
        hidden = self.session.puzzle.hidden(self._flags if self.left else "ignore")
        literals = [cell + 1 for cell in hidden if cell not in self.left]
        return frozenset(self._proved(literals, every=True) if self.left else hidden)

    def _proved(self, literals: Collection[int], every: bool = False) -> list[int]:
        """Return the cells of literals that are proved: some first, or with ``every`` all."""
        found: set[int] = set()
        conflicts = _FIRST
        while True:
            questions = Questions(self.deadline, conflicts)
            more, whole = self.session.certain({*literals} - found, questions)
            found |= more
            if whole or (found and not every) or conflicts == self._effort:
                return sorted([abs(lit) - 1 for lit in found])
            conflicts = min(_MORE * conflicts, self._effort or _MORE * conflicts)

    def proved_on(self, puzzle: Puzzle, cells: Iterable[int]) -> list[int]:
        """Return the safe cells among ``cells`` with an easy proof on another board.

        ``puzzle``: a board with some parts of this one.
        """
        questions = Questions(self.deadline, EFFORT)
        with SolutionSession(puzzle, self._solution, "ignore") as session:
            found, _ = session.certain([-cell - 1 for cell in cells], questions)
        return [-lit - 1 for lit in found]

    def open(self, cells: Iterable[int]) -> None:
        """Open safe cells."""
        opened = {cell: self._clues[cell] for cell in cells}
        self.left.difference_update(opened)
        if any(clue.kind.together for clue in opened.values()):
            # Clues that depend on one another are written together.
            before = self.session.puzzle
            self.session.close()
            after = replace(before, clues={**before.clues, **opened})
            self.session = SolutionSession(after, self._solution, self._flags)
            return
        for cell, clue in opened.items():
            name = self.session.puzzle.geometry.cells[cell]
            self.session.reveal(name, clue.text(), clue.kind.letters)


class SolutionSession(PuzzleSession):
    """A session of a board with a known solution, which is asked what can be otherwise.

    Args:
        puzzle: the board.
        solution: its solution; None if it is unknown, and one that is no layout counts as unknown.
        flags: whether flags are trusted to be mines, or ignored.
    """

    def __init__(self, puzzle: Puzzle, solution: Layout | None, flags: str) -> None:
        super().__init__(puzzle, flags=flags)
        known = solution is not None and all(each.holds(solution) for each in self._constraints)
        self._solution = solution if known else None

    def certain(self, literals: Collection[int], limit: SearchBudget) -> tuple[set[int], bool]:
        """Return the literals that hold in all layouts, and whether all others are known not to.

        Raises RuleError if the board has no layout.
        """
        self._write_total()
        assumed = [*self.selectors.values()]
        if self._solution is None and not self._layouts:
            answer = limit.solve(self._solver, assumed)
            if isinstance(answer, Unsatisfied):
                raise RuleError("the board contradicts itself")
            if not isinstance(answer, Satisfied):
                return set(), False
            self._accept(answer.model)
        known = [*self._layouts, *([] if self._solution is None else [self._solution])]
        some, every = frozenset().union(*known), frozenset.intersection(*known)
        rest = {*self._rest()}
        # Interchangeable cells have a verdict only if they are alike in each layout: the first of
        # them, which stands for all, then has it, too.
        mixed = bool(some.intersection(self._interior)) and not every.issuperset(self._interior)
        asked = [
            abs(lit)
            for lit in sorted(literals)
            if (lit in every if lit > 0 else -lit not in some)
            and abs(lit) not in rest
            and not (mixed and abs(lit) in self._interior)
        ]
        search = Backbone(self._sink, asked, self._accept, assumptions=assumed)
        search.start([self._literals(known[-1])])
        whole = search.run(limit)
        return self._spread(search.proved).intersection(literals), whole


class Questions(SearchBudget):
    """Questions with a budget of conflicts, whatever time they take: equal games are played alike.

    Args:
        deadline: the moment after which a question raises PuzzleTimeError.
        conflicts: the most conflicts of a question; None: no limit.
    """

    def __init__(self, deadline: Deadline, conflicts: int | None = None) -> None:
        super().__init__(deadline)
        self._conflicts = conflicts

    def solve(self, solver: LiveSolver, assumptions: Sequence[int] = ()) -> Answer:
        """Call ``solver`` under ``assumptions``, again and again, and read the clock between."""
        left = self._conflicts
        while left is None or left > 0:
            if self.deadline.passed():
                raise PuzzleTimeError
            answer = solver.solve(assumptions, _STRETCH if left is None else min(left, _STRETCH))
            if not isinstance(answer, Unknown):
                return answer
            if left is not None:
                left -= _STRETCH
        return Unknown("conflicts")
