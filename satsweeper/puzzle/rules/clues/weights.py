"""M: a mine in a dyed cell counts twice."""

from satsweeper.puzzle.board import Board
from satsweeper.puzzle.rules.rule import ClueRule


def _weight(board: Board, cell: int) -> int:
    return 2 if cell in board.dyed else 1


RULE = ClueRule("the mines around the cell, those in dyed cells counted twice", weight=_weight)
