"""A session of games under rules or on other cells than squares; nothing opens by itself."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import replace

from pbcnf.wording import counted
from satsweeper.board.codes import Cell
from satsweeper.board.errors import Error
from satsweeper.board.planes import indices
from satsweeper.puzzle.play.game import PuzzleGame, processed
from satsweeper.puzzle.play.generated import solution_symbols
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.rules.table import CLUES, LAYOUTS
from satsweeper.show.play.session import OVER, BoardSession


class PuzzleGameSession(BoardSession):
    """A session of games under rules, all on boards of one kind.

    On the screen the layers of cubes stand one below the other, and the nodes of a graph in a row.

    Args:
        game: the game to begin with.
        following: makes the next game; None: there is none.
    """

    lacks = frozenset(["chord", "level_0", "level_1", "level_2", "level_3"])
    like = "rules: C\n1 ? ?\n"

    def __init__(self, game: PuzzleGame, following: Callable[[], PuzzleGame] | None = None) -> None:
        super().__init__()
        self._following = following
        self._before: list[tuple[PuzzleGame, PuzzleGame, int]] = []
        """For each action the game before it, how that game began, and its number."""
        self.form = game.puzzle.geometry.name
        self._begin(game)

    def _begin(self, game: PuzzleGame) -> None:
        self.game = self._first = game
        self._texts = solution_symbols(game.puzzle, game.clues)
        self.wide = max(map(len, self._texts))

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns on the screen, all layers of cubes together."""
        geometry = self.game.puzzle.geometry
        columns = geometry.shape[-1] if geometry.shape else len(geometry)
        return len(geometry) // columns, columns

    @property
    def status(self) -> str:
        """Return "won", "lost" or "in play"."""
        return self.game.status

    @property
    def touched(self) -> bool:
        """Whether a cell was opened or has got a flag."""
        return self.game != self._first

    @property
    def title(self) -> str:
        """The board as ``8x8/12 hexagonal, rules C W``."""
        puzzle = self.game.puzzle
        rules = f"rule{'s' * (len(puzzle.rules) > 1)} {' '.join(puzzle.rules) or 'V'}"
        return f"{puzzle.geometry.size_text()}/{puzzle.mines} {puzzle.geometry.name}, {rules}"

    @property
    def about(self) -> list[str]:
        """The board, the meaning of its rules, and what is different under rules."""
        table = LAYOUTS | CLUES
        rules = self.game.puzzle.rules
        return [
            f"Minesweeper, {self.title}, seed {self.game.seed}",
            *[f"  {each}: {table[each].summary}" for each in rules if each in table],
            "A 0 opens nothing by itself, and there are no chords.",
        ]

    @property
    def mines_left(self) -> int:
        """The total less flags and exploded mines."""
        return (self.game.puzzle.mines or 0) - len(self.game.flags | self.game.exploded)

    @property
    def covered(self) -> int:
        """The cells that are not open."""
        return _bits(range(len(self._texts))) & ~_bits(self.game.opened | self.game.exploded)

    @property
    def flags(self) -> int:
        """The cells with a flag."""
        return _bits(self.game.flags)

    @property
    def exploded(self) -> int:
        """The opened mines."""
        return _bits(self.game.exploded)

    @property
    def mines(self) -> int:
        """All mines. Raises ValueError while the game goes on."""
        if not self.over:
            raise ValueError("where the mines are is seen when the game is over")
        return _bits(self.game.mines)

    def index(self, cell: Cell) -> int:
        """Return the number of a cell."""
        return cell[0] * self.size[1] + cell[1]

    def cell(self, index: int) -> Cell:
        """Return the cell with this number."""
        return divmod(index, self.size[1])

    def named(self, cell: Cell) -> Hashable:
        """Return the name that the geometry has for a cell."""
        return self.game.puzzle.geometry.cells[self.index(cell)]

    def clue(self, cell: Cell) -> str | None:
        """Return the clue of an open cell; None for a covered one and for a mine."""
        index = self.index(cell)
        return self._texts[index] if index in self.game.opened else None

    def position(self) -> Puzzle:
        """Return the board that the player sees, without flags."""
        return self.game.seen

    def open(self, cell: Cell) -> str:
        """Open a covered cell."""
        index = self.index(cell)
        if self.over:
            return OVER
        if index in self.game.opened:
            return self.chord(cell)
        if index in self.game.flags:
            return "This cell has a flag: take it away first."
        self.play(1 << index, 0)
        return ""

    def chord(self, cell: Cell) -> str:
        """Refuse: there are no chords under rules."""
        return "This cell is open, and under rules nothing is opened around it."

    def flag(self, cell: Cell) -> str:
        """Put a flag on a covered cell, or take it away."""
        if self.over:
            return OVER
        if self.clue(cell) is not None:
            return "A flag is for a covered cell."
        self._acted(replace(self.game, flags=self.game.flags ^ {self.index(cell)}))
        return ""

    def play(self, safe: int, mines: int) -> None:
        """Open the cells ``safe`` and flag the cells ``mines``, as a single action."""
        chosen, flagged = (frozenset(indices(cells, len(self._texts))) for cells in (safe, mines))
        game, seen = self.game, self.game.opened | self.game.exploded
        after = replace(game, chosen=chosen - seen, flags=(game.flags | flagged - seen) - chosen)
        if after != game:
            self._acted(processed(after))

    def undo(self) -> str:
        """Take the last action back; without an action in this game, return to the game before."""
        if not self._before:
            return "There is no move to take back."
        before, first, self.number = self._before.pop()
        self._begin(first)
        self.game = before
        self.changes += 1
        return ""

    def again(self) -> str:
        """Return to the start of the game, which can be taken back."""
        if self.game == self._first:
            return "Nothing has been played yet."
        self._acted(self._first)
        self.number += 1
        return ""

    def next(self, level: int | None = None) -> str:
        """Begin another game on a board like this one."""
        if level is not None:
            return "Under rules the size is that of the start: --size and --level choose it."
        if self._following is None:
            return "This game is from a file: there is no other one."
        try:
            following = self._following()
        except Error as error:
            return f"{error}."
        self._acted(following)
        self.number += 1
        self._begin(following)
        return ""

    def _acted(self, game: PuzzleGame) -> None:
        self._before.append((self.game, self._first, self.number))
        self.game = game
        self.changes += 1

    def open_words(self, clue: str) -> list[str]:
        """Return the clue, and the covered neighbours of the cursor's cell."""
        covered = [near for near in self._near if near not in self.game.opened]
        parts = [clue]
        if covered:
            parts.append(counted(len(covered), "covered neighbour"))
        if flagged := len(self.game.flags.intersection(covered)):
            parts.append(f"{flagged} flagged")
        return parts

    def around(self) -> str:
        """Return the neighbours by name, one after the other."""
        game, names = self.game, self.game.puzzle.geometry.cells
        parts = []
        for near in self._near:
            what = "flag" if near in game.flags else "covered"
            parts.append(f"{names[near]} {self._texts[near] if near in game.opened else what}")
        return f"Around it: {', '.join(parts) or 'no cell'}."

    @property
    def _near(self) -> list[int]:
        """The neighbours of the cursor's cell, without exploded mines."""
        near = self.game.puzzle.geometry.neighbours[self.index(self.cursor)]
        return [each for each in near if each not in self.game.exploded]

    def place(self, cell: Cell) -> str:
        """Return the place of a cell in words."""
        name = self.named(cell)
        if not isinstance(name, tuple):
            return f"cell {name}"
        words = ("layer", "row", "column")[-len(name) :]
        return ", ".join(f"{word} {at}" for word, at in zip(words, name, strict=False))

    def row_name(self, row: int) -> str:
        """Return the number of a row, in space after the number of the layer."""
        shape = self.game.puzzle.geometry.shape
        return ",".join(map(str, divmod(row, shape[1]))) if len(shape) > 2 else str(row)


def _bits(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in cells)
