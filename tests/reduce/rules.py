"""A position after the single-clue rules, and bit boards as sets of cells."""

from satsweeper import Position
from satsweeper.board.planes import members
from satsweeper.reduce.single_clue import Deduced, single_clue

Cell = tuple[int, int]


def by_rules(position: Position) -> Deduced:
    """Return the verdicts of the single-clue rules, from all clues and flags of a position."""
    planes = position.planes
    return single_clue(position.geometry, planes.clues, planes.values, planes.covered, planes.flags)


def cells(position: Position, board: int) -> set[Cell]:
    """The cells of a bit board."""
    geometry = position.geometry
    return {geometry.cell(i) for i in members(board, geometry.size).tolist()}
