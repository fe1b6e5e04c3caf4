"""Rules of layouts as inequalities and connections."""

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, pairwise
from typing import Final

from satsweeper.checker.puzzle.grid import KNIGHT, Grid, Steps
from satsweeper.checker.puzzle.row_writer import ConnectedCells, RowWriter


def _blocks(grid: Grid) -> list[list[int]]:
    found = [grid.at(cell, ((0, 0), (0, 1), (1, 0), (1, 1))) for cell in range(grid.size)]
    return [[cell + 1 for cell in block] for block in found if len(block) == 4]


def _quad(said: RowWriter) -> None:
    for block in _blocks(said.grid):
        said.clause(block)


def _threes(said: RowWriter, steps: Steps, signs: Sequence[int]) -> None:
    grid = said.grid
    for cell in range(grid.size):
        for down, right in steps:
            line = grid.at(cell, ((0, 0), (down, right), (2 * down, 2 * right)))
            for sign in signs if len(line) == 3 else ():
                said.clause([sign * (each + 1) for each in line])


def _outside(said: RowWriter) -> None:
    said.grid.require(not said.grid.wraps, "a border")
    beside = said.grid.beside
    said.connections.append(ConnectedCells(1, beside, frozenset(said.grid.border)))
    said.connections.append(ConnectedCells(-1, beside))


def _one_beside(said: RowWriter, cells: Iterable[int]) -> None:
    for cell in cells:
        near = [each + 1 for each in said.grid.beside[cell]]
        said.clause([-(cell + 1), *near])
        for one, other in combinations(near, 2):
            said.clause([-(cell + 1), -one, -other])


def _snake(said: RowWriter) -> None:
    """S: a connected set without branches is a path if some mine is an end."""
    beside = said.grid.beside
    said.connections.append(ConnectedCells(1, beside))
    ends = []
    for cell, near in enumerate(beside):
        for three in combinations(near, 3):
            said.clause([-(cell + 1), *[-(each + 1) for each in three]])
        for spared in near or [cell]:
            ends.append(([cell + 1, *[-(each + 1) for each in near if each != spared]], 1))
    said.sum_of(ends, range(1, len(ends) + 1))


def _equal(said: RowWriter, more: Iterable[int], less: Iterable[int]) -> None:
    said.sum_of([([c + 1], 1) for c in more] + [([c + 1], -1) for c in less], [0])


def _balance(said: RowWriter) -> None:
    said.grid.require(said.grid.is_square, "columns")
    for lines in said.grid.lines:
        for one, other in pairwise(lines):
            _equal(said, one, other)


def _no_pairs(said: RowWriter, near: Callable[[int], Iterable[int]]) -> None:
    for cell in range(said.grid.size):
        for other in near(cell):
            if other != cell:
                said.clause([-(cell + 1), -(other + 1)])


def _right(grid: Grid, cell: int) -> list[int]:
    found = grid.right_of(cell)
    return [] if found is None else [found]


def _side_by_side(said: RowWriter) -> None:
    grid = said.grid
    near: dict[int, list[int]] = {cell: _right(grid, cell) for cell in range(grid.size)}
    for cell in range(grid.size):
        for right in _right(grid, cell):
            near[right] = [*near[right], cell]
    for cell, others in near.items():
        said.clause([-(cell + 1), *[other + 1 for other in others]])


def _rectangles(said: RowWriter) -> None:
    for block in _blocks(said.grid):
        for spared in block:
            said.clause([spared, *[-lit for lit in block if lit != spared]])
    said.connections.append(ConnectedCells(1, said.grid.touching))


def _one_run(said: RowWriter) -> None:
    said.grid.require(not said.grid.wraps, "rows with ends")
    for row in said.grid.lines[0]:
        starts = [([row[0] + 1], 1)]
        starts += [([-(left + 1), cell + 1], 1) for left, cell in pairwise(row)]
        said.sum_of(starts, [1])


def _fours(said: RowWriter) -> None:
    """For each cell: no mine, or a whole group of four in which the cell is."""
    beside = said.grid.beside
    found = {frozenset([cell]) for cell in range(said.grid.size)}
    for _ in range(3):
        found = {
            group | {near}
            for group in found
            for cell in group
            for near in beside[cell]
            if near not in group
        }
    for cell in range(said.grid.size):
        terms: list[tuple[Iterable[int], int]] = [([-(cell + 1)], 1)]
        for group in found:
            if cell in group:
                around = {near for each in group for near in beside[each]} - group
                terms.append(([*[c + 1 for c in group], *[-(c + 1) for c in around]], 1))
        said.sum_of(terms, range(1, len(terms) + 1))


def _bridges(said: RowWriter) -> None:
    """In a column as many mines as in the next, and each at most a row from its partner.

    The first r + 1 rows of a column hold at least as many mines as the first r of its neighbour.
    """
    said.grid.require(said.grid.is_square and not said.grid.wraps, "columns with ends")
    for left, right in pairwise(said.grid.lines[1]):
        for one, other in ((left, right), (right, left)):
            for rows in range(1, len(one) + 1):
                more = [(1, cell + 1) for cell in other[: rows + 1]]
                said.row([*more, *[(-1, cell + 1) for cell in one[:rows]]], 0)


def _zero_sum(said: RowWriter) -> None:
    for row in said.grid.lines[0]:
        dyed = [cell for cell in row if said.grid.dyed(cell)]
        _equal(said, dyed, [cell for cell in row if cell not in dyed])


LAYOUTS: Final[dict[str, Callable[[RowWriter], None]]] = {
    "Q": _quad,
    "C": lambda said: said.connections.append(ConnectedCells(1, said.grid.touching)),
    "T": lambda said: _threes(said, ((0, 1), (1, 0), (1, 1), (1, -1)), (-1,)),
    "O": _outside,
    "D": lambda said: _one_beside(said, range(said.grid.size)),
    "S": _snake,
    "B": _balance,
    "A": lambda said: _no_pairs(said, lambda cell: said.grid.at(cell, KNIGHT)),
    "H": lambda said: _no_pairs(said, lambda cell: _right(said.grid, cell)),
    "U": lambda said: _no_pairs(said, lambda cell: said.grid.beside[cell]),
    "2H": _side_by_side,
    "2C": _rectangles,
    "2S": _one_run,
    "2G": _fours,
    "2F": lambda said: _one_beside(said, filter(said.grid.dyed, range(said.grid.size))),
    "2B": _bridges,
    "2T": lambda said: _threes(said, ((0, 1), (1, 0)), (1, -1)),
    "2Z": _zero_sum,
}
"""The rules of layouts."""
