"""Boards drawn at random and opened as a player opens them, reproducible on every machine.

Mines are drawn uniformly. Then covered safe cells are drawn uniformly and opened, each with the
cells that a zero opens around it, until a given share of the safe cells is open. No opened cell is
a mine: the positions are those of a lucky player who opens cells at random.
"""

import re
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from satsweeper.board.codes import COVERED
from satsweeper.board.size import BoardSize
from satsweeper.compare.instances.instance import Instance
from satsweeper.position import Position

RANDOM: Final = "random:"
"""The beginning of the name of a drawn board."""
FORM: Final = "random:COLUMNSxROWS/MINES:seeds=FIRST-LAST[:opened=SHARE]"

_OPENED: Final = 0.4
_MOST: Final = 1_000_000
_WORDS: Final = re.compile(
    r"random:([^:]*):seeds?=([0-9]{1,9})(?:-([0-9]{1,9}))?(?::opened=([01](?:\.[0-9]+)?|\.[0-9]+))?"
)
_ROWS_FIRST: Final = re.compile(rf"\A{RANDOM}([0-9]+)x([0-9]+)/")


def random_boards(words: str) -> Iterator[Instance]:
    """The boards of ``random:COLUMNSxROWS/MINES:seeds=FIRST-LAST[:opened=SHARE]``, one a seed.

    MINES is a number, or a share of the cells such as ``20%``. SHARE, 0.4 unless given, is the
    least share of the safe cells that are open. The name of a board draws the same board again.

    Raises:
        ValueError: the words are not of this form, or there is no such board.
    """
    match = _WORDS.fullmatch(words)
    if match is None:
        raise ValueError(f"{words!r}: boards are drawn by {FORM}, as random:30x16/99:seeds=0-9")
    try:
        size = BoardSize.parse(match[1])
    except ValueError as error:
        raise ValueError(f"{words}: {error}") from None
    first, last = int(match[2]), int(match[3] or match[2])
    opened = float(match[4] or _OPENED)
    if not first <= last < first + _MOST:
        raise ValueError(f"{words}: seeds {first} to {last}: {_MOST:,} boards at most, upwards")
    if opened > 1:
        raise ValueError(f"{words}: opened={opened}: a share is 0 to 1")
    family = f"{RANDOM}{size}"
    for seed in range(first, last + 1):
        position = random_position(size.rows, size.columns, size.mines, seed, opened)
        yield Instance.of_board(position, f"{family}:seed={seed}:opened={opened:g}", family)


def columns_first(word: str) -> str:
    """Return the present form of ``word``, which was written when sizes had rows first.

    >>> columns_first("random:16x30/99:seeds=0-9"), columns_first("16x30.txt")
    ('random:30x16/99:seeds=0-9', '16x30.txt')
    """
    return _ROWS_FIRST.sub(rf"{RANDOM}\2x\1/", word)


def random_position(
    rows: int, columns: int, mines: int, seed: int, opened: float = _OPENED
) -> Position:
    """The position of a seed; its total is known.

    >>> print(random_position(3, 4, 2, seed=1, opened=0.5).text(), end="")
    3 4 2
    001?
    012?
    01??
    """
    # A text seeds by its SHA-512, which is equal on every machine. Rows stay first in the text,
    # because recorded sweeps are about the boards drawn by this text.
    random = Random(f"{rows}x{columns}/{mines}:{seed}")
    order = random.sample(range(rows * columns), rows * columns)
    laid = np.zeros((rows + 2, columns + 2), np.int8)
    at, across = np.divmod(np.array(order[:mines], np.intp), columns)
    laid[at + 1, across + 1] = 1
    around = np.zeros((rows, columns), np.int8)
    for down, right in product(range(3), range(3)):
        around += laid[down : down + rows, right : right + columns]
    cells = np.full((rows, columns), COVERED, np.int8)
    left = round(opened * (rows * columns - mines))
    # The cells behind the mines in `order` are in random order, too.
    for cell in order[mines:]:
        if left <= 0:
            break
        left -= _open(cells, around, divmod(cell, columns))
    return Position(cells, mines)


def _open(cells: NDArray[np.int8], around: NDArray[np.int8], start: tuple[int, int]) -> int:
    """Open a safe cell and the cells that a zero opens; return the number of opened cells."""
    rows, columns = cells.shape
    count, todo = 0, [start]
    while todo:
        row, column = todo.pop()
        if cells[row, column] != COVERED:
            continue
        cells[row, column] = around[row, column]
        count += 1
        if around[row, column] == 0:
            todo += [
                (r, c)
                for r in range(max(row - 1, 0), min(row + 2, rows))
                for c in range(max(column - 1, 0), min(column + 2, columns))
            ]
    return count
