"""The cells of a board as rules see them: neighbourhoods, dyed cells, variables of mines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.geometry.geometry import Geometry

MinesAt = Callable[[int], int]
"""A layout: number of a cell -> the number of mines there."""


@dataclass(frozen=True)
class Board:
    """A geometry, a mask of dyed cells, weights of mines, and how many mines a cell can hold.

    Cell i has the variable i + 1, true if there is a mine. A cell that can hold more has further
    variables: the k-th is true if there are at least k mines.
    """

    geometry: Geometry
    dyed: frozenset[int]
    """The dyed cells, by number."""
    weights: Mapping[int, int] = field(default_factory=dict)
    """The weight of a mine in sums of clues, by cell; 1 for the other cells."""
    capacity: Mapping[int, int] = field(default_factory=dict)
    """The most mines of a cell, by cell; 1 for the other cells."""
    variables: tuple[tuple[int, ...], ...] = field(init=False, repr=False, compare=False)
    """The variables of each cell."""

    def __post_init__(self) -> None:
        """Number the variables."""
        found: list[tuple[int, ...]] = []
        following = len(self.geometry) + 1
        for cell in range(len(self.geometry)):
            more = self.capacity.get(cell, 1) - 1
            found.append((cell + 1, *range(following, following + more)))
            following += more
        object.__setattr__(self, "variables", tuple(found))

    @property
    def num_vars(self) -> int:
        """The number of variables of cells."""
        return len(self.geometry) + sum([most - 1 for most in self.capacity.values()])

    def mine(self, cell: int) -> int:
        """Return the literal "there is a mine"."""
        return cell + 1

    def right_of(self, cell: int) -> int | None:
        """Return the next cell of the row, None at its end. Raises RuleError without rows."""
        if self.geometry.squares:
            return self.geometry.at(cell, 0, 1)
        columns = len(self.geometry.rows[0])
        return cell + 1 if cell % columns < columns - 1 else None

    def require_ends(self) -> None:
        """Raise RuleError on a grid that goes on at the opposite edge."""
        if self.geometry.wraps:
            raise RuleError(f"needs rows with ends, which a {self.geometry.name} does not have")


def chequered(geometry: Geometry) -> frozenset[int]:
    """Return the cells of a grid whose coordinates have an odd sum; none of a graph."""
    if not geometry.shape:
        return frozenset()
    return frozenset(
        number
        for number, cell in enumerate(geometry.cells)
        if isinstance(cell, tuple) and sum(cell) % 2
    )
