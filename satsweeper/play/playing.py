"""A game played by a strategy: all certain moves, a guess, all certain moves, and so on."""

from dataclasses import dataclass

import numpy as np

from satsweeper.board.codes import Cell
from satsweeper.board.errors import LimitError
from satsweeper.board.layout import Layout
from satsweeper.board.size import BoardSize
from satsweeper.play.draw import game_layout
from satsweeper.play.first_click import FirstClick
from satsweeper.play.kernel.certain import EXPLODED, STUCK, WON, open_certain
from satsweeper.play.kernel.grid import NO_ROOM, UNKNOWN
from satsweeper.play.scratch import lend_scratch, numbers_of
from satsweeper.play.view import GuessView, Strategy


class TooWideError(LimitError):
    """A position has a region that is too wide to be counted in play."""


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """The result of a game.

    ``guesses`` are the moves that were not certain, without the first one; ``unsafe`` the cells
    that were called safe and were mines: it stays 0, or the program is wrong.
    """

    won: bool
    guesses: int
    unsafe: int = 0


def play(
    board: str | BoardSize,
    strategy: str | Strategy = "safest",
    *,
    first_click: str | FirstClick = FirstClick.SAFE,
    start: Cell = (0, 0),
    seed: int = 1,
    number: int = 0,
) -> GameOutcome:
    """Play a game by a strategy; equal arguments play equal games on every machine.

    Args:
        board: such as ``30x16/99``.
        strategy: a name of the table, ``MODULE:NAME``, or a function from a view to a cell.
        first_click: what is promised of the first cell.
        start: the first cell.
        seed: of the layouts.
        number: of the game.

    Raises:
        ValueError: an unknown name, a board without room for its mines, or errors of the strategy.
        TooWideError: chances could not be counted.

    >>> play("9x9/10", "safest", seed=4)
    GameOutcome(won=True, guesses=0, unsafe=0)
    """
    from satsweeper.play.strategies.table import find_strategy

    size = board if isinstance(board, BoardSize) else BoardSize.parse(board)
    choose = find_strategy(strategy) if isinstance(strategy, str) else strategy
    return play_game(game_layout(size, start, FirstClick(first_click), seed, number), start, choose)


def play_game(layout: Layout, first: Cell, strategy: Strategy) -> GameOutcome:
    """Play a layout to its end.

    Args:
        layout: on a grid of squares.
        first: the cell that is opened first.
        strategy: names a cell where a guess is needed.

    Raises:
        ValueError: it named another cell than a covered one.
        TooWideError: chances could not be counted.
    """
    geometry = layout.geometry
    board = BoardSize(geometry.rows, geometry.columns, layout.mines.bit_count())
    numbers = numbers_of(layout)
    with lend_scratch(board.rows, board.columns) as scratch:
        codes = np.full(scratch.cells, UNKNOWN, np.int8)
        index = first[0] * board.columns + first[1]
        guesses = 0
        while numbers[index] != EXPLODED:
            state = open_certain(
                scratch.grid, numbers, codes, board.mines, index, scratch.moves, scratch.chances
            )
            if state == NO_ROOM:
                raise TooWideError(f"{board}: a region of a game is too wide to be counted")
            if state != STUCK:
                return GameOutcome(state == WON, guesses, int(state != WON))
            index = _guess(GuessView(board, codes, scratch), strategy)
            guesses += 1
        return GameOutcome(False, guesses)


def _guess(view: GuessView, strategy: Strategy) -> int:
    cell = strategy(view)
    try:
        row, column = cell
        inside = 0 <= row < view.board.rows and 0 <= column < view.board.columns
        index = view.index((int(row), int(column)))
    except (TypeError, ValueError):
        raise ValueError(f"a strategy names a cell (row, column), not {cell!r}") from None
    if not inside or view.codes[index] != UNKNOWN:
        raise ValueError(f"a strategy names a covered cell, not {cell!r}")
    return index
