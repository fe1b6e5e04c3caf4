"""The odds of boards with rules and of other cells than squares, and sentences about them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction
from importlib import import_module
from typing import Any, Final, Protocol

from satsweeper.board.errors import LimitError
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.show.sentences import percent

_COUNTING: Final = "satsweeper.puzzle.odds.odds"
"""The module that counts; without it boards with rules have no odds."""
_LONGEST: Final = 12
"""The most digits of a number of layouts that is written out."""


class AnyOdds(Protocol):
    """The odds of a board: numbers of covered cells, and the chance of a mine in each."""

    @property
    def puzzle(self) -> Puzzle:
        """The board."""

    @property
    def by_cell(self) -> Mapping[int, Fraction]:
        """The chance of a mine in each covered cell, by number."""

    @property
    def solutions(self) -> int:
        """The number of layouts."""

    def safest(self) -> list[Hashable]:
        """Return the cells with the least chance."""

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``odds --json`` prints."""


def odds_of(puzzle: Puzzle, flags: str = "trust", timeout: float | None = None) -> AnyOdds:
    """Return the odds of a board.

    Raises LimitError where there are none, and where counting takes too long; NoLayoutError for a
    board that contradicts itself.
    """
    try:
        module = import_module(_COUNTING)
    except ModuleNotFoundError:
        raise LimitError("odds: there are none for boards with rules or other cells") from None
    found: AnyOdds = module.odds_of_puzzle(puzzle, flags=flags, timeout=timeout)
    return found


def odds_lines(found: AnyOdds) -> list[str]:
    """Return lines about the safest cells and the number of layouts."""
    lines = []
    safest = found.safest()
    if safest:
        chance = found.by_cell[found.puzzle.geometry.numbers[safest[0]]]
        names = ", ".join(map(str, safest[:6])) + (" ..." if len(safest) > 6 else "")
        head = "Safe" if not chance else "Safest guesses" if len(safest) > 1 else "Safest guess"
        lines.append(f"{head}: {names}" + (f"; a mine with {percent(chance)}." if chance else "."))
    number = str(found.solutions) if found.solutions < 10**_LONGEST else f"{found.solutions:.3e}"
    noun = "layout" if found.solutions == 1 else "layouts"
    return [*lines, f"{number} {noun}, all equally likely."]
