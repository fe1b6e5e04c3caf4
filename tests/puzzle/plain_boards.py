"""Boards of rows by the plain readings of `scripts.fuzzing`; a layout is the set of its mines.

Cells are ``(row, column)``. The readings share no code with the product; `test_random_boards.py`
holds them to published numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

from scripts.fuzzing.plain_layouts import TESTS as LAYOUTS
from scripts.fuzzing.plain_readings import CLUES, PAIRS, TOGETHER, Readings
from scripts.fuzzing.plain_shapes import GRIDS
from scripts.fuzzing.rule_boards import RuleBoard, chequered

Cell = tuple[int, int]
Mines = frozenset[Cell]

AROUND = [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)]
SINGLE = [each for each in CLUES if each not in TOGETHER]
OWN = ["V", "M", "L", "W", "N", "X", "P", "E"]
"""The rules of clues whose letters begin clues under ``#`` here."""
__all__ = ["AROUND", "LAYOUTS", "OWN", "PAIRS", "SINGLE", "TOGETHER", "Cell", "Mines"]


def cells(rows: int, columns: int) -> list[Cell]:
    return [*product(range(rows), range(columns))]


def counted(cell: Cell, mines: Mines, offsets: Iterable[tuple[int, int]] = AROUND) -> int:
    return sum((cell[0] + down, cell[1] + right) in mines for down, right in offsets)


def parted(rules: Iterable[str]) -> tuple[list[str], str]:
    """The rules of layouts, and the rules of clues in one text."""
    names = [*rules]
    clues = " ".join([each for each in names if each not in LAYOUTS])
    return [each for each in names if each in LAYOUTS], clues or "V"


@lru_cache(maxsize=64)
def _of_one(mines: Mines, rows: int, columns: int) -> Readings:
    """The readings over one layout."""
    shape = GRIDS["square"](rows, columns)
    layout = np.array([[cell in mines for cell in cells(rows, columns)]], np.uint8)
    return Readings(shape, layout, chequered(shape), {})


def meets(letters: str, mines: Mines, rows: int, columns: int) -> bool:
    """Whether a layout meets a rule of layouts."""
    return _of_one(mines, rows, columns).layout(letters, LAYOUTS[letters]) == 1


def shown(letters: str, cell: Cell, mines: Mines, rows: int, columns: int) -> set[str]:
    """The texts that a safe cell may show under one or two rules of clues."""
    return {*_of_one(mines, rows, columns).texts(letters, cell[0] * columns + cell[1], 0)}


def board(
    rules: str,
    rows: int,
    columns: int,
    clues: Mapping[Cell, str],
    mines: int | None = None,
    flags: Iterable[Cell] = (),
    opened: Iterable[Cell] = (),
    geometry: str = "square",
) -> RuleBoard:
    """A board; under ``#`` a clue begins with one of the letters `OWN`."""
    of_layouts, letters = parted(rules.split())
    own = letters == "#"

    def numbers(found: Iterable[Cell]) -> frozenset[int]:
        return frozenset(row * columns + column for row, column in found)

    return RuleBoard(
        GRIDS[geometry](rows, columns),
        tuple(of_layouts),
        own,
        {
            row * columns + column: (text[0], text[1:]) if own else (letters, text)
            for (row, column), text in clues.items()
        },
        opened=numbers(opened),
        flags=numbers(flags),
        mines=mines,
        rule="V" if own else letters,
    )


def layouts_of(found: RuleBoard) -> Iterator[frozenset[int]]:
    """The layouts of a board, as numbers of cells, in the order of their numbers as bits."""
    table, every = found.truth, found.readings.layouts
    while table:
        low = table & -table
        table ^= low
        yield frozenset(map(int, np.flatnonzero(every[low.bit_length() - 1])))


def layouts(
    rules: str, rows: int, columns: int, clues: Mapping[Cell, str] | None = None, **more: Any
) -> Iterator[Mines]:
    """The layouts of a `board`."""
    for mines in layouts_of(board(rules, rows, columns, clues or {}, **more)):
        yield frozenset(divmod(cell, columns) for cell in mines)
