"""V: the number of mines around the cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from satsweeper.puzzle.board import MinesAt
from satsweeper.puzzle.constraints.protocol import Constraint
from satsweeper.puzzle.constraints.sums import Sum
from satsweeper.puzzle.rules.rule import ClueRule, Number, Site


class SumOfMines(Number):
    """The sum of the weights of the mines that count."""

    name = "sum"
    numeric = True
    counts = True

    def value(self, site: Site, mines: MinesAt) -> int:
        """Return the sum."""
        return sum([weight * mines(cell) for cell, weight in site.counted])

    def most(self, site: Site) -> int:
        """Return the sum of all weights, 8 at least: what a clue inside a classic board can be."""
        return max(site.most, 8)

    def constraints(self, site: Site, allowed: Sequence[int]) -> Iterator[Constraint]:
        """Yield one sum."""
        variables = site.board.variables
        literals = [v for cell, _ in site.counted for v in variables[cell]]
        weights = [w for cell, w in site.counted for _ in variables[cell]]
        yield Sum.of(site.part, literals, allowed, weights)


SUM = SumOfMines()
RULE = ClueRule("the number of mines around the cell")
