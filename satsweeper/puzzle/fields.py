"""The parts of a board, as readers return them and as writers take them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Protocol

from satsweeper.puzzle.clue import Clue, Region
from satsweeper.puzzle.geometry.geometry import Geometry

MOST_CELLS: Final = 10_000
"""The most cells of a board with rules or another geometry; larger boards are refused."""

Fields = dict[str, Any]
"""The arguments of `Puzzle`, by name."""


class Shown(Protocol):
    """A board as a player sees it; `Puzzle` is one, and says what each part means."""

    @property
    def geometry(self) -> Geometry:
        """The cells."""

    @property
    def rules(self) -> tuple[str, ...]:
        """The letters of rules."""

    @property
    def clues(self) -> Mapping[int, Clue]:
        """The clues."""

    @property
    def flags(self) -> frozenset[int]:
        """The flags."""

    @property
    def opened(self) -> frozenset[int]:
        """The safe cells without a clue."""

    @property
    def shown(self) -> frozenset[int]:
        """The known mines."""

    @property
    def mines(self) -> int | None:
        """The total."""

    @property
    def regions(self) -> tuple[Region, ...]:
        """The regions."""

    @property
    def dyed(self) -> frozenset[int] | None:
        """The dyed cells."""

    @property
    def weights(self) -> Mapping[int, int]:
        """The weights."""

    @property
    def capacity(self) -> Mapping[int, int]:
        """The most mines of cells."""
