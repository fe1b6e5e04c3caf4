"""2G: the mines come in groups of four."""

from __future__ import annotations

from collections.abc import Iterator

from satsweeper.puzzle.board import Board
from satsweeper.puzzle.constraints.equal_groups import EqualGroups
from satsweeper.puzzle.constraints.protocol import Part


def fours(board: Board, part: Part) -> Iterator[EqualGroups]:
    """2G: each group connected by edges has four cells."""
    mines = tuple(map(board.mine, range(len(board.geometry))))
    yield EqualGroups(part, mines, board.geometry.beside, 4)
