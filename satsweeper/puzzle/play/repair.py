"""Layouts changed until every move from the first click on is certain."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain
from random import Random
from typing import Final

from satsweeper.processes.deadline import Deadline
from satsweeper.puzzle.play.certain_game import EFFORT, PuzzleTimeError
from satsweeper.puzzle.play.layouts import LayoutSource
from satsweeper.puzzle.play.moves import play_certain
from satsweeper.puzzle.play.shown import Layout, ShownLayout, shown_layout

_PATIENCE: Final = 90
"""The number of changes without gain after which a new layout is drawn."""
_DOUBT: Final = 15
"""The same where nothing follows from the first click."""
_WIDE: Final = 0.4
"""The share of changes in which every mine may move, not only those the player does not know."""
_SWAP: Final = 0.3
"""The share of changes that turn one cell; the others make all unknown cells of a clue alike."""
_SAFE: Final = 0.5
"""The share of the latter in which these cells become safe."""
_ONE: Final = 0.2
"""The share of these in which one cell alone becomes a mine; in the rest all become mines."""


@dataclass(frozen=True)
class Attempt:
    """A layout, and the cells that certain moves open.

    ``rounds``: the cells opened together, those of the first click first; ``unknown``: the covered
    cells without a verdict in the end.
    """

    shown: ShownLayout
    rounds: tuple[frozenset[int], ...]
    unknown: frozenset[int]
    solved: bool

    @property
    def far(self) -> int:
        """The distance of the game from its end: unknown cells, safe ones counted twice."""
        return len(self.unknown) + len(self.shown.clues) - sum(map(len, self.rounds))


@dataclass(frozen=True)
class Repaired:
    """A layout without a guess: the number of layouts drawn, and of changes of the last one."""

    shown: ShownLayout
    attempts: int
    changes: int


class LayoutRepair:
    """A search for a layout in which the moves after a first click are certain.

    A layout is drawn, and played. Where that is stuck it is changed: some cells that nothing is
    known of, around a clue at the edge of the open cells, all become safe, or all but one, or all
    become mines, or one cell is turned, and the solver finds the nearest layout that meets all
    rules with as many mines as before. The new layout is kept if it is played no less far. So mines
    drift to where they can be told apart.

    Args:
        source: the layouts of the board.
        first: the cells that are open after the first click, by number; none is a mine.
        seed: draws everything.
        deadline: the end of the search.
    """

    def __init__(
        self, source: LayoutSource, first: frozenset[int], seed: str, deadline: Deadline
    ) -> None:
        self._source = source
        self._puzzle = source.puzzle
        self._first = first
        self._seed = seed
        self._deadline = deadline

    def search(self, numbers: Iterable[int]) -> Repaired | None:
        """Return a layout without a guess; None if no layout drawn can be changed into one.

        ``numbers``: a number for each layout to draw.

        Raises PuzzleTimeError if the time is used up.
        """
        for number in numbers:
            random = Random(f"{self._seed} attempt {number}")
            drawn = self._source.draw(random, self._first)
            attempt = None if drawn is None else self._played(drawn.mines, None)
            if attempt is None:
                continue
            changes = stale = 0
            while not attempt.solved and stale < (_PATIENCE if attempt.rounds[1:] else _DOUBT):
                if self._deadline.passed():
                    raise PuzzleTimeError
                stale += 1
                layout = self._changed(attempt, random)
                if layout is None or layout == attempt.shown.mines:
                    continue
                after = self._played(layout, attempt)
                if after is not None and after.far <= attempt.far:
                    if after.far < attempt.far:
                        stale = 0
                    attempt = after
                    changes += 1
            if attempt.solved:
                return Repaired(attempt.shown, number + 1, changes)
        return None

    def _played(self, layout: Layout, before: Attempt | None) -> Attempt | None:
        """Play a layout; from where a player sees the first difference to ``before``."""
        liars = () if before is None else before.shown.hidden.liars
        shown = shown_layout(self._puzzle, layout, self._seed, liars)
        if shown is None:
            return None
        clues = shown.clues
        rounds = [self._first]
        if before is not None:
            # A position is decided by what is open: while all clues are as before, so are all
            # moves, and the round after the last such position is the same, too.
            for here, following in zip(before.rounds, before.rounds[1:], strict=False):
                if any(clues.get(cell) != before.shown.clues[cell] for cell in here):
                    break
                rounds.append(following)
            if not {*rounds[-1]} <= clues.keys():
                rounds.pop()
        open_cells = {cell: clues[cell] for cell in chain.from_iterable(rounds)}
        play = play_certain(
            replace(self._puzzle, clues=open_cells), clues, deadline=self._deadline, effort=EFFORT
        )
        unknown = {*play.puzzle.hidden()} - play.mines
        return Attempt(shown, (*rounds, *play.rounds), frozenset(unknown), play.solved)

    def _changed(self, attempt: Attempt, random: Random) -> Layout | None:
        """Return a layout with some change where the player is stuck."""
        layout = attempt.shown.mines
        board = self._puzzle.board
        near = board.geometry.neighbours
        unknown = attempt.unknown
        edge = [
            cell for cells in attempt.rounds for cell in cells if not unknown.isdisjoint(near[cell])
        ]
        if edge and random.random() > _SWAP:
            clue = random.choice(sorted(edge))
            turned = [cell for cell in near[clue] if cell in unknown]
            drawn = random.random()
            mined = (
                [] if drawn < _SAFE
                else [random.choice(turned)] if drawn < _SAFE + _ONE
                else turned
            )  # fmt: skip
        else:
            turned = [random.choice(sorted(unknown))]
            mined = [] if board.mine(turned[0]) in layout else turned
        wanted = [board.mine(cell) if cell in mined else -board.mine(cell) for cell in turned]
        wanted += [-v for cell in self._first for v in board.variables[cell]]
        if random.random() > _WIDE:
            kept = [
                board.mine(cell) if board.mine(cell) in layout else -board.mine(cell)
                for cell in range(len(board.geometry))
                if cell not in unknown and cell not in self._first
            ]
            found = self._source.near(random, layout, [*wanted, *kept])
            if found is not None:
                return found
        return self._source.near(random, layout, wanted)
