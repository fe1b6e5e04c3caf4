"""Own strategies that can be named, and games played by an oracle that shares no code with them."""

from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import pytest

from satsweeper.board.layout import Layout

Cell = tuple[int, int]
Play = Callable[[frozenset[Cell], tuple[int, int], Cell], tuple[bool, int]]


@pytest.fixture(autouse=True)
def own_strategies(monkeypatch: pytest.MonkeyPatch) -> None:
    """``odd_strategies:NAME`` is found here, and by processes that are started here."""
    data = Path(__file__).parents[2] / "data"
    monkeypatch.chdir(data)
    monkeypatch.syspath_prepend(data)


class Field(NamedTuple):
    mines: frozenset[Cell]
    shape: tuple[int, int]

    def cells(self) -> list[Cell]:
        return [(r, c) for r in range(self.shape[0]) for c in range(self.shape[1])]

    def near(self, cell: Cell) -> list[Cell]:
        return [o for o in self.cells() if max(abs(o[0] - cell[0]), abs(o[1] - cell[1])) == 1]

    def clue(self, cell: Cell) -> int:
        return sum(other in self.mines for other in self.near(cell))


def by_hand(mines: frozenset[Cell], shape: tuple[int, int], first: Cell) -> tuple[bool, int]:
    """Whether a game is won, and with how many guesses, by whoever opens what is certain.

    Where nothing is, the first cell is opened that may be free. All layouts are looked through
    each time.
    """
    field = Field(mines, shape)
    clues: dict[Cell, int] = {}
    waiting, guesses = [first], 0
    while True:
        while waiting:
            cell = waiting.pop()
            if cell in mines:
                return False, guesses
            if cell not in clues:
                clues[cell] = field.clue(cell)
                waiting += field.near(cell) if not clues[cell] else []
        covered = [cell for cell in field.cells() if cell not in clues]
        if len(covered) == len(mines):
            return True, guesses
        fit = [
            layout
            for layout in map(frozenset, combinations(covered, len(mines)))
            if all(Field(layout, shape).clue(cell) == clue for cell, clue in clues.items())
        ]
        waiting = [cell for cell in covered if not any(cell in layout for layout in fit)]
        if not waiting:
            free = [cell for cell in covered if not all(cell in layout for layout in fit)]
            waiting, guesses = [free[0]], guesses + 1


def mines_of(layout: Layout) -> frozenset[Cell]:
    geometry = layout.geometry
    cells = [(r, c) for r in range(geometry.rows) for c in range(geometry.columns)]
    return frozenset(cell for cell in cells if layout.mines >> geometry.index(cell) & 1)


@pytest.fixture(scope="session")
def play_by_hand() -> Play:
    return by_hand


@pytest.fixture(scope="session")
def mines_in() -> Callable[[Layout], frozenset[Cell]]:
    return mines_of
