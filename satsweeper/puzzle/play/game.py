"""Games on boards with rules, as files that are played in a text editor.

`game_record` tells what such a file holds.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple, Self

from satsweeper.answers.classification import Verdict
from satsweeper.notation.error import BoardError
from satsweeper.puzzle.clue import Clue
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.game_record import CHOSEN, COVERED, EXPLODED, FLAG, GameRecord
from satsweeper.puzzle.headers import GAME
from satsweeper.puzzle.odds.odds import odds_of_puzzle
from satsweeper.puzzle.play.generated import GeneratedPuzzle, joined, solution_symbols
from satsweeper.puzzle.play.moves import play_certain
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.session import PuzzleSession


class PuzzleGuess(NamedTuple):
    """A covered cell, by number, that is not certain to be safe, and the chance of a mine."""

    cell: int
    chance: Fraction


@dataclass(frozen=True)
class PuzzleGame:
    """A game as a file holds it; sets of cells by number.

    ``puzzle``: the board with nothing open. ``clues``: the clue of every safe cell. ``opened``: the
    open cells without a mine; ``flags``: the covered cells that the player takes for mines;
    ``exploded``: the opened mines; ``chosen``: the cells that are to be opened.
    """

    puzzle: Puzzle
    clues: Mapping[int, Clue]
    opened: frozenset[int]
    flags: frozenset[int] = frozenset()
    exploded: frozenset[int] = frozenset()
    chosen: frozenset[int] = frozenset()
    seed: int = 1

    @classmethod
    def of(cls, generated: GeneratedPuzzle) -> Self:
        """Return a game on a generated board, with the cells open that are open at first."""
        return cls(
            replace(generated.puzzle, clues={}),
            generated.clues,
            frozenset(generated.puzzle.clues),
            seed=generated.seed,
        )

    @classmethod
    def read(
        cls, data: bytes | str, source: str = "<text>", allowed: Collection[str] | None = ()
    ) -> PuzzleGame:
        """Read the game of a file. Raises BoardError for any fault.

        ``allowed``: the rules ``MODULE:NAME`` that it may name; None: any.
        """
        found = GameRecord.read(data, source, allowed)
        try:
            puzzle = Puzzle(found.geometry, found.rules, mines=found.mines)
        except RuleError as error:
            raise BoardError(source, message=str(error)) from None
        flags, exploded, chosen = (found.marked[mark] for mark in (FLAG, EXPLODED, CHOSEN))
        opened = frozenset(found.opened)
        return cls(puzzle, found.clues, opened, flags, exploded, chosen, found.seed)

    def written(self, *, indent: int | None = 1) -> str:
        """Return the text of the file; ``indent``: of JSON, None for a single line."""
        puzzle = self.puzzle
        solution = "\n".join(joined(puzzle, solution_symbols(puzzle, self.clues), spaced=True))
        found = {
            "schema": GAME,
            "rules": " ".join(puzzle.rules),
            "geometry": puzzle.geometry.name,
            "mines": puzzle.mines,
            "seed": self.seed,
            "grid": self.rows,
            "solution": b64encode(solution.encode()).decode(),
        }
        return json.dumps(found, indent=indent) + "\n"

    @cached_property
    def mines(self) -> frozenset[int]:
        """The cells with a mine."""
        return frozenset(range(len(self.puzzle.geometry))).difference(self.clues)

    @property
    def won(self) -> bool:
        """Whether every safe cell is open, and no mine is."""
        return self.opened == self.clues.keys() and not self.exploded

    @property
    def status(self) -> str:
        """Return "won", "lost" or "in play"."""
        return "won" if self.won else "lost" if self.exploded else "in play"

    @cached_property
    def seen(self) -> Puzzle:
        """The board without the player's flags: open cells, and exploded mines as known mines."""
        clues = {cell: self.clues[cell] for cell in sorted(self.opened)}
        return replace(self.puzzle, clues=clues, shown=self.exploded)

    @property
    def symbols(self) -> list[str]:
        """The text of each cell in the grid."""
        found = solution_symbols(self.puzzle, self.clues)
        for cell in range(len(found)):
            if cell not in self.opened:
                found[cell] = (
                    EXPLODED if cell in self.exploded
                    else FLAG if cell in self.flags
                    else CHOSEN if cell in self.chosen
                    else COVERED
                )  # fmt: skip
        return found

    @property
    def rows(self) -> list[str]:
        """The rows of the grid, cells with blanks between them."""
        return joined(self.puzzle, self.symbols, spaced=True)


def processed(game: PuzzleGame) -> PuzzleGame:
    """Return the game after the chosen cells are opened; nothing else is opened with them."""
    return replace(
        game,
        opened=game.opened | game.chosen - game.mines,
        exploded=game.exploded | game.chosen & game.mines,
        chosen=frozenset(),
    )


def safest(puzzle: Puzzle) -> PuzzleGuess:
    """Return the cell with the least chance of a mine; of equal cells the first.

    Raises OddsLimitError if the chances take too long to count.
    """
    found = odds_of_puzzle(puzzle, flags="ignore").by_cell
    cell = min(found, key=lambda each: (found[each], each))
    return PuzzleGuess(cell, found[cell])


def solved(game: PuzzleGame) -> tuple[PuzzleGame, PuzzleGuess | None]:
    """Return the game after all certain moves, and after a guess if there was none.

    A flag on a cell that is certain to be safe is removed, all other flags stay. Raises as
    `safest`.
    """
    after = processed(game)
    play = play_certain(after.seen, after.clues, flags="ignore")
    opened = frozenset(play.puzzle.clues)
    flags = (after.flags | play.mines) - opened - after.exploded
    after = replace(after, opened=opened, flags=flags)
    if after != game or opened == after.clues.keys():
        return after, None
    guess = safest(after.seen)
    chosen = replace(after, chosen=frozenset([guess.cell]), flags=flags - {guess.cell})
    return processed(chosen), guess


def marked(game: PuzzleGame) -> tuple[PuzzleGame, PuzzleGuess | None]:
    """Return the game with certain cells marked, or else a guess; nothing is opened."""
    with PuzzleSession(game.seen, flags="ignore") as session:
        found = session.classify().by_cell
    safe = {cell for cell, verdict in found.items() if verdict is Verdict.SAFE}
    mines = {cell for cell, verdict in found.items() if verdict is Verdict.MINE}
    flags = (game.flags | mines - game.chosen) - safe
    after = replace(game, flags=flags, chosen=game.chosen | safe)
    if after.chosen or after != game or game.opened == game.clues.keys():
        return after, None
    guess = safest(game.seen)
    return replace(game, chosen=frozenset([guess.cell]), flags=game.flags - {guess.cell}), guess
