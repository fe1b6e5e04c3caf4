"""Own strategies that can be named, and games played by an oracle that shares no code with them."""

from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path

import pytest

from tests.play.cells import Cell, cells_of, clue_of, neighbours

Play = Callable[[frozenset[Cell], tuple[int, int], Cell], tuple[bool, int]]


@pytest.fixture(scope="module", autouse=True)
def own_strategies() -> Iterator[None]:
    """``odd_strategies:NAME`` is found here, and by processes that are started here."""
    data = Path(__file__).parents[2] / "data"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(data)
        patch.syspath_prepend(data)
        yield


def by_hand(mines: frozenset[Cell], shape: tuple[int, int], first: Cell) -> tuple[bool, int]:
    """Whether a game is won, and with how many guesses, by whoever opens what is certain.

    Where nothing is, the first cell is opened that may be free. All layouts are looked through
    each time.
    """
    clues: dict[Cell, int] = {}
    waiting, guesses = [first], 0
    while True:
        while waiting:
            cell = waiting.pop()
            if cell in mines:
                return False, guesses
            if cell not in clues:
                clues[cell] = clue_of(cell, mines)
                waiting += neighbours(cell, shape) if not clues[cell] else []
        covered = [cell for cell in cells_of(shape) if cell not in clues]
        if len(covered) == len(mines):
            return True, guesses
        fit = [
            layout
            for layout in map(frozenset, combinations(covered, len(mines)))
            if all(clue_of(cell, layout) == clue for cell, clue in clues.items())
        ]
        waiting = [cell for cell in covered if not any(cell in layout for layout in fit)]
        if not waiting:
            free = [cell for cell in covered if not all(cell in layout for layout in fit)]
            waiting, guesses = [free[0]], guesses + 1


@pytest.fixture(scope="session")
def play_by_hand() -> Play:
    return by_hand
