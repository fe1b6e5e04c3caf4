"""B, 2Z, 2S, 2B: what rows and columns hold."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from satsweeper.puzzle.board import Board
from satsweeper.puzzle.constraints.bridges import Bridges
from satsweeper.puzzle.constraints.equal_lines import EqualLines
from satsweeper.puzzle.constraints.protocol import Part
from satsweeper.puzzle.constraints.sums import Sum


def balance(board: Board, part: Part) -> Iterator[EqualLines]:
    """B: all rows have equally many mines, and so have all columns."""
    geometry = board.geometry
    kinds = [
        [list(map(board.mine, line)) for line in lines]
        for lines in (geometry.rows, geometry.columns)
    ]
    yield EqualLines.of(part, kinds)


def halves(board: Board, part: Part) -> Iterator[Sum]:
    """2Z: each row has as many mines in dyed as in other cells; a sum for each row."""
    for row in board.geometry.rows:
        dyed = [cell for cell in row if cell in board.dyed]
        others = [cell for cell in row if cell not in board.dyed]
        weights = [1] * len(dyed) + [-1] * len(others)
        yield Sum.of(part, map(board.mine, (*dyed, *others)), (0,), weights)


def one_run(board: Board, part: Part) -> Iterator[Sum]:
    """2S: the mines of each row are one run, of one mine at least.

    A sum for each row: exactly one cell has a mine and none to its left.
    """
    board.require_ends()
    for row in board.geometry.rows:
        mines = [board.mine(cell) for cell in row]
        starts = ((mines[0],), *[(-left, mine) for left, mine in pairwise(mines)])
        yield Sum(part, starts, (1,) * len(starts), (1,))


def bridges(board: Board, part: Part) -> Iterator[Bridges]:
    """2B: bridges run from left to right: all columns have equally many mines, and the i-th mine
    from above moves by one row at most from a column to the next.
    """
    board.require_ends()
    columns = [tuple(map(board.mine, column)) for column in board.geometry.columns]
    yield Bridges(part, tuple(columns))
