"""A game under rules in the terminal: the cursor, the moves, and every move taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final

from pbcnf.wording import counted
from satsweeper.answers.classification import Verdict
from satsweeper.board.codes import Cell
from satsweeper.board.errors import LimitError
from satsweeper.processes.deadline import Deadline
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.odds.odds import odds_of_puzzle
from satsweeper.puzzle.play.game import PuzzleGame, processed
from satsweeper.puzzle.session import PuzzleSession
from satsweeper.show.sentences import percent

OVER: Final = "The game is over: n begins another one, u takes the last move back."


@dataclass(frozen=True)
class PuzzleHints:
    """Hints over a board: certain cells and marked cells, by number, and a sentence."""

    safe: frozenset[int] = frozenset()
    mines: frozenset[int] = frozenset()
    marks: frozenset[int] = frozenset()
    said: str = ""
    guess: int | None = None


class PuzzleGameSession:
    """The game that is played now, and the games before; acting methods return a sentence.

    Args:
        game: the game to begin with.
        following: makes the next game; None: there is none.
    """

    def __init__(self, game: PuzzleGame, following: Callable[[], PuzzleGame] | None = None) -> None:
        self.game = game
        self.cursor: Cell = (0, 0)
        self._following = following
        self._before: list[PuzzleGame] = []

    @property
    def here(self) -> int:
        """The number of the cell of the cursor."""
        return self.cursor[0] * self.game.puzzle.columns + self.cursor[1]

    @property
    def over(self) -> bool:
        """Whether nothing can be opened any more."""
        return self.game.status != "in play"

    def move(self, down: int, right: int) -> None:
        """Move the cursor, but not off the board."""
        puzzle = self.game.puzzle
        self.cursor = (
            min(max(self.cursor[0] + down, 0), puzzle.rows - 1),
            min(max(self.cursor[1] + right, 0), puzzle.columns - 1),
        )

    def open(self) -> str:
        """Open the cell of the cursor."""
        game = self.game
        if self.over:
            return OVER
        if self.here in game.opened:
            return "This cell is open; nothing is opened around it."
        if self.here in game.flags:
            return "This cell has a flag: take it away first."
        self._acted(processed(replace(game, chosen=frozenset([self.here]))))
        return ""

    def flag(self) -> str:
        """Put a flag on the cell of the cursor, or take it away."""
        if self.over:
            return OVER
        if self.here in self.game.opened:
            return "A flag is for a covered cell."
        self._acted(replace(self.game, flags=self.game.flags ^ {self.here}))
        return ""

    def play(self, hints: PuzzleHints) -> str:
        """Open the cells of a hint that are safe and flag those that are mines; or guess."""
        game = self.game
        chosen = hints.safe or ({hints.guess} if hints.guess is not None else frozenset())
        flags = (game.flags | hints.mines) - chosen
        self._acted(processed(replace(game, chosen=frozenset(chosen), flags=flags)))
        return hints.said if not hints.safe else f"Opened {counted(len(chosen), 'cell')}."

    def undo(self) -> str:
        """Take the last move back."""
        if not self._before:
            return "There is no move to take back."
        self.game = self._before.pop()
        self.move(0, 0)
        return ""

    def next(self) -> str:
        """Begin the next game."""
        if self._following is None:
            return "This game is from a file: there is no other one."
        self._acted(self._following())
        self.move(0, 0)
        return ""

    def _acted(self, game: PuzzleGame) -> None:
        self._before.append(self.game)
        self.game = game


# Hints follow from the open cells alone: not from the solution, and not from flags.


def certain(game: PuzzleGame, deadline: Deadline) -> PuzzleHints:
    """Return the cells that are safe, and those that are mines, in every layout."""
    with PuzzleSession(game.seen, flags="ignore") as session:
        found = session.classify(deadline.left()).by_cell
    safe = frozenset(cell for cell, verdict in found.items() if verdict is Verdict.SAFE)
    mines = frozenset(cell for cell, verdict in found.items() if verdict is Verdict.MINE)
    parts = [(safe, "safe cell"), (mines, "mine")]
    said = [
        f"{counted(len(cells), noun)}: {_named(game, cells)}." for cells, noun in parts if cells
    ]
    return PuzzleHints(safe, mines, said=" ".join(said) or "No cell is certain.")


def move(game: PuzzleGame, deadline: Deadline) -> PuzzleHints:
    """Return the certain cells, or else the safest one as a guess."""
    found = certain(game, deadline)
    if found.safe:
        return found
    try:
        chances = odds_of_puzzle(game.seen, flags="ignore", timeout=deadline.left()).by_cell
    except LimitError as error:
        return replace(found, said=f"No cell is certain, and no guess: {error}")
    cell = min(chances, key=lambda each: (chances[each], each))
    name = game.puzzle.geometry.cells[cell]
    said = f"No cell was certain; guessed {name}, a mine with {percent(chances[cell])}."
    return replace(found, guess=cell, said=said)


def why(game: PuzzleGame, cell: int, deadline: Deadline) -> PuzzleHints:
    """Return the reason for a covered cell's verdict: a sentence, and the clues of the reason."""
    if cell in game.opened:
        return PuzzleHints(said="An open cell needs no reason: move to a covered one.")
    numbers = game.puzzle.geometry.numbers
    with PuzzleSession(game.seen, flags="ignore") as session:
        try:
            found = session.explain(game.puzzle.geometry.cells[cell], deadline)
        except (LimitError, RuleError) as error:
            return PuzzleHints(said=str(error))
    clues = () if found.reason is None else found.reason.clues
    one = frozenset([cell])
    return PuzzleHints(
        one if found.verdict is Verdict.SAFE else frozenset(),
        one if found.verdict is Verdict.MINE else frozenset(),
        frozenset(numbers[each] for each in clues),
        found.sentence,
    )


def _named(game: PuzzleGame, cells: Iterable[int], most: int = 8) -> str:
    names = [str(game.puzzle.geometry.cells[cell]) for cell in sorted(cells)]
    rest = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + rest
