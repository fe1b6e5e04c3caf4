"""A game played by a strategy: all certain moves, a guess, all certain moves, and so on."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np

from satsweeper.board.codes import FLAG, Cell
from satsweeper.board.errors import LimitError
from satsweeper.board.facts import Flags
from satsweeper.board.layout import Layout
from satsweeper.board.size import BoardSize
from satsweeper.count.odds import Odds, odds
from satsweeper.play.choice import Choice
from satsweeper.play.draw import FirstClick, game_layout, usual_start
from satsweeper.play.few_layouts import exact_choices
from satsweeper.play.kernel.certain import EXPLODED, STUCK, WON, open_certain
from satsweeper.play.kernel.chances import find_chances
from satsweeper.play.kernel.exact import TOO_MANY, list_few, worths_of_places
from satsweeper.play.kernel.grid import KNOWN_MINE, KNOWN_SAFE, NO_ROOM, UNKNOWN, ints
from satsweeper.play.scratch import Scratch, lend_scratch, numbers_of
from satsweeper.play.strategies.table import find_strategy
from satsweeper.play.view import GuessView, Strategy
from satsweeper.position import Position


class TooWideError(LimitError):
    """A region of a position is too wide for the arrays of the kernel, so it is not counted."""


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """The result of a game.

    ``guesses``: the number of moves that were not certain, the first move aside. ``unsafe``: the
    number of cells that were called safe and were mines; any other number than 0 is a defect.
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
        board: the size and the number of mines, such as ``30x16/99``.
        strategy: a name of the table, ``MODULE:NAME``, or a function from a view to a cell.
        first_click: the promise about the first cell.
        start: the first cell.
        seed: the seed of the layouts.
        number: the number of the game, from 0: another number draws another layout.

    Raises:
        ValueError: an unknown name, a board without room for its mines, or errors of the strategy.
        TooWideError: the chances of a position could not be counted.

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
        layout: a layout on a grid of squares.
        first: the cell that is opened first.
        strategy: names a cell where a guess is needed.

    Raises:
        ValueError: ``strategy`` did not name a covered cell.
        TooWideError: the chances of a position could not be counted.
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


# Where to guess in a position: choices by exact chances to win, else by a strategy.

LAYOUTS: Final = 10_000
"""The most layouts of a position for which exact chances to win are computed."""
EFFORT: Final = 3 * 10**8
"""The most entries of the table of layouts that the tree may read: some seconds of work."""
_SHOWN: Final = 5
"""The most choices where the chances to win are unknown."""


@contextmanager
def view_at(position: Position, found: Odds, flags: Flags = "trust") -> Iterator[GuessView]:
    """The view of a position with a total, for which ``found`` are the odds.

    ``flags``: whether flags are trusted to be mines, or ignored.

    Raises:
        ValueError: the total is unknown.
        TooWideError: a region is too wide for the arrays of the kernel.
    """
    mines = position.mines
    if mines is None:
        raise ValueError("a view needs the total")
    cells = position.cells.copy()
    cells[cells == FLAG] = KNOWN_MINE if flags == "trust" else UNKNOWN
    for cell, chance in found.mine.items():
        if chance in (0, 1):
            cells[cell] = KNOWN_MINE if chance else KNOWN_SAFE
    with lend_scratch(position.rows, position.columns) as scratch:
        codes = cells.reshape(-1)
        done = find_chances(scratch.grid, codes, mines, scratch.moves.work, scratch.chances)
        if done == NO_ROOM:
            raise TooWideError("a region is too wide for this strategy; the safest cell is known")
        assert done, "there are layouts, or there were no odds"
        yield GuessView(BoardSize(position.rows, position.columns, mines), codes, scratch)


def guess_at(
    position: Position, strategy: Strategy, flags: Flags = "trust"
) -> tuple[Cell, Fraction]:
    """The cell that a strategy names, and the chance of a mine there.

    Args:
        position: a position with a total and a covered cell, where no cell is certain to be safe.
        strategy: a function from a view to a cell, of the table of strategies or not.
        flags: whether flags are trusted to be mines, or ignored.

    Raises:
        ValueError: the total is unknown.
        NoLayoutError, OddsLimitError: as ``odds``.
        TooWideError: as ``view_at``.
    """
    found = odds(position, flags=flags)
    with view_at(position, found, flags) as view:
        cell = strategy(view)
    return cell, found.mine[cell]


def choices_at(
    position: Position, found: Odds, strategy: str | Strategy, promise: FirstClick, flags: Flags
) -> list[Choice] | None:
    """The choices in a position with the odds ``found``, best first; None if it is too wide.

    ``promise`` is the promise of a first click, NONE unless the position has no open cell.
    """
    choose = find_strategy(strategy) if isinstance(strategy, str) else strategy
    try:
        with view_at(position, found, flags) as view:
            choices = _exact(view, found, promise)
            if choices is None and promise is not FirstClick.NONE:
                # The chances to win are unknown: name the cell where published games start.
                choices = [Choice(usual_start(view.board, promise), Fraction(1))]
            elif choices is None:
                choices = _by_strategy(view, found, choose)
    except TooWideError:
        return None
    return choices


def _exact(view: GuessView, found: Odds, promise: FirstClick) -> list[Choice] | None:
    """Every covered cell that may be free, with the exact chance to win, best first.

    None if there are too many layouts or the tree is too large.
    """
    scratch, board = view.scratch, view.board
    if found.solutions > LAYOUTS:
        return None
    exact = scratch.exact(LAYOUTS)
    if promise is FirstClick.OPENING:
        many = list_few(scratch.grid, view.codes, board.mines, scratch.moves.work, exact)
        return None if many == TOO_MANY else _after_openings(view, scratch, many)
    promised = promise is FirstClick.SAFE
    return exact_choices(scratch, view.codes, found, exact, EFFORT, promised=promised)


def _after_openings(view: GuessView, scratch: Scratch, many: int) -> list[Choice] | None:
    """Every cell that may show 0, with the exact chance to win given a 0 there, best first.

    Under OPENING the game is on one of the layouts in which the first cell shows 0. None if the
    tree is too large; ``many`` is the number of layouts listed.
    """
    exact = scratch.exact(LAYOUTS)
    shows, places = exact.layouts.shows, len(view.covered)
    worths, choices = ints(places), []
    for place in range(places):
        zeros = np.flatnonzero(shows[place, :many] == 0)
        if not len(zeros):
            continue
        part = np.ascontiguousarray(shows[:, zeros])
        if not worths_of_places(part, exact.tree, places, len(zeros), EFFORT, worths):
            return None
        win = Fraction(int(worths[place]), len(zeros))
        choices.append(Choice(view.cell(int(exact.layouts.place_cell[place])), Fraction(1), win))
    return sorted(choices, key=lambda choice: (-(choice.win or 0), choice.cell))


def _by_strategy(view: GuessView, found: Odds, choose: Strategy) -> list[Choice]:
    """The cell of ``choose`` and the safest other cells, each with the clues it may show."""
    chosen = choose(view)
    safest = sorted(view.covered, key=lambda cell: (found.mine[cell], cell))
    cells = [chosen, *(cell for cell in safest if cell != chosen)][:_SHOWN]
    return [Choice(cell, 1 - found.mine[cell], None, tuple(view.ahead(cell))) for cell in cells]
