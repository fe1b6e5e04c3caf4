"""A game played by certain moves only: what can be solved from a board on, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from satsweeper.board.errors import LimitError
from satsweeper.processes.deadline import Deadline
from satsweeper.puzzle.answers import PuzzleConflict
from satsweeper.puzzle.clue import Clue
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.play.certain_game import CertainGame, PuzzleTimeError
from satsweeper.puzzle.play.shown import HiddenChoices, Layout, all_clues
from satsweeper.puzzle.puzzle import Puzzle


@dataclass(frozen=True)
class PuzzleMove:
    """Cells that are opened together, by number, and why they are safe.

    ``reason``: an irreducible set of rules, clues, flags, regions and perhaps the total. It proves
    all ``cells`` to be safe, every covered cell taken for unknown, so it needs no earlier move.
    """

    puzzle: Puzzle
    cells: tuple[int, ...]
    reason: PuzzleConflict

    def as_json(self) -> dict[str, Any]:
        """Return the object in the list ``moves`` of ``generate --json``."""
        names = self.puzzle.geometry.cells
        cells = [list(n) if isinstance(n, tuple) else n for n in map(names.__getitem__, self.cells)]
        return {"cells": cells, **self.reason.as_json()}


@dataclass(frozen=True)
class PuzzlePlay:
    """The end of a game played by certain moves.

    ``puzzle``: the board with all cells open that were proved to be safe; ``rounds``: the cells
    opened together, one set for each position; ``moves``: the same with reasons, if these were
    asked for; ``mines``: the covered cells proved to be mines; ``solved``: whether every safe cell
    is open.
    """

    puzzle: Puzzle
    rounds: tuple[frozenset[int], ...]
    moves: tuple[PuzzleMove, ...]
    mines: frozenset[int]
    solved: bool


def until_stuck(
    puzzle: Puzzle,
    layout: Layout,
    hidden: HiddenChoices,
    *,
    reasons: bool = True,
    flags: str = "trust",
    timeout: float | None = None,
) -> PuzzlePlay:
    """Open all cells proved to be safe, again and again, until there are none.

    Args:
        puzzle: the board to go on from.
        layout: the mines, in which the cells that are opened show their clues.
        hidden: the choices of the game that the clues depend on.
        reasons: whether to find a reason for every move.
        flags: whether flags are trusted to be mines, or ignored.
        timeout: seconds.

    Raises:
        RuleError: a safe cell can show nothing; the board contradicts itself.
        PuzzleTimeError: the time is used up.
    """
    clues = all_clues(puzzle, layout, hidden)
    if clues is None:
        raise RuleError("a safe cell of the layout can show nothing")
    return play_certain(
        puzzle, clues, reasons=reasons, flags=flags, deadline=Deadline.after(timeout)
    )


def play_certain(
    puzzle: Puzzle,
    clues: Mapping[int, Clue],
    *,
    reasons: bool = False,
    flags: str = "trust",
    deadline: Deadline | None = None,
    effort: int | None = None,
) -> PuzzlePlay:
    """Play as `until_stuck` does, with the clue of every safe cell at hand.

    ``clues``: the safe cells, by number. ``effort``: the most conflicts of the search for one
    proof; what takes more counts as unknown.
    """
    rounds: list[frozenset[int]] = []
    moves: list[PuzzleMove] = []
    with CertainGame(puzzle, clues, flags=flags, deadline=deadline, effort=effort) as game:
        while safe := game.safe():
            if reasons:
                moves += _moves(game, safe)
            rounds.append(frozenset(safe))
            game.open(safe)
        mines, after = game.mines(), game.session.puzzle
    return PuzzlePlay(after, tuple(rounds), tuple(moves), mines, not game.left)


def _moves(game: CertainGame, safe: Sequence[int]) -> Iterator[PuzzleMove]:
    """Yield moves that open the cells ``safe``, each with all cells that its reason proves."""
    puzzle, names = game.session.puzzle, game.session.puzzle.geometry.cells
    left = list(safe)
    while left:
        if game.deadline.passed():
            raise PuzzleTimeError
        try:
            reason = game.session.explain(names[left[0]], game.deadline).reason
        except LimitError:
            raise PuzzleTimeError from None
        assert reason is not None
        same = {left[0]}
        # Where clues depend on one another the smaller board has the rule as well.
        shared = {rule for clue in puzzle.clues.values() for rule in _shared_by(clue)}
        if len(left) > 1 and shared <= {*reason.rules}:
            same.update(game.proved_on(only(puzzle, reason), left))
        yield PuzzleMove(puzzle, tuple(sorted(same)), reason)
        left = [cell for cell in left if cell not in same]


def _shared_by(clue: Clue) -> tuple[str, ...]:
    return clue.kind.letters if clue.kind.together else ()


def only(puzzle: Puzzle, reason: PuzzleConflict) -> Puzzle:
    """Return a board with the parts of a reason alone; its other open cells show nothing.

    Rules of clues stay, since they give the clues their meaning.
    """
    numbers = puzzle.geometry.numbers
    clues = {numbers[cell]: puzzle.clues[numbers[cell]] for cell in reason.clues}
    flags = {numbers[cell] for cell in reason.flags}
    return replace(
        puzzle,
        rules=tuple([each for each in puzzle.rules if each in (*puzzle.clue_rules, *reason.rules)]),
        clues=clues,
        opened=puzzle.opened.union(puzzle.clues).difference(clues, puzzle.shown),
        flags=frozenset(),
        shown=puzzle.shown.union(flags),
        mines=puzzle.mines if reason.total else None,
        regions=tuple([each for each in puzzle.regions if each.name in reason.regions]),
    )
