"""The groups of cells that a game's proof counts, in the memory that their statements take."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbcnf.proof.format_error import ProofFormatError
from satsweeper.checker.game.clauses import Count


class Counts:
    """Counts by their first variable.

    Args:
        size: variables 1 .. ``size`` are the cells, each a group of its own.
        wrong: makes the error that says what is wrong with a statement.
    """

    def __init__(self, size: int, wrong: Callable[[str], ProofFormatError]) -> None:
        self._size, self._wrong = size, wrong
        self._last = size
        """The last variable that has a meaning."""
        self._counts: dict[int, Count] = {}
        self._cells: dict[int, set[int]] = {}
        """The cells of each count that is no part of another one."""

    def add(self, first: int, most: int, parts: Sequence[int]) -> None:
        """Take a count of one group, or of two together.

        Args:
            first: its first variable, above all that have a meaning.
            most: how far it counts.
            parts: the first variables of its groups; no count is a part of two.
        """
        if first <= self._last:
            raise self._wrong(f"variable {first} and those after it are not all new")
        # The cells of the smaller part join those of the larger one, whose set becomes that of the
        # whole. So a cell is in one set for each time that the file names it, and moves seldom.
        cells, *others = sorted(map(self.cells_of, parts), key=len, reverse=True)
        for other in others:
            if not cells.isdisjoint(other):
                raise self._wrong("a cell counts once")
            cells |= other
        if not 1 <= most <= len(cells):
            raise self._wrong("a count goes from 1 to the number of its cells at the most")
        for part in parts:
            self._cells.pop(part, None)
        self._cells[first] = cells
        self._counts[first] = Count(len(cells), first, most, tuple(parts))
        self._last = first + most - 1

    def __getitem__(self, first: int) -> Count:
        if 1 <= first <= self._size:
            return Count(1, first, 1)
        if first not in self._counts:
            raise self._wrong(f"{first} is neither a cell nor a count")
        return self._counts[first]

    def cells_of(self, first: int) -> set[int]:
        """The cells, by number, of a group that is no part of another count."""
        if 1 <= first <= self._size:
            return {first - 1}
        if first not in self._cells:
            known = first in self._counts
            fault = f"count {first} is a part of another one"
            raise self._wrong(fault if known else f"{first} is neither a cell nor a count")
        return self._cells[first]
