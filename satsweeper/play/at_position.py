"""Strategies asked about a position that somebody else has, not one of a game that they play."""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction

from satsweeper.board.codes import FLAG, Cell
from satsweeper.board.size import BoardSize
from satsweeper.board.view import Flags
from satsweeper.count.odds import Odds, odds
from satsweeper.play.kernel.chances import find_chances
from satsweeper.play.kernel.grid import KNOWN_MINE, KNOWN_SAFE, UNKNOWN
from satsweeper.play.playing import TooWideError
from satsweeper.play.scratch import lend_scratch
from satsweeper.play.strategies.strategy import Strategy
from satsweeper.play.view import View
from satsweeper.position import Position


@contextmanager
def view_at(position: Position, found: Odds, flags: Flags = "trust") -> Iterator[View]:
    """The view of a position with its total, once its odds are found.

    Raises:
        TooWideError: they could be counted, but not as fast as play needs it.
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
        if done < 0:
            raise TooWideError("a region is too wide for this strategy; the safest cell is known")
        assert done, "there are layouts, or there were no odds"
        yield View(BoardSize(position.rows, position.columns, mines), codes, scratch)


def guess_at(
    position: Position, strategy: Strategy, flags: Flags = "trust"
) -> tuple[Cell, Fraction]:
    """The cell that a strategy names, and the chance of a mine in it.

    Args:
        position: with its total; no cell is certain to be safe, and one is covered.
        strategy: from ``satsweeper.play.strategies.table``, or another.
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
