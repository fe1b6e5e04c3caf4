"""A game as a player plays it: a cell is opened, flagged or chorded at a time, or a move undone."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from secrets import randbelow
from typing import Final, NamedTuple, Self

from pbcnf.shown import Drawn
from pbcnf.wording import counted
from satsweeper.board.codes import COVERED, FLAG, PADDING, Cell
from satsweeper.board.errors import CellError, Error
from satsweeper.board.geometry import Count, Square
from satsweeper.board.layout import Layout
from satsweeper.board.planes import board_of, indices, spaced
from satsweeper.board.size import BoardSize, size_text
from satsweeper.play.draw import FirstClick, game_layout, room
from satsweeper.position import Position

# A layout and its opened cells as bit boards, fast enough for boards of millions of cells.

_COVERED = COVERED & 255
_FLAG = FLAG & 255


@dataclass(slots=True)
class Minefield:
    """A layout and its open cells; sets of cells are bit boards.

    ``opened`` are the free cells that have been opened, ``exploded`` the mines that have been.

    >>> from satsweeper.board.geometry import Square
    >>> field = Minefield(Layout(Square(1, 4), mines=0b1))
    >>> field.open(0b1000) == 0b1110, field.won, field.lost
    (True, True, False)
    """

    layout: Layout
    opened: int = 0
    exploded: int = 0

    @property
    def won(self) -> bool:
        """Whether every cell without a mine is open, and no mine is."""
        return self.opened == self.layout.free and not self.exploded

    @property
    def lost(self) -> bool:
        """Whether a mine has been opened."""
        return self.exploded != 0

    @property
    def covered(self) -> int:
        """The cells that have not been opened, as a bit board."""
        return (self.layout.free | self.layout.mines) & ~(self.opened | self.exploded)

    @property
    def values(self) -> Count:
        """The clues of the opened cells, bit-sliced; 0 elsewhere."""
        b0, b1, b2, b3 = self.layout.numbers
        opened = self.opened
        return b0 & opened, b1 & opened, b2 & opened, b3 & opened

    def clue(self, index: int) -> int:
        """The number of mines around the free cell ``index``; 0 for a mine."""
        return sum((plane >> index & 1) << k for k, plane in enumerate(self.layout.numbers))

    def open(self, cells: int, flags: int = 0) -> int:
        """Open ``cells``; each 0 opens its neighbours. Returns the free cells that are newly open.

        ``flags``: cells that stay closed beside a 0. All are bit boards.
        """
        layout = self.layout
        spread, zeros = layout.geometry.spread, layout.zeros
        before = self.opened
        self.exploded |= cells & layout.mines
        after = before | cells & layout.free
        waiting = after & ~before & zeros
        room = layout.free & ~flags
        while waiting:
            # ``waiting`` are the 0s whose neighbours are not open yet. ``room`` takes away padding
            # and flags; a neighbour of a 0 is never a mine.
            reached = spread(waiting) & room & ~after
            after |= reached
            waiting = reached & zeros
        self.opened = after
        return after & ~before

    def position(self, flags: int = 0, total: bool = True) -> Position:
        """The position that the player sees, with ``flags``, and with its total if ``total``.

        Raises:
            ValueError: the game is lost, or a flag is on a cell that is not covered.
        """
        covered = self.covered
        if self.lost or flags & ~covered:
            raise ValueError("a lost game is no position" if self.lost else "a flag on open ground")
        layout, opened = self.layout, self.opened
        geometry = layout.geometry
        size = geometry.size
        padding = (1 << size) - 1 ^ (covered | opened)
        codes = PADDING * spaced(padding, size) + _FLAG * spaced(flags, size)
        codes += _COVERED * spaced(covered & ~flags, size)
        for k, plane in enumerate(self.values):
            codes += spaced(plane, size) << k
        mines = layout.mines.bit_count() if total else None
        return Position.of_padded(codes.to_bytes(size, "little"), mines, geometry)


EXPLODED: Final = -3
"""The code of an opened mine; all other codes of cells are in ``board.codes``."""

_SEEDS: Final = 10**9
"""The upper limit of random seeds: short enough for a player to pass a seed on."""


class Action(StrEnum):
    """The actions of a player."""

    OPEN = "open"
    FLAG = "flag"
    CHORD = "chord"
    UNDO = "undo"


class Move(NamedTuple):
    """An action and its cell; UNDO has no cell."""

    action: Action
    cell: Cell | None = None


class GameOverError(Error, ValueError):
    """A move in a game that is won or lost: nothing but UNDO is left to do."""


class _GameState(NamedTuple):
    opened: int = 0
    exploded: int = 0
    flags: int = 0


class Game(Drawn):
    """A game on a board: the moves of the player, the view, and the status.

    The layout is drawn when the first cell is opened, under the convention of the first click, and
    stays from then on, even if the first move is undone. Equal boards, conventions, seeds, numbers
    and first cells give equal layouts (``satsweeper.play.draw.game_layout``).

    A move that can change nothing does nothing: opening a cell that is open or flagged, flagging an
    open cell, a chord on any other cell than an open clue with as many flags around as its number.
    All other moves are in ``moves``, in the order in which they were made, undone moves and each
    UNDO included. A flag keeps its cell closed, also in the area that a 0 opens.

    >>> game = Game("9x9/10", "opening", seed=7)
    >>> len(game.open((4, 4)))
    54
    >>> game.flag((8, 8)), game.mines_left, game.won, game.lost
    (True, 9, False, False)
    """

    def __init__(
        self,
        board: BoardSize | str,
        first_click: FirstClick | str = FirstClick.SAFE,
        seed: int | None = None,
        number: int = 0,
    ) -> None:
        """A new game on a board such as ``30x16/99``; a seed by chance if ``seed`` is None.

        Raises:
            ValueError: no such board or convention, or for some first cell too many mines for the
                promise of ``first_click``.
        """
        self.board = BoardSize.parse(board) if isinstance(board, str) else board
        self.first_click = FirstClick(first_click)
        self.seed: int | None = randbelow(_SEEDS) if seed is None else seed
        self.number = number
        self.layout: Layout | None = None
        """The mines of the game; None until the first cell is opened."""
        self.given = False
        """Whether ``layout`` was given, and not drawn by the seed."""
        self.start: Cell | None = None
        """The first cell that was opened; None if none was."""
        self.moves: list[Move] = []
        self.geometry = Square(self.board.rows, self.board.columns)
        self._states = [_GameState()]
        # A cell in the middle has the most neighbours, so if the mines fit beside it, they fit for
        # every first cell.
        room(self.board, (self.board.rows // 2, self.board.columns // 2), self.first_click)

    @classmethod
    def on(cls, layout: Layout) -> Self:
        """A game on a given layout, without any promise about the first click."""
        geometry = layout.geometry
        board = BoardSize(geometry.rows, geometry.columns, layout.mines.bit_count())
        game = cls(board, FirstClick.NONE, seed=0)
        game.seed = None
        game.lay(layout)
        return game

    def lay(self, layout: Layout) -> None:
        """Play on the given ``layout``; no cell may have been opened yet."""
        self.layout, self.given = layout, True

    @property
    def flags(self) -> int:
        """The cells with a flag, as a bit board."""
        return self._states[-1].flags

    @property
    def opened(self) -> int:
        """The opened cells without a mine, as a bit board."""
        return self._states[-1].opened

    @property
    def exploded(self) -> int:
        """The opened mines, as a bit board."""
        return self._states[-1].exploded

    @property
    def won(self) -> bool:
        """Whether every cell without a mine is open, and no mine is."""
        return self.layout is not None and self._field(self.layout).won

    @property
    def lost(self) -> bool:
        """Whether a mine is open."""
        return self.exploded != 0

    @property
    def status(self) -> str:
        """``won``, ``lost`` or ``in play``."""
        return "won" if self.won else "lost" if self.lost else "in play"

    @property
    def mines_left(self) -> int:
        """The total less flags and opened mines: below 0 if there are too many flags."""
        return self.board.mines - (self.flags | self.exploded).bit_count()

    @property
    def undone(self) -> int:
        """The number of undone moves."""
        return sum(move.action is Action.UNDO for move in self.moves)

    def open(self, cell: Cell) -> list[Cell]:
        """Open ``cell``, and around each 0 its neighbours; return the newly opened free cells.

        Raises:
            CellError: there is no such cell.
            GameOverError: the game is won or lost.
        """
        bit = self._bit(cell)
        if bit & (self.flags | self.opened):
            return []
        if self.layout is None:
            assert self.seed is not None
            self.layout = game_layout(self.board, cell, self.first_click, self.seed, self.number)
        self.start = self.start or cell
        return self._open(bit, Move(Action.OPEN, cell))

    def chord(self, cell: Cell) -> list[Cell]:
        """Open all neighbours without a flag of an open clue that has as many flags around.

        Returns and raises as ``open``.
        """
        bit, around = self._bit(cell), self.around(cell)
        waiting = around & ~(self.flags | self.opened)
        if not (bit & self.opened and waiting and self[cell] == (around & self.flags).bit_count()):
            return []
        return self._open(waiting, Move(Action.CHORD, cell))

    def flag(self, cell: Cell) -> bool:
        """Set a flag on a covered cell, or take the flag away; return whether a flag is there now.

        Raises as ``open``.
        """
        bit = self._bit(cell)
        if not bit & self.opened:
            state = self._states[-1]
            self._states.append(state._replace(flags=state.flags ^ bit))
            self.moves.append(Move(Action.FLAG, cell))
        return bool(self.flags & bit)

    def undo(self) -> bool:
        """Take back the last move that is not undone yet, even if the move lost the game.

        Returns whether there was such a move.
        """
        if len(self._states) == 1:
            return False
        self._states.pop()
        self.moves.append(Move(Action.UNDO))
        return True

    def around(self, cell: Cell) -> int:
        """The neighbours of ``cell``, as a bit board."""
        return board_of(self.geometry.neighbours(self.geometry.index(cell)), self.geometry.size)

    def __getitem__(self, cell: Cell) -> int:
        """The code of ``cell``: its number, COVERED, FLAG or EXPLODED; may raise ``CellError``."""
        index = self._index(cell)
        state = self._states[-1]
        if state.exploded >> index & 1:
            return EXPLODED
        if state.flags >> index & 1:
            return FLAG
        if self.layout is None or not state.opened >> index & 1:
            return COVERED
        return self._field(self.layout).clue(index)

    def position(self, *, flags: bool = True) -> Position:
        """The position that the player sees, with flags or without.

        Raises ``ValueError`` if the game is lost.
        """
        # While no cell is open, the position is the same for every layout.
        field = self._field(self.layout or Layout(self.geometry, 0))
        seen = field.position(self.flags if flags else 0)
        return Position.of_padded(seen.padded, self.board.mines, self.geometry)

    def __repr__(self) -> str:
        moves = counted(len(self.moves), "move")
        return f"Game({self.board}, first click {self.first_click}, {self.status}, {moves})"

    def _open(self, cells: int, move: Move) -> list[Cell]:
        assert self.layout is not None
        field = self._field(self.layout)
        new = field.open(cells, self.flags)
        self._states.append(_GameState(field.opened, field.exploded, self.flags))
        self.moves.append(move)
        return [self.geometry.cell(index) for index in indices(new, self.geometry.size)]

    def _field(self, layout: Layout) -> Minefield:
        state = self._states[-1]
        return Minefield(layout, state.opened, state.exploded)

    def _bit(self, cell: Cell) -> int:
        index = self._index(cell)
        if self.won or self.lost:
            raise GameOverError(f"the game is {self.status}: only undo is left")
        return 1 << index

    def _index(self, cell: Cell) -> int:
        row, column = cell
        if not (0 <= row < self.board.rows and 0 <= column < self.board.columns):
            size = size_text(self.board.rows, self.board.columns)
            raise CellError(f"cell {row},{column}: the board is {size}")
        return self.geometry.index(cell)
