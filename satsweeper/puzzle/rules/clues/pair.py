"""2X and 2X': the mines in dyed and in other cells, counted apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from satsweeper.puzzle.board import MinesAt
from satsweeper.puzzle.constraints.protocol import Constraint
from satsweeper.puzzle.constraints.row_table import RowTable
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.rules.rule import ClueRule, Number, Site, Value

Pair = tuple[int, int]


class _Apart:
    counts = True

    def _pair(self, site: Site, mines: MinesAt) -> Pair:
        dyed = sum([w * mines(cell) for cell, w in site.counted if cell in site.board.dyed])
        every = sum([weight * mines(cell) for cell, weight in site.counted])
        return min(dyed, every - dyed), max(dyed, every - dyed)

    def _tabled(self, site: Site, allowed: frozenset[Pair]) -> Iterator[Constraint]:
        cells = [cell for cell, _ in site.counted for _ in site.board.variables[cell]]
        weights = [w for cell, w in site.counted for _ in site.board.variables[cell]]
        dyed = [cell in site.board.dyed for cell in cells]
        literals = site.literals([cell for cell, _ in site.counted])

        def accepts(values: tuple[bool, ...]) -> bool:
            sums = [0, 0]
            for value, weight, which in zip(values, weights, dyed, strict=True):
                sums[which] += weight * value
            return (min(sums), max(sums)) in allowed

        key = tuple(weights), tuple(dyed), allowed
        yield RowTable.where(site.part, literals, accepts, key)


class UnorderedPair(_Apart):
    """The two numbers in ascending order."""

    name = "pair"
    numeric = False

    def parse(self, text: str) -> Pair:
        """Return two digits, ascending."""
        if len(text) != 2 or not (text.isascii() and text.isdigit()):
            raise RuleError(f"{text!r}: two digits, mines in dyed and in other cells in any order")
        return min(int(text[0]), int(text[1])), max(int(text[0]), int(text[1]))

    def text(self, value: Pair) -> str:
        """Return the two digits."""
        return f"{value[0]}{value[1]}"

    def value(self, site: Site, mines: MinesAt) -> Pair:
        """Return the pair, ascending."""
        return self._pair(site, mines)

    def most(self, site: Site) -> int:
        """Raise, as a pair is no number."""
        raise NotImplementedError

    def constraints(self, site: Site, allowed: Sequence[Pair]) -> Iterator[Constraint]:
        """Yield one table."""
        yield from self._tabled(site, frozenset(allowed))


class OneOfPair(Number, _Apart):
    """Either of the two numbers."""

    name = "one of two"
    numeric = False

    def value(self, site: Site, mines: MinesAt) -> Value:
        """Return the smaller number; `values` has both."""
        return self._pair(site, mines)[0]

    def values(self, site: Site, mines: MinesAt) -> list[int]:
        """Return both numbers, either of which may be shown."""
        return sorted({*self._pair(site, mines)})

    def most(self, site: Site) -> int:
        """Raise, as two numbers are no number."""
        raise NotImplementedError

    def constraints(self, site: Site, allowed: Sequence[int]) -> Iterator[Constraint]:
        """Yield one table."""
        limit = site.most + 1
        wanted = frozenset((min(a, b), max(a, b)) for a in allowed for b in range(limit))
        yield from self._tabled(site, wanted)


BOTH = ClueRule("mines in dyed and in other cells around it, two numbers in any order",
                measure=UnorderedPair())  # fmt: skip
EITHER = ClueRule("mines in dyed, or in other, cells around it: one of the two numbers",
                  measure=OneOfPair())  # fmt: skip
