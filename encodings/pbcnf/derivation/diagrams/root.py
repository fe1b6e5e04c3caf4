"""The inputs that both bounds force before any other can be chosen."""

from __future__ import annotations

from pbcnf.derivation.diagrams.dead_ends import DeadEnds
from pbcnf.derivation.diagrams.prefixes import Prefixes
from pbcnf.literals import Lit


class Root:
    """The first inputs, as long as each is forced, and what they weigh."""

    def __init__(self, prefixes: Prefixes) -> None:
        self.prefixes, self.dead_ends = prefixes, DeadEnds(prefixes)
        self.level = self.weighs = 0
        self.rows: list[int | None] = [None, None]
        """That they weigh at least and at most this; None where it needs no row."""

    def force(self, side: bool) -> int:
        """Derive that the next input has that value."""
        prefixes, weight = self.prefixes, self.prefixes.of.weights[self.level]
        value = prefixes.value(self.level, side)
        other = self.weighs + (0 if side else weight)
        unit = prefixes.propagated([], [value], self._dead(self.level + 1, other, [value]))
        assert unit is not None
        row = self.rows[not side]
        parts = [(unit, weight)] + ([] if row is None else [(row, 1)])
        self.rows[not side] = prefixes.state.add(parts)
        self.level += 1
        self.weighs += weight if side else 0
        return unit

    def contradiction(self) -> int:
        """Derive the empty clause."""
        hints = self._dead(self.level, self.weighs, [])
        number = self.prefixes.propagated([], [], hints)
        assert number is not None
        return number

    def _dead(self, level: int, total: int, unless: list[Lit]) -> list[int | None]:
        [dead] = self.dead_ends.cover(level, total, total)
        prefixes = self.prefixes
        least, beyond = prefixes.at_least(level, dead.start), prefixes.at_least(level, dead.end + 1)
        return [
            prefixes.summed([], [*unless, least], self.rows[0]),
            prefixes.summed([beyond], unless, self.rows[1]),
            dead.number,
        ]
