"""A, H, U, T, 2T, Q, 2H: patterns of a few cells that no layout has, or that every one has."""

from collections.abc import Iterator

from satsweeper.puzzle.board import Board
from satsweeper.puzzle.constraints.clause import Clause
from satsweeper.puzzle.constraints.protocol import Part
from satsweeper.puzzle.geometry.grids import KNIGHT


def no_knights_move(board: Board, part: Part) -> Iterator[Clause]:
    """A: no two mines at a knight's move. A clause of two for each pair."""
    for cell in range(len(board.geometry)):
        for other in board.geometry.cells_at(cell, KNIGHT):
            if other > cell:
                yield Clause(part, (-board.mine(cell), -board.mine(other)))


def no_horizontal_pair(board: Board, part: Part) -> Iterator[Clause]:
    """H: no two mines side by side in a row. A clause of two for each pair."""
    for cell in range(len(board.geometry)):
        right = board.right_of(cell)
        if right is not None:
            yield Clause(part, (-board.mine(cell), -board.mine(right)))


def no_edge_pair(board: Board, part: Part) -> Iterator[Clause]:
    """U: no two mines that share an edge. A clause of two for each pair."""
    for cell, beside in enumerate(board.geometry.beside):
        for other in beside:
            if other > cell:
                yield Clause(part, (-board.mine(cell), -board.mine(other)))


def no_three_in_line(board: Board, part: Part) -> Iterator[Clause]:
    """T: no three consecutive mines in a row, column or diagonal. A clause of three for each."""
    for cell in range(len(board.geometry)):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            line = board.geometry.cells_at(cell, ((0, 0), (down, right), (2 * down, 2 * right)))
            if len(line) == 3:
                yield Clause(part, tuple([-board.mine(each) for each in line]))


def no_three_equal(board: Board, part: Part) -> Iterator[Clause]:
    """2T: no three consecutive cells of a row or column are alike. Two clauses for each three."""
    for cell in range(len(board.geometry)):
        for down, right in ((0, 1), (1, 0)):
            line = board.geometry.cells_at(cell, ((0, 0), (down, right), (2 * down, 2 * right)))
            if len(line) == 3:
                yield Clause(part, tuple([-board.mine(each) for each in line]))
                yield Clause(part, tuple([board.mine(each) for each in line]))


def mine_in_every_square(board: Board, part: Part) -> Iterator[Clause]:
    """Q: every square of 2x2 cells has a mine. A clause of four for each."""
    for cell in range(len(board.geometry)):
        block = board.geometry.cells_at(cell, ((0, 0), (0, 1), (1, 0), (1, 1)))
        if len(block) == 4:
            yield Clause(part, tuple([board.mine(each) for each in block]))


def horizontal_neighbour(board: Board, part: Part) -> Iterator[Clause]:
    """2H: each mine has a mine to the left or right. A clause of at most three for each cell."""
    left = {board.right_of(cell): cell for cell in range(len(board.geometry))}
    for cell in range(len(board.geometry)):
        near = [each for each in (left.get(cell), board.right_of(cell)) if each is not None]
        yield Clause(part, (-board.mine(cell), *[board.mine(each) for each in near]))
