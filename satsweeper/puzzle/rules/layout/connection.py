"""C, O, S, 2C: mines, or safe cells, hang together."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from satsweeper.puzzle.board import Board
from satsweeper.puzzle.constraints.clause import Clause
from satsweeper.puzzle.constraints.connected import Connected
from satsweeper.puzzle.constraints.implied import Implied
from satsweeper.puzzle.constraints.protocol import Constraint, Part
from satsweeper.puzzle.constraints.single_path import SinglePath
from satsweeper.puzzle.errors import RuleError


def _mines(board: Board) -> tuple[int, ...]:
    return tuple(map(board.mine, range(len(board.geometry))))


def connected(board: Board, part: Part) -> Iterator[Constraint]:
    """C: the mines are one set in which touching cells are neighbours."""
    yield Connected(part, _mines(board), board.geometry.touching)


def outside(board: Board, part: Part) -> Iterator[Constraint]:
    """O: safe cells are connected by edges, and so are mines together with the outside."""
    beside = board.geometry.beside
    mines = _mines(board)
    if board.geometry.wraps:
        raise RuleError(f"needs a border, which a {board.geometry.name} does not have")
    yield Connected(part, mines, beside, board.geometry.border)
    yield Connected(part, tuple([-mine for mine in mines]), beside)
    if board.geometry.squares and len(beside) == prod(board.geometry.shape):
        yield from _no_chequers(board, part)


def _no_chequers(board: Board, part: Part) -> Iterator[Implied]:
    """Forbid squares of 2x2 cells with mines in one diagonal and safe cells in the other.

    They follow from rule O in the plane, on a grid without holes: a path of safe cells between the
    two safe ones, and the corner where they meet, is a closed line with a mine on either side, and
    only one of the two sides has the outside. As clauses they save a solver many proofs.
    """
    for cell in range(len(board.geometry)):
        block = board.geometry.cells_at(cell, ((0, 0), (1, 1), (0, 1), (1, 0)))
        if len(block) == 4:
            one, other, left, right = map(board.mine, block)
            yield Implied(Clause(part, (-one, -other, left, right)))
            yield Implied(Clause(part, (one, other, -left, -right)))


def snake(board: Board, part: Part) -> Iterator[Constraint]:
    """S: the mines are one path, connected by edges; one mine alone is a path, none is not."""
    yield SinglePath(part, _mines(board), board.geometry.beside)


def rectangles(board: Board, part: Part) -> Iterator[Constraint]:
    """2C: each group connected by edges is a rectangle, and all mines are connected by touching.

    A group is a rectangle if no square of 2x2 cells has exactly three mines.
    """
    for cell in range(len(board.geometry)):
        block = board.geometry.cells_at(cell, ((0, 0), (0, 1), (1, 0), (1, 1)))
        if len(block) == 4:
            for spared in block:
                yield Clause(
                    part,
                    tuple([board.mine(e) if e == spared else -board.mine(e) for e in block]),
                )
    yield from connected(board, part)
