"""The parts of a board, as readers return them and as writers take them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from satsweeper.puzzle.clue import Clue, Region
from satsweeper.puzzle.geometry.geometry import Geometry

MOST_CELLS: Final = 10_000
"""The most cells of a board with rules or another geometry; larger boards are refused."""

Fields = dict[str, Any]
"""The arguments of `Puzzle`, by name."""


@dataclass(frozen=True, eq=False)
class Shown:
    """A board as a player sees it: the fields of `Puzzle`."""

    geometry: Geometry
    rules: tuple[str, ...] = ()
    """Letters of rules of layouts and of clues, or MODULE:NAME, as the board has them."""
    clues: Mapping[int, Clue] = field(default_factory=dict)
    """The clues, by number of the cell; the cell is safe unless it is among ``shown``."""
    flags: frozenset[int] = frozenset()
    opened: frozenset[int] = frozenset()
    """Cells known to be safe that show nothing."""
    shown: frozenset[int] = frozenset()
    """Cells known to be mines."""
    mines: int | None = None
    """The number of mines, None if it is unknown."""
    regions: tuple[Region, ...] = ()
    dyed: frozenset[int] | None = None
    """The dyed cells; None: on a grid, cells whose coordinates have an odd sum."""
    weights: Mapping[int, int] = field(default_factory=dict)
    """Cell -> the weight of a mine there in the sums of clues."""
    capacity: Mapping[int, int] = field(default_factory=dict)
    """Cell -> the most mines there."""
