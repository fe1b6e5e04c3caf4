"""Playing in a text editor: changes of a ``game.txt`` (``satsweeper.notation.danamlund``).

The player edits the first grid: ``?`` for a cell to be opened, ``!`` for a mine. ``processed``
opens the cells with ``?``. ``solved`` makes all certain moves, or a guess if there is none;
``marked`` only writes these moves into the grid as ``?`` and ``!``, to be processed later. The rest
of the file never changes.

A ``!`` is the player's claim: a 0 never opens that cell, and no verdict rests on the claim. A
``*``, an exploded mine, is certain: the game is lost, but can be continued.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Final, Self

from satsweeper.board.codes import Cell
from satsweeper.board.geometry import Square
from satsweeper.board.layout import Layout
from satsweeper.board.size import BoardSize
from satsweeper.count.odds import odds
from satsweeper.engines.classify import classify
from satsweeper.notation import danamlund
from satsweeper.notation.formats import write_record
from satsweeper.notation.record import Record
from satsweeper.notation.solution import covered_grid, mines_of, opened_from
from satsweeper.notation.solution import solved as solution_of
from satsweeper.play.draw import FirstClick, game_layout
from satsweeper.play.game import Minefield
from satsweeper.play.until_stuck import until_stuck
from satsweeper.position import Position

SEEDS: Final = 2**31
"""The upper limit of seeds of game files; one seed draws the layout and encrypts the file."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A cell to open that is not certain to be safe, and the chance of a mine; None if unknown."""

    cell: Cell
    chance: Fraction | None = None


Guesser = Callable[[Position], Guess]
"""A function that chooses a covered cell where no move is certain."""


def safest(position: Position) -> Guess:
    """Guess the cell with the least chance of a mine; of equal cells the first, row by row.

    Raises:
        OddsLimitError: the chances would take too long to count.
    """
    found = odds(position)
    cell = found.safest()[0]
    return Guess(cell, found.mine[cell])


@dataclass(frozen=True)
class GameFile:
    """A game as a file holds it; sets of cells are bit boards.

    ``data`` are the bytes of the file, ``text`` the game as read from them. ``opened`` are the
    opened cells without a mine, ``flags`` the covered cells that the player takes for mines,
    ``exploded`` the opened mines, ``chosen`` the cells that are to be opened.
    """

    data: bytes
    text: danamlund.GameText
    layout: Layout
    opened: int
    flags: int
    exploded: int
    chosen: int

    @classmethod
    def read(cls, data: bytes | str, source: str) -> Self:
        """Read the game of a file; raises ``BoardError`` for any fault."""
        raw = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
        text = danamlund.read_game(raw, source)
        record, planes = text.record, text.record.reading.planes
        assert record.solution is not None
        layout = Layout(Square(record.rows, record.columns), mines_of(record.solution))
        flags = planes.flags & ~text.exploded
        return cls(raw, text, layout, planes.clues, flags, text.exploded, text.chosen)

    @classmethod
    def new(
        cls,
        board: BoardSize,
        seed: int,
        first_click: FirstClick = FirstClick.NONE,
        start: Cell = (0, 0),
    ) -> Self:
        """A new game: nothing is open, or the cell ``start`` if the first click promises anything.

        Args:
            board: the size and the number of mines.
            seed: from 0 to ``SEEDS`` - 1; draws the layout and encrypts the file.
            first_click: the promise about ``start``.
            start: the first cell.

        Raises:
            ValueError: ``start`` is not on the board, or the promise leaves too few cells for the
                mines.
            CannotHoldError: the board is too large for the format.
        """
        layout = game_layout(board, start, first_click, seed)
        solution = solution_of(layout.mines, board.rows, board.columns)
        shown = covered_grid(board.rows, board.columns)
        if first_click is not FirstClick.NONE:
            shown = opened_from(solution, board.columns, start)
        record = Record(shown, board.columns, board.mines, solution, seed=seed)
        return cls.read(write_record(record, "danamlund"), "<new game>")

    @cached_property
    def won(self) -> bool:
        """Whether every cell without a mine is open, and no mine is."""
        return self.opened == self.layout.free and not self.exploded

    @cached_property
    def position(self) -> Position:
        """The position without the player's flags: opened cells, and exploded mines as flags."""
        return Minefield(self.layout, self.opened).position(self.exploded)

    @cached_property
    def rows(self) -> list[str]:
        """The rows of the first grid of the file."""
        return danamlund.rows_of(self._now)

    def written(self) -> bytes:
        """The bytes of the file, which differ from ``data`` in cells of the first grid only."""
        return danamlund.rewritten(self.data, self._now)

    @cached_property
    def _now(self) -> danamlund.GameText:
        seen = Minefield(self.layout, self.opened).position(self.flags | self.exploded)
        record = replace(self.text.record, padded=seen.padded)
        return replace(self.text, record=record, exploded=self.exploded, chosen=self.chosen)


def processed(game: GameFile) -> GameFile:
    """The game after opening the chosen cells, and around every 0 its neighbours."""
    field = Minefield(game.layout, exploded=game.exploded)
    # All open cells are opened anew, because a 0 that was open before may have covered neighbours.
    field.open(game.opened | game.chosen, game.flags)
    return replace(game, opened=field.opened, exploded=field.exploded, chosen=0)


def solved(game: GameFile, guesser: Guesser = safest) -> tuple[GameFile, Guess | None]:
    """The game after opening chosen cells and all certain moves; or after a guess if none was left.

    A cell is certain if all layouts with this total agree on the cell. A flag on a cell that is
    certain to be safe is removed, all other flags stay. Raises as ``guesser``.
    """
    after = processed(game)
    field = Minefield(game.layout, after.opened)
    until_stuck(field, mines=after.exploded)
    after = replace(after, opened=field.opened)
    mines = field.covered if field.won else classify(after.position).mine_board
    flags = (after.flags | mines) & ~(field.opened | after.exploded)
    after = replace(after, flags=flags)
    if after != game or field.won:
        return after, None
    guess = guesser(after.position)
    return processed(_chosen(after, guess)), guess


def marked(game: GameFile, guesser: Guesser = safest) -> tuple[GameFile, Guess | None]:
    """Mark the certain cells of the present position in the file, or else one guess; open nothing.

    There is no guess while ``chosen`` has cells.
    """
    found = classify(game.position)
    flags = (game.flags | found.mine_board & ~game.chosen) & ~(found.safe_board | game.exploded)
    after = replace(game, flags=flags, chosen=game.chosen | found.safe_board)
    if after.chosen or after != game or game.opened == game.layout.free:
        return after, None
    guess = guesser(game.position)
    return _chosen(game, guess), guess


def _chosen(game: GameFile, guess: Guess) -> GameFile:
    bit = 1 << game.layout.geometry.index(guess.cell)
    return replace(game, chosen=game.chosen | bit, flags=game.flags & ~bit)
