"""Rules of layouts read plainly, each for many layouts at once."""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise, product
from typing import Final

import numpy as np
import numpy.typing as npt

from scripts.fuzzing.plain_readings import Column, Readings
from scripts.fuzzing.plain_shapes import Shape, border


def _lines(shape: Shape) -> tuple[list[list[int]], list[list[int]]]:
    rows, columns = shape.size
    across = [[r * columns + c for c in range(columns)] for r in range(rows)]
    return across, [list(line) for line in zip(*across, strict=True)]


def _threes(shape: Shape, steps: Iterable[tuple[int, int]]) -> Iterable[list[int]]:
    rows, columns = shape.size
    for (r, c), (i, j) in product(product(range(rows), range(columns)), steps):
        places = [(r + k * i, c + k * j) for k in range(3)]
        if shape.wraps:
            places = [(down % rows, right % columns) for down, right in places]
        if all(0 <= down < rows and 0 <= right < columns for down, right in places):
            yield [down * columns + right for down, right in places]


def _blocks(shape: Shape) -> Iterable[list[int]]:
    rows, columns = shape.size
    for r, c in product(range(rows), range(columns)):
        if shape.wraps or (r + 1 < rows and c + 1 < columns):
            yield [(r + i) % rows * columns + (c + j) % columns for i in (0, 1) for j in (0, 1)]


def _yes(readings: Readings) -> npt.NDArray[np.bool_]:
    return np.ones(len(readings.layouts), bool)


def _quad(of: Readings) -> Column:
    found = _yes(of)
    for block in _blocks(of.shape):
        found &= of.mines[:, block].any(axis=1)
    return found


def _connected(of: Readings) -> Column:
    return of.connected(of.sets, of.shape.touching)


def _never(steps: Sequence[tuple[int, int]], safe: bool) -> Callable[[Readings], Column]:
    def test(of: Readings) -> Column:
        found = _yes(of)
        for three in _threes(of.shape, steps):
            found &= ~of.mines[:, three].all(axis=1)
            if safe:
                found &= of.mines[:, three].any(axis=1)
        return found

    return test


def _outside(of: Readings) -> Column:
    edge = border(of.shape)
    hung = of.flood(of.sets & sum(1 << cell for cell in edge), of.sets, of.shape.beside)
    return (hung == of.sets) & of.connected(of.free, of.shape.beside)


def _degree_one(cells: Callable[[Readings], Iterable[int]]) -> Callable[[Readings], Column]:
    def test(of: Readings) -> Column:
        found = _yes(of)
        for cell in cells(of):
            found &= ~of.mines[:, cell] | (of.degrees[:, cell] == 1)
        return found

    return test


def _snake(of: Readings) -> Column:
    number = of.mines.sum(axis=1)
    degrees = np.where(of.mines, of.degrees, 2)
    path = (
        (degrees <= 2).all(axis=1) & ((degrees == 1).sum(axis=1) == 2) & (degrees > 0).all(axis=1)
    )
    return (number == 1) | (path & of.connected(of.sets, of.shape.beside))


def _balance(of: Readings) -> Column:
    found = _yes(of)
    for lines in _lines(of.shape):
        sums = np.stack([of.mines[:, line].sum(axis=1) for line in lines], axis=1)
        found &= (sums == sums[:, :1]).all(axis=1)
    return found


def _no_pair(near: Callable[[Readings], Sequence[Sequence[int]]]) -> Callable[[Readings], Column]:
    def test(of: Readings) -> Column:
        found = _yes(of)
        for cell, others in enumerate(near(of)):
            for other in others:
                found &= ~(of.mines[:, cell] & of.mines[:, other])
        return found

    return test


def _right(of: Readings) -> list[list[int]]:
    rows, columns = of.shape.size
    return [
        [cell + 1] if cell % columns + 1 < columns else [cell + 1 - columns] * of.shape.wraps
        for cell in range(rows * columns)
    ]


def _knights(of: Readings) -> list[Sequence[int]]:
    return [of.counted(["K"], cell) for cell in range(len(of.shape.cells))]


def _horizontal(of: Readings) -> Column:
    right = _right(of)
    found = _yes(of)
    for cell in range(len(of.shape.cells)):
        near = [*right[cell], *[other for other, each in enumerate(right) if cell in each]]
        found &= ~of.mines[:, cell] | of.mines[:, near].any(axis=1)
    return found


def _rectangles(of: Readings) -> Column:
    # By definition: a group has as many cells as its rows times its columns.
    rows, columns = of.shape.size
    found = _connected(of)
    row_masks = [sum(1 << cell for cell in line) for line in _lines(of.shape)[0]]
    column_masks = [sum(1 << cell for cell in line) for line in _lines(of.shape)[1]]
    for cell in range(rows * columns):
        group = of.group(cell)
        height = sum(((group & mask) != 0).astype(int) for mask in row_masks)
        width = sum(((group & mask) != 0).astype(int) for mask in column_masks)
        found = found & (np.bitwise_count(group) == height * width)
    return found


def _one_run(of: Readings) -> Column:
    found = _yes(of)
    for line in _lines(of.shape)[0]:
        before = np.hstack((np.zeros((len(found), 1), bool), of.mines[:, line[:-1]]))
        found &= (of.mines[:, line] & ~before).sum(axis=1) == 1
    return found


def _fours(of: Readings) -> Column:
    found = _yes(of)
    for cell in range(len(of.shape.cells)):
        size = np.bitwise_count(of.group(cell))
        found &= (size == 0) | (size == 4)
    return found


def _bridges(of: Readings) -> Column:
    rows = of.shape.size[0]
    # The row of the i-th mine of each column, from above; ``rows`` for none.
    lines = _lines(of.shape)[1]
    where = [
        np.sort(np.where(of.mines[:, line], np.arange(rows), 10 * rows), axis=1) for line in lines
    ]
    found = _yes(of)
    for one, other in pairwise(where):
        found &= (np.abs(one - other) <= 1).all(axis=1)
    return found


def _halves(of: Readings) -> Column:
    found = _yes(of)
    for line in _lines(of.shape)[0]:
        dyed = [cell for cell in line if cell in of.dyed]
        rest = [cell for cell in line if cell not in of.dyed]
        found &= of.mines[:, dyed].sum(axis=1) == of.mines[:, rest].sum(axis=1)
    return found


_ACROSS: Final = ((0, 1), (1, 0))
TESTS: Final[dict[str, Callable[[Readings], Column]]] = {
    "Q": _quad,
    "C": _connected,
    "T": _never((*_ACROSS, (1, 1), (1, -1)), safe=False),
    "O": _outside,
    "D": _degree_one(lambda of: range(len(of.shape.cells))),
    "S": _snake,
    "B": _balance,
    "A": _no_pair(_knights),
    "H": _no_pair(_right),
    "U": _no_pair(lambda of: of.shape.beside),
    "2H": _horizontal,
    "2C": _rectangles,
    "2S": _one_run,
    "2G": _fours,
    "2F": _degree_one(lambda of: of.dyed),
    "2B": _bridges,
    "2T": _never(_ACROSS, safe=True),
    "2Z": _halves,
}
"""Letters of a rule -> which layouts meet it."""
