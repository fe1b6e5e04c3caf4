"""D and 2F: a mine has exactly one mine beside it."""

from collections.abc import Iterable, Iterator
from itertools import combinations

from satsweeper.puzzle.board import Board
from satsweeper.puzzle.constraints.clause import Clause
from satsweeper.puzzle.constraints.protocol import Part


def dominoes(board: Board, part: Part) -> Iterator[Clause]:
    """D: each mine has exactly one mine beside it."""
    return _exactly_one(board, part, range(len(board.geometry)))


def dyed_dominoes(board: Board, part: Part) -> Iterator[Clause]:
    """2F: each mine in a dyed cell has exactly one mine beside it."""
    return _exactly_one(board, part, sorted(board.dyed))


def _exactly_one(board: Board, part: Part, cells: Iterable[int]) -> Iterator[Clause]:
    # A clause "one at least" and a clause "not both" for each pair: 7 clauses for four neighbours.
    for cell in cells:
        mine = board.mine(cell)
        beside = [board.mine(other) for other in board.geometry.beside[cell]]
        yield Clause(part, (-mine, *beside))
        for one, other in combinations(beside, 2):
            yield Clause(part, (-mine, -one, -other))
