"""The groups of cells whose mines a game's proof counts, in memory linear in its statements."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbcnf.proof.format_error import ProofFormatError
from satsweeper.checker.game.clauses import GameCount


class CountRegister:
    """The counts that a proof has introduced, by their first variable.

    Args:
        size: variables 1 .. ``size`` are the cells, each a group of its own.
        wrong: makes the error that says what is wrong with a statement.
    """

    def __init__(self, size: int, wrong: Callable[[str], ProofFormatError]) -> None:
        self._size, self._wrong = size, wrong
        self._last = size
        """The largest variable that is a cell or belongs to a count."""
        self._counts: dict[int, GameCount] = {}
        self._cells: dict[int, set[int]] = {}
        """First variable of a count -> its cells, unless the count is part of another count."""

    def add(self, first: int, most: int, parts: Sequence[int]) -> None:
        """Introduce a count of the mines in one group of cells, or in two groups together.

        Args:
            first: its first variable, above all that are cells or belong to counts.
            most: the largest number of mines that a variable of the count stands for.
            parts: the first variables of the groups; a count is a part of one other at the most.
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
        self._counts[first] = GameCount(len(cells), first, most, tuple(parts))
        self._last = first + most - 1

    def __getitem__(self, first: int) -> GameCount:
        if 1 <= first <= self._size:
            return GameCount(1, first, 1)
        if first not in self._counts:
            raise self._wrong(f"{first} is neither a cell nor a count")
        return self._counts[first]

    def cells_of(self, first: int) -> set[int]:
        """Return the cells of the group ``first``, a cell or a count that is no part of another."""
        if 1 <= first <= self._size:
            return {first - 1}
        if first not in self._cells:
            known = first in self._counts
            fault = f"count {first} is a part of another one"
            raise self._wrong(fault if known else f"{first} is neither a cell nor a count")
        return self._cells[first]
