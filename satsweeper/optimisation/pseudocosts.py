"""Pseudocosts: by how much a decision has raised the linear relaxation, which tells what to decide.

Reference: Achterberg, Koch, Martin, Branching rules revisited, Operations Research Letters 33
(2005).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pbcnf.literals import Lit

_LEAST: Final = 1e-6
"""Distances and gains below this count as much as this."""


@dataclass
class Pseudocosts:
    """For each literal, by how much fixing it raised the relaxation on average."""

    sums: dict[Lit, float] = field(default_factory=dict)
    counts: dict[Lit, int] = field(default_factory=dict)

    def learn(self, lit: Lit, distance: float, gain: float) -> None:
        """Note that fixing ``lit``, at ``distance`` from its value, raised the cost by ``gain``."""
        self.sums[lit] = self.sums.get(lit, 0.0) + max(gain, 0.0) / max(distance, _LEAST)
        self.counts[lit] = self.counts.get(lit, 0) + 1

    def of(self, lit: Lit, otherwise: float) -> float:
        """Return the gain for each unit of distance, ``otherwise`` where ``lit`` is not known."""
        count = self.counts.get(lit)
        return self.sums[lit] / count if count else otherwise

    @property
    def average(self) -> float:
        """The average over all literals, 1 before the first."""
        number = sum(self.counts.values())
        return sum(self.sums.values()) / number if number else 1.0

    def best(self, columns: Sequence[int], values: Any) -> int:
        """Return the column both values of which promise the largest gains, as a product.

        Args:
            columns: of fractional variables; variable v is column v - 1.
            values: of all columns, the optimum of the relaxation.
        """
        average = self.average

        def score(column: int) -> float:
            value = float(values[column])
            up = (1 - value) * self.of(column + 1, average)
            down = value * self.of(-column - 1, average)
            return max(up, _LEAST) * max(down, _LEAST)

        return max(columns, key=score)
