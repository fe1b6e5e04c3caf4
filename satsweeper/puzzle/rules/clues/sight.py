"""E and 2Q: what is seen along rows, columns and diagonals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from satsweeper.puzzle.board import Board, MinesAt
from satsweeper.puzzle.constraints.protocol import Constraint
from satsweeper.puzzle.constraints.sums import Sum
from satsweeper.puzzle.geometry.grids import ORTHOGONAL, RING, Offsets
from satsweeper.puzzle.rules.rule import ClueRule, Number, Site


def rays(board: Board, cell: int, steps: Offsets) -> list[list[int]]:
    """Return the cells seen from ``cell`` along each step, the nearest first; none empty.

    On a torus a ray ends before it comes back to where it began.
    """
    found = []
    for down, right in steps:
        ray: list[int] = []
        here = board.geometry.at(cell, down, right)
        while here is not None and here != cell:
            ray.append(here)
            here = board.geometry.at(here, down, right)
        if ray:
            found.append(ray)
    return found


class SafeCellsSeen(Number):
    """The cells without a mine up to the first mine or border in four directions, and the cell."""

    name = "number of cells seen"
    numeric = True
    counts = False

    def value(self, site: Site, mines: MinesAt) -> int:
        """Return the number of cells seen, the cell itself included."""
        seen = 1
        for ray in rays(site.board, site.cell, ORTHOGONAL):
            for cell in ray:
                if mines(cell):
                    break
                seen += 1
        return seen

    def most(self, site: Site) -> int:
        """Return the number of cells in row and column."""
        return 1 + sum(map(len, rays(site.board, site.cell, ORTHOGONAL)))

    def constraints(self, site: Site, allowed: Sequence[int]) -> Iterator[Constraint]:
        """Yield the sum of "the first i cells of a ray are safe", over rays and i."""
        terms = [
            tuple([-site.board.mine(cell) for cell in ray[:length]])
            for ray in rays(site.board, site.cell, ORTHOGONAL)
            for length in range(1, len(ray) + 1)
        ]
        values = tuple(sorted({value - 1 for value in allowed}))
        yield Sum(site.part, tuple(terms), (1,) * len(terms), values)


class DirectionsSeen(Number):
    """In how many of eight directions there is a mine, however far."""

    name = "number of directions"
    numeric = True
    counts = False

    def value(self, site: Site, mines: MinesAt) -> int:
        """Return the number of directions."""
        return sum([any(map(mines, ray)) for ray in rays(site.board, site.cell, RING)])

    def most(self, site: Site) -> int:
        """Return 8."""
        return 8

    def constraints(self, site: Site, allowed: Sequence[int]) -> Iterator[Constraint]:
        """Yield the number of rays without a mine as a sum."""
        found = rays(site.board, site.cell, RING)
        terms = tuple([tuple([-site.board.mine(cell) for cell in ray]) for ray in found])
        values = tuple(sorted({len(found) - value for value in allowed}))
        yield Sum(site.part, terms, (1,) * len(terms), values)


EYESIGHT = ClueRule("cells seen in row and column up to a mine, the cell itself included",
                    measure=SafeCellsSeen())  # fmt: skip
DIRECTIONS = ClueRule("the number of the eight directions in which there is a mine",
                      measure=DirectionsSeen())  # fmt: skip
