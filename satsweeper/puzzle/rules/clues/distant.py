"""X, X', K, 2D, 2K, HB: other cells count than the eight around the clue."""

from collections.abc import Callable
from functools import partial
from typing import Final

from satsweeper.puzzle.board import Board
from satsweeper.puzzle.geometry.grids import CROSS, KNIGHT, ORTHOGONAL, RING, Offsets
from satsweeper.puzzle.geometry.hexcells import EIGHTEEN
from satsweeper.puzzle.rules.rule import ClueRule

_SIX: Final[Offsets] = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 0), (0, -1))
_ABOVE: Final[Offsets] = ((-1, 0), *((down - 1, right) for down, right in RING))


def _cells(offsets: Offsets, board: Board, cell: int) -> list[int]:
    # On a small torus two steps may lead to one cell, which counts once.
    found = dict.fromkeys(board.geometry.cells_at(cell, offsets))
    return [each for each in found if each != cell]


def _at(offsets: Offsets) -> Callable[[Board, int], list[int]]:
    return partial(_cells, offsets)


def _two_steps(board: Board, cell: int) -> list[int]:
    geometry = board.geometry
    name = geometry.cells[cell]
    if geometry.name == "hexcells" and isinstance(name, tuple):
        # Distances in the plane: a hole between does not matter.
        steps = [(name[0] + down, name[1] + right) for down, right in EIGHTEEN]
        return [geometry.numbers[each] for each in steps if each in geometry.numbers]
    near = geometry.touching[cell]
    found = dict.fromkeys([*near, *[far for each in near for far in geometry.touching[each]]])
    return [each for each in found if each != cell]


CROSS_RULE = ClueRule("mines at distance 1 and 2 in the row and the column", cells=_at(CROSS))
SMALL_CROSS = ClueRule("mines in the four cells that share an edge", cells=_at(ORTHOGONAL))
KNIGHT_RULE = ClueRule("mines at a knight's move", cells=_at(KNIGHT))
ABOVE = ClueRule("mines in the cell above and the eight around that one", cells=_at(_ABOVE))
SIX = ClueRule("mines beside, below and above the cell, and diagonally above it", cells=_at(_SIX))
TWO_STEPS = ClueRule("mines up to two steps away", cells=_two_steps)
