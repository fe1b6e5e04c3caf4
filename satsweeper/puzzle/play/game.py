"""Games on boards with rules, as files that are played in a text editor.

A file is a JSON object of the schema ``satsweeper/game/2``: ``rules``, ``geometry``, ``mines``,
``seed``; ``grid``, rows of cells with blanks between them; and ``solution``, the rows with every
safe cell open and ``*`` for mines, in base64 so that nobody reads them by accident.

A cell of the grid is a clue, ``#`` covered, ``?`` covered and to be opened, ``!`` a flag, ``*`` a
mine that was opened.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, NamedTuple, Self

from satsweeper.answers.classification import Verdict
from satsweeper.notation.error import BoardError
from satsweeper.puzzle.clue import Clue, read_clue
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.geometry.table import grid
from satsweeper.puzzle.odds.odds import odds_of_puzzle
from satsweeper.puzzle.play.generated import GeneratedPuzzle, solution_symbols
from satsweeper.puzzle.play.moves import play_certain
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.session import PuzzleSession

SCHEMA: Final = "satsweeper/game/2"
_COVERED, _CHOSEN, _FLAG, _EXPLODED = "#?!*"


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
    def read(cls, data: bytes | str, source: str = "<text>") -> PuzzleGame:
        """Read the game of a file. Raises BoardError for any fault."""
        try:
            found = json.loads(data)
        except ValueError as error:
            line = getattr(error, "lineno", None)
            what = f"no JSON: {getattr(error, 'msg', error)}"
            raise BoardError(source, line, getattr(error, "colno", None), what) from None
        if not isinstance(found, dict) or found.get("schema") != SCHEMA:
            raise BoardError(source, message=f"no game: an object of the schema {SCHEMA!r}")
        try:
            return _game(cls, found)
        except KeyError as error:
            raise BoardError(source, message=f"no entry {error}") from None
        except (ValueError, TypeError, AttributeError) as error:
            raise BoardError(source, message=str(error)) from None

    def written(self) -> str:
        """Return the text of the file."""
        puzzle = self.puzzle
        solution = "\n".join(_joined(puzzle, solution_symbols(puzzle, self.clues)))
        found = {
            "schema": SCHEMA,
            "rules": " ".join(puzzle.rules),
            "geometry": puzzle.geometry.name,
            "mines": puzzle.mines,
            "seed": self.seed,
            "grid": self.rows,
            "solution": b64encode(solution.encode()).decode(),
        }
        return json.dumps(found, indent=1) + "\n"

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
                    _EXPLODED if cell in self.exploded
                    else _FLAG if cell in self.flags
                    else _CHOSEN if cell in self.chosen
                    else _COVERED
                )  # fmt: skip
        return found

    @property
    def rows(self) -> list[str]:
        """The rows of the grid, cells with blanks between them."""
        return _joined(self.puzzle, self.symbols)


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


def _joined(puzzle: Puzzle, symbols: list[str]) -> list[str]:
    width = max(map(len, symbols))
    columns = puzzle.columns
    padded = [each.ljust(width) for each in symbols]
    starts = range(0, len(symbols), columns)
    return [" ".join(padded[start : start + columns]).rstrip() for start in starts]


def _game(cls: type[PuzzleGame], found: dict[str, Any]) -> PuzzleGame:
    solution = [
        line.split() for line in b64decode(found["solution"], validate=True).decode().split("\n")
    ]
    rows = [line.split() for line in found["grid"]]
    if [*map(len, rows)] != [len(solution[0])] * len(solution):
        size = f"{len(solution)} rows of {len(solution[0])}"
        raise RuleError(f"the grid does not have the size of the solution, {size}")
    rules = tuple(str(found["rules"]).split())
    geometry = grid(found["geometry"], len(solution), len(solution[0]))
    puzzle = Puzzle(geometry, rules, mines=found["mines"])
    texts = [text for line in solution for text in line]
    rule = puzzle.clue_rules
    clues = {cell: read_clue(text, rule) for cell, text in enumerate(texts) if text != _EXPLODED}
    if len(texts) - len(clues) != puzzle.mines:
        raise RuleError(f"the solution has {len(texts) - len(clues)} mines, not {puzzle.mines}")
    cells: dict[str, set[int]] = {_COVERED: set(), _CHOSEN: set(), _FLAG: set(), _EXPLODED: set()}
    opened = set()
    for cell, text in enumerate([text for line in rows for text in line]):
        place = geometry.cells[cell]
        if text in cells:
            cells[text].add(cell)
        elif text == texts[cell]:
            opened.add(cell)
        else:
            marks = "# covered, ? to be opened, ! a flag"
            raise RuleError(f"{text!r} at {place}: {marks}; a clue is not to be changed")
    wrong = cells[_EXPLODED] & clues.keys()
    if wrong:
        raise RuleError(f"'*' at {geometry.cells[min(wrong)]}: there is no mine")
    return cls(
        puzzle, clues, frozenset(opened), frozenset(cells[_FLAG]), frozenset(cells[_EXPLODED]),
        frozenset(cells[_CHOSEN]), int(found["seed"]),
    )  # fmt: skip
