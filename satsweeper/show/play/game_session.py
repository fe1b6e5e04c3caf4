"""A session of games on squares with plain clues, in which every action can be undone."""

from collections.abc import Callable
from functools import cached_property
from typing import Final

from pbcnf.wording import are, counted
from satsweeper.board.codes import FLAG, MAX_CLUE, Cell
from satsweeper.board.layout import Layout, every_cell
from satsweeper.board.planes import indices
from satsweeper.play.draw import FirstClick
from satsweeper.play.game import Game, Minefield
from satsweeper.play.presets import PRESETS
from satsweeper.position import Position
from satsweeper.show.play.session import OVER, BoardSession

_AROUND: Final = (
    ("above left", -1, -1), ("above", -1, 0), ("above right", -1, 1), ("left", 0, -1),
    ("right", 0, 1), ("below left", 1, -1), ("below", 1, 0), ("below right", 1, 1),
)  # fmt: skip
_FLAG: Final = FLAG & 255


class GameSession(BoardSession):
    """A session of games on squares with plain clues."""

    def __init__(
        self,
        game: Game,
        told: Callable[[Game], object] | None = None,
        strength: str | None = None,
    ) -> None:
        """Begin with ``game``; ``told`` is called with the present game after each change.

        ``strength``: the logic that must suffice in games that need no guess; None: any games.
        """
        super().__init__()
        self.game = game
        self.strength = strength
        self._told = told
        undoable = 0 if game.seed is None else len(game.moves) - 2 * game.undone
        self._moves = [1] * undoable
        """For each action that can be undone, its number of moves in the game."""
        self._games: list[tuple[Game, list[int]]] = []

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.game.board.rows, self.game.board.columns

    @property
    def status(self) -> str:
        """Return "won", "lost" or "in play"."""
        return self.game.status

    @property
    def title(self) -> str:
        """The board as ``9x9/10``, and whether it needs no guess."""
        return f"{self.game.board}{' no guess' if self.strength else ''}"

    @property
    def about(self) -> list[str]:
        """The settings of the game."""
        game = self.game
        seed = "on a given layout" if game.seed is None else f"seed {game.seed}, game {game.number}"
        logic = f", without guessing: {self.strength} logic suffices" if self.strength else ""
        return [f"Minesweeper, {game.board}, first click: {game.first_click}, {seed}{logic}"]

    @property
    def touched(self) -> bool:
        """Whether a cell is open or has a flag."""
        return bool(self.game.opened | self.game.exploded | self.game.flags)

    @property
    def undrawn(self) -> bool:
        """Whether a board without guessing is still to be made for the first cell."""
        return self.strength is not None and self.game.layout is None

    def lay(self, mines: int) -> None:
        """Play on the layout with these mines, a bit board."""
        self.game.lay(Layout(self.game.geometry, mines))

    @property
    def drawn_by(self) -> tuple[object, ...]:
        """The last arguments of ``searches.without_guess`` for the cell of the cursor."""
        game = self.game
        return game.first_click, self.cursor, game.seed, game.number, self.strength

    @property
    def mines_left(self) -> int:
        """The total less flags and exploded mines."""
        return self.game.mines_left

    @property
    def promised(self) -> bool:  # type: ignore[override]
        """Whether the next click is the first one and safe by convention, hence no guess."""
        return self.game.start is None and self.game.first_click is not FirstClick.NONE

    @property
    def flags(self) -> int:
        """The cells with a flag."""
        return self.game.flags

    @property
    def exploded(self) -> int:
        """The opened mines."""
        return self.game.exploded

    def index(self, cell: Cell) -> int:
        """Return the index of a cell in the geometry."""
        return self.game.geometry.index(cell)

    def cell(self, index: int) -> Cell:
        """Return the cell with this index."""
        return self.game.geometry.cell(index)

    def named(self, cell: Cell) -> Cell:
        """Return the cell itself."""
        return cell

    def clue(self, cell: Cell) -> str | None:
        """Return the digit of an open cell, a blank for 0; None for a covered one."""
        code = self.codes[self.index(cell)]
        return None if code > MAX_CLUE else str(code or " ")

    @property
    def covered(self) -> int:
        """The cells that are not open, as a bit board."""
        game = self.game
        return every_cell(game.geometry) & ~(game.opened | game.exploded)

    @property
    def mines(self) -> int:
        """All mines, as a bit board.

        Raises ValueError while the game goes on, so that no caller can show mines too early.
        """
        if self.game.layout is None or not self.over:
            raise ValueError("where the mines are is seen when the game is over")
        return self.game.layout.mines

    @cached_property
    def codes(self) -> bytes:
        """The codes of the cells as in ``Position.padded``; an exploded mine counts as covered."""
        game = self.game
        if game.lost and game.layout is not None:
            return Minefield(game.layout, game.opened).position(game.flags).padded
        return game.position().padded

    def position(self) -> Position:
        """The position that the player sees, without flags, as flags may be wrong."""
        return self.game.position(flags=False)

    def open(self, cell: Cell) -> str:
        """Open a covered cell; on a clue this is a chord."""
        index = self.game.geometry.index(cell)
        if self.over:
            return OVER
        if self.codes[index] <= MAX_CLUE:
            return self.chord(cell)
        if self.game.flags >> index & 1:
            return "This cell has a flag: take it away first."
        self.game.open(cell)
        self._acted()
        return ""

    def chord(self, cell: Cell) -> str:
        """Open the neighbours without a flag of a clue whose number equals the flags around."""
        game = self.game
        clue = self.codes[game.geometry.index(cell)]
        if self.over:
            return OVER
        if clue > MAX_CLUE:
            return "A chord is for an open clue."
        near = game.around(cell)
        flags = (near & game.flags).bit_count()
        if not near & self.covered & ~game.flags:
            return "Nothing is left to open around this cell."
        if flags != clue:
            return f"The clue is {clue}, and there {are(flags)} {counted(flags, 'flag')} around it."
        game.chord(cell)
        self._acted()
        return ""

    def flag(self, cell: Cell) -> str:
        """Put a flag on a covered cell, or take it away."""
        if self.over:
            return OVER
        if self.codes[self.game.geometry.index(cell)] <= MAX_CLUE:
            return "A flag is for a covered cell."
        self.game.flag(cell)
        self._acted()
        return ""

    def play(self, safe: int, mines: int) -> None:
        """Open the cells ``safe`` and flag the cells ``mines``, as a single action."""
        game, moves = self.game, 0
        size = game.geometry.size
        wrong = game.flags & safe
        for index in indices(wrong | mines & self.covered & ~game.flags, size):
            game.flag(game.geometry.cell(index))
            moves += 1
        for index in indices(safe & self.covered, size):
            # An earlier cell of the loop may show 0 and have opened this one.
            if not (game.opened >> index & 1 or self.over):
                game.open(game.geometry.cell(index))
                moves += 1
        self._acted(moves)

    def undo(self) -> str:
        """Take the last action back; without an action in this game, return to the game before."""
        if self._moves:
            for _ in range(self._moves.pop()):
                self.game.undo()
        elif self._games:
            self.game, self._moves = self._games.pop()
            self.number -= 1
            self._at_home()
        else:
            return "There is no move to take back."
        self._changed()
        return ""

    def again(self) -> str:
        """Restart the game with its first cell open, or as it was given if it has no seed."""
        game = self.game
        if game.seed is None:
            while self._moves:
                self.undo()
            return ""
        if game.start is None:
            return "Nothing is open yet."
        fresh = Game(game.board, game.first_click, game.seed, game.number)
        if game.given and game.layout is not None:
            fresh.lay(game.layout)
        self._begin(fresh)
        fresh.open(game.start)
        self._acted()
        return ""

    def next(self, level: int | None = None) -> str:
        """Begin the next game of the seed."""
        game = self.game
        board = game.board if level is None else list(PRESETS.values())[level]
        self._begin(Game(board, game.first_click, game.seed, game.number + 1))
        return ""

    def begun(self, cell: Cell) -> str:
        """Return the sentence about the first cell, opened by convention."""
        return f"Opened {cell} to begin; first click: {self.game.first_click}."

    def open_words(self, clue: str) -> list[str]:
        """Return the clue, and the covered neighbours of the cursor's cell."""
        game = self.game
        near = game.geometry.neighbours(self.index(self.cursor))
        codes = [self.codes[index] for index in near if not game.exploded >> index & 1]
        parts = ["open, 0" if clue == " " else clue]
        if covered := sum(each > MAX_CLUE for each in codes):
            parts.append(counted(covered, "covered neighbour"))
        if flagged := codes.count(_FLAG):
            parts.append(f"{flagged} flagged")
        return parts

    def around(self) -> str:
        """Return the neighbours one after the other; those with 0 are left out."""
        row, column = self.cursor
        parts = []
        for side, down, right in _AROUND:
            cell = row + down, column + right
            if self.on_board(cell):
                index = self.index(cell)
                code = self.codes[index]
                if self.exploded >> index & 1:
                    parts.append(f"{side} exploded")
                elif code > MAX_CLUE:
                    parts.append(f"{side} flag" if code == _FLAG else f"{side} covered")
                elif code:
                    parts.append(f"{side} {code}")
        return f"Around it: {', '.join(parts) or 'nothing but open ground'}."

    def _begin(self, game: Game) -> None:
        self._games.append((self.game, self._moves))
        self.game, self._moves = game, []
        self.number += 1
        self._at_home()
        self._changed()

    def _at_home(self) -> None:
        if not self.on_board(self.cursor):
            self.cursor = (0, 0)

    def _acted(self, moves: int = 1) -> None:
        if moves:
            self._moves.append(moves)
            self._changed()

    def _changed(self) -> None:
        self.changes += 1
        vars(self).pop("codes", None)
        if self._told is not None:
            self._told(self.game)
