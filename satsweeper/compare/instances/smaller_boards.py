"""Boards with less information than a given board: windows, fewer rows, columns or clues."""

from collections.abc import Iterator
from itertools import product
from random import Random

import numpy as np
from numpy.typing import NDArray

from satsweeper.board.codes import COVERED, MAX_CLUE
from satsweeper.clues import constraints_of
from satsweeper.compare.instances.random_boards import random_position
from satsweeper.position import Position

Cells = NDArray[np.int8]


def windows(position: Position, size: int, total: bool) -> Iterator[Position]:
    """All windows of at most ``size`` x ``size`` cells, without a total or with some of them.

    A clue that counts a cell outside the window becomes a covered cell.
    """
    height, width = min(size, position.rows), min(size, position.columns)
    places = list(product(range(position.rows - height + 1), range(position.columns - width + 1)))
    for mines in range(0, height * width + 1, 3) if total else (None,):
        for row, column in places:
            cells = _window(position.cells, row, row + height, column, column + width)
            yield Position(cells, mines)


def boards_of_one_clue(position: Position) -> Iterator[Position]:
    """Boards of 5 x 5 cells that ask about the clues of a board one by one, every answer in turn.

    In the middle is a clue with a number and covered cells as they occur on the board; the clues
    round it leave one layout of these cells. So an encoding of that clue that takes any layout for
    right or for wrong that is not, has the wrong models or none on one of these boards.
    """
    shapes = {group.shape for group in constraints_of(position).groups}
    for covered, number in sorted(shapes):
        for signs in product((0, 1), repeat=covered):
            if 0 <= number <= MAX_CLUE:
                yield _one_clue(number, signs)


def _one_clue(number: int, signs: tuple[int, ...]) -> Position:
    around = [(r, c) for r in (1, 2, 3) for c in (1, 2, 3) if (r, c) != (2, 2)]
    hidden = around[: len(signs)]
    mines = np.zeros((7, 7), np.int8)
    for (row, column), sign in zip(hidden, signs, strict=True):
        mines[row + 1, column + 1] = sign
    cells = sum(
        (mines[1 + r : 6 + r, 1 + c : 6 + c] for r in (-1, 0, 1) for c in (-1, 0, 1)),
        start=np.zeros((5, 5), np.int8),
    )
    cells[tuple(np.transpose(hidden))] = COVERED
    cells[2, 2] = number
    return Position(cells)


def random_small_boards(most: int, count: int) -> Iterator[Position]:
    """Yield positions of games on boards from 2 x 2 to ``most`` x ``most``, drawn from fixed seeds.

    Every other one is without its total.
    """
    random = Random(f"small boards {most}")
    for seed in range(count):
        rows, columns = random.randint(2, most), random.randint(2, most)
        mines = random.randint(0, rows * columns)
        position = random_position(rows, columns, mines, seed, random.random())
        yield position if seed % 2 else Position(position.cells, None)


def smaller_boards(position: Position) -> Iterator[Position]:
    """Boards that say a little less, those that say much less first.

    Fewer rows or columns; no total, or another; covered cells in the place of clues and flags.
    """
    cells, mines = position.cells, position.mines
    yield from _cropped(cells, mines)
    if mines is not None:
        yield Position(cells, None)
        for fewer in range(mines):
            yield Position(cells, fewer)
    shown = np.argwhere(cells != COVERED)
    size = len(shown)
    while size:
        for start in range(0, len(shown), size):
            hidden = cells.copy()
            hidden[tuple(shown[start : start + size].T)] = COVERED
            yield Position(hidden, mines)
        size //= 2


def _cropped(cells: Cells, mines: int | None) -> Iterator[Position]:
    """Without some rows or columns at an edge, from half of them to one, the total kept if it can.

    The covered cells that go may take mines with them, so smaller totals are tried as well.
    """
    rows, columns = cells.shape
    for cut in _cuts(max(rows, columns)):
        for edge in reversed(range(4)):
            top, left, down, right = (cut * (edge == each) for each in range(4))
            if top + down < rows and left + right < columns:
                part = _window(cells, top, rows - down, left, columns - right)
                lost = cells.size - part.size
                totals = [mines] if mines is None else range(max(mines - lost, 0), mines + 1)
                for total in totals:
                    if total is None or total <= part.size:
                        yield Position(part, total)


def _cuts(length: int) -> Iterator[int]:
    cut = length // 2
    while cut:
        yield cut
        cut //= 2


def _window(cells: Cells, top: int, bottom: int, left: int, right: int) -> Cells:
    """Part of the cells; a clue that counts a cell beyond becomes a covered cell."""
    rows, columns = cells.shape
    part = np.array(cells[top:bottom, left:right])
    lost = np.zeros(part.shape, bool)
    lost[0] |= top > 0
    lost[-1] |= bottom < rows
    lost[:, 0] |= left > 0
    lost[:, -1] |= right < columns
    part[lost & (part >= 0)] = COVERED
    return part
