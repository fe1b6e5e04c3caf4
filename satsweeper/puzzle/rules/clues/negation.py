"""N: the difference between the mines in dyed and in other cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from satsweeper.puzzle.board import MinesAt
from satsweeper.puzzle.constraints.protocol import Constraint
from satsweeper.puzzle.constraints.sums import Sum
from satsweeper.puzzle.rules.rule import ClueRule, Number, Site


class Difference(Number):
    """The distance between the sums over the dyed and over the other cells that count."""

    name = "difference"
    numeric = True
    counts = True

    def value(self, site: Site, mines: MinesAt) -> int:
        """Return the difference without its sign."""
        return abs(sum([weight * mines(cell) for cell, weight in self._signed(site)]))

    def most(self, site: Site) -> int:
        """Return the sum of all weights without their signs, 8 at least."""
        variables = site.board.variables
        return max(sum([abs(weight) * len(variables[cell]) for cell, weight in site.counted]), 8)

    def constraints(self, site: Site, allowed: Sequence[int]) -> Iterator[Constraint]:
        """Yield one sum with weights of both signs."""
        signed = self._signed(site)
        literals = site.literals([cell for cell, _ in signed])
        weights = [w for cell, w in signed for _ in site.board.variables[cell]]
        both = {sign * value for value in allowed for sign in (1, -1)}
        yield Sum.of(site.part, literals, both, weights)

    def _signed(self, site: Site) -> list[tuple[int, int]]:
        dyed = site.board.dyed
        return [(cell, weight if cell in dyed else -weight) for cell, weight in site.counted]


RULE = ClueRule("mines in dyed cells around it less those in other cells, without the sign",
                measure=Difference())  # fmt: skip
