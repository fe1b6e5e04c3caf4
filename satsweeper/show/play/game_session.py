"""A session of games, one after the other, in which every action can be undone."""

from collections.abc import Callable
from functools import cached_property
from typing import Final

from pbcnf.wording import are, counted
from satsweeper.board.codes import MAX_CLUE, Cell
from satsweeper.board.layout import every_cell
from satsweeper.board.planes import indices
from satsweeper.board.size import BoardSize
from satsweeper.play.game import Game, Minefield
from satsweeper.play.until_stuck import UnsafeCellError
from satsweeper.position import Position

_FAR: Final = 10**9
STEPS: Final = {
    "left": (0, -1), "down": (1, 0), "up": (-1, 0), "right": (0, 1), "row_start": (0, -_FAR),
    "row_end": (0, _FAR), "top": (-_FAR, 0), "bottom": (_FAR, 0),
}  # fmt: skip
"""Action -> the move of the cursor: rows down and columns right."""
PAGES: Final = {"page_up": -1, "page_down": 1}
"""Action -> the move of the cursor in screens, down."""


class GameSession:
    """The game that is played now, the cursor, and the games before.

    Methods that act return a sentence for the player, "" if there is none.
    """

    def __init__(self, game: Game, told: Callable[[Game], object] = lambda _: None) -> None:
        """Begin with ``game``; ``told`` is called with the present game after each change."""
        self.game = game
        self._told = told
        self.cursor: Cell = (0, 0)
        self.changes = 0
        """The number of changes of the board, undoing included."""
        undoable = 0 if game.seed is None else len(game.moves) - 2 * game.undone
        self._moves = [1] * undoable
        """For each action that can be undone, its number of moves in the game."""
        self._games: list[tuple[Game, list[int]]] = []

    @property
    def over(self) -> bool:
        """Whether nothing can be opened any more."""
        return self.game.won or self.game.lost

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

    def on_board(self, cell: Cell) -> bool:
        """Whether ``cell`` is on the board."""
        return 0 <= cell[0] < self.game.board.rows and 0 <= cell[1] < self.game.board.columns

    def move(self, down: int, right: int) -> None:
        """Move the cursor, but not off the board."""
        row, column = self.cursor
        self.cursor = (
            min(max(row + down, 0), self.game.board.rows - 1),
            min(max(column + right, 0), self.game.board.columns - 1),
        )

    def open(self, cell: Cell) -> str:
        """Open a covered cell; on a clue this is a chord."""
        index = self.game.geometry.index(cell)
        if self.over:
            return _OVER
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
            return _OVER
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
            return _OVER
        if self.codes[self.game.geometry.index(cell)] <= MAX_CLUE:
            return "A flag is for a covered cell."
        self.game.flag(cell)
        self._acted()
        return ""

    def play(self, safe: int, mines: int) -> None:
        """Open the cells ``safe`` and flag the cells ``mines``, as a single action.

        Raises:
            UnsafeCellError: one of the cells ``safe`` is a mine.
        """
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
        if game.lost:
            raise UnsafeCellError("a cell that was called safe has a mine")

    def undo(self) -> str:
        """Take the last action back; without an action in this game, return to the game before."""
        if self._moves:
            for _ in range(self._moves.pop()):
                self.game.undo()
        elif self._games:
            self.game, self._moves = self._games.pop()
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
        self._begin(fresh)
        fresh.open(game.start)
        self._acted()
        return ""

    def next(self, board: BoardSize) -> None:
        """Begin the next game of the seed, on ``board``."""
        game = self.game
        self._begin(Game(board, game.first_click, game.seed, game.number + 1))

    def _begin(self, game: Game) -> None:
        self._games.append((self.game, self._moves))
        self.game, self._moves = game, []
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
        self._told(self.game)


_OVER: Final = "The game is over: n plays another one, u takes the last move back."
