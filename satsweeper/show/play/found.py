"""What is found out about a position, for a hint or for a move."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from satsweeper.board.codes import Cell


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found: bit boards of cells, chances by index, and a sentence for the player.

    ``marks`` are the clues that force a verdict; ``guess`` is the safest cell where none is safe,
    with its ``chance`` of a mine; ``whole`` is False if a limit came first.
    """

    safe: int = 0
    mines: int = 0
    chances: Mapping[int, Fraction] | None = None
    marks: frozenset[Cell] = field(default_factory=frozenset)
    guess: int | None = None
    chance: Fraction | None = None
    said: str = ""
    whole: bool = True
