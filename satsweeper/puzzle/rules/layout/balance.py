"""B, 2Z, 2S, 2B: what rows and columns hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from satsweeper.puzzle.board import Board
from satsweeper.puzzle.constraints.protocol import Part
from satsweeper.puzzle.constraints.sums import Sum


def balance(board: Board, part: Part) -> Iterator[Sum]:
    """B: all rows have equally many mines, and so have all columns.

    A sum for each row but the last, and each column: its mines less those of the next are 0.
    """
    for lines in (board.geometry.rows, board.geometry.columns):
        for line, following in pairwise(lines):
            yield _difference(board, part, line, following, (0,))


def halves(board: Board, part: Part) -> Iterator[Sum]:
    """2Z: each row has as many mines in dyed as in other cells; a sum for each row."""
    for row in board.geometry.rows:
        dyed = [cell for cell in row if cell in board.dyed]
        yield _difference(board, part, dyed, [c for c in row if c not in board.dyed], (0,))


def one_run(board: Board, part: Part) -> Iterator[Sum]:
    """2S: the mines of each row are one run, of one mine at least.

    A sum for each row: exactly one cell has a mine and none to its left.
    """
    board.require_ends()
    for row in board.geometry.rows:
        mines = [board.mine(cell) for cell in row]
        starts = ((mines[0],), *[(-left, mine) for left, mine in pairwise(mines)])
        yield Sum(part, starts, (1,) * len(starts), (1,))


def bridges(board: Board, part: Part) -> Iterator[Sum]:
    """2B: bridges run from left to right: all columns have equally many mines, and the i-th mine
    from above moves by one row at most from a column to the next.

    The i-th mine of the next column is at most one row lower for every i exactly if its first r + 1
    rows hold at least as many mines as the first r rows of this column, for every r; and the other
    way round. With all rows on both sides that says that the columns have equally many mines.
    """
    board.require_ends()
    for column, following in pairwise(board.geometry.columns):
        for one, other in ((column, following), (following, column)):
            for rows in range(1, len(one) + 1):
                more = other[: min(rows + 1, len(other))]
                yield _difference(board, part, more, one[:rows], range(len(more) + 1))


def _difference(
    board: Board, part: Part, more: Sequence[int], less: Sequence[int], allowed: Sequence[int]
) -> Sum:
    """Return the sum "mines of ``more`` less mines of ``less``", with its allowed values."""
    literals = [board.mine(cell) for cell in (*more, *less)]
    return Sum.of(part, literals, allowed, [1] * len(more) + [-1] * len(less))
