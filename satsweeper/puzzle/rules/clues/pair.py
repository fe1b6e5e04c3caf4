"""2X and 2X': the mines in dyed and in other cells, counted apart."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence

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

    def _tabled(
        self, site: Site, fits: Callable[[list[int]], bool], key: Hashable
    ) -> Iterator[Constraint]:
        """Yield the table of the layouts with two sums that fit; ``key``: equal for equal fits."""
        cells = [cell for cell, _ in site.counted for _ in site.board.variables[cell]]
        weights = [w for cell, w in site.counted for _ in site.board.variables[cell]]
        dyed = [cell in site.board.dyed for cell in cells]
        literals = site.literals([cell for cell, _ in site.counted])

        def accepts(values: tuple[bool, ...]) -> bool:
            sums = [0, 0]
            for value, weight, which in zip(values, weights, dyed, strict=True):
                sums[which] += weight * value
            return fits(sums)

        every = tuple(weights), tuple(dyed), key
        yield RowTable.where(site.part, literals, accepts, every)


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
        pairs = frozenset(allowed)
        yield from self._tabled(site, lambda sums: (min(sums), max(sums)) in pairs, pairs)


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
        wanted = frozenset(allowed)
        yield from self._tabled(site, lambda sums: not wanted.isdisjoint(sums), (wanted, "either"))


BOTH = ClueRule("mines in dyed and in other cells around it, two numbers in any order",
                measure=UnorderedPair())  # fmt: skip
EITHER = ClueRule("mines in dyed, or in other, cells around it: one of the two numbers",
                  measure=OneOfPair())  # fmt: skip
