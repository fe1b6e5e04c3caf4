"""Inputs of a game's proof: clauses that the board justifies, judged by arithmetic.

An input is a clause of cells, which one clue implies; or of counts, which sums of cells imply; or
of the total. Nothing is encoded a second time: what must be refuted is that all literals of a
clause are false, and that leaves a number of mines between two bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from pbcnf.proof.format_error import ProofFormatError


class GameCount(NamedTuple):
    """A group of ``size`` cells, and variables that say "at least 1, 2, ..., ``most`` are mines".

    ``first``: the first of these variables; the others follow it.
    ``parts`` are the groups of which it is made: cells or counts, by their first variable.
    """

    size: int
    first: int
    most: int
    parts: tuple[int, ...] = ()


def follows_from_cells(clause: Iterable[int], safe: int, mines: int) -> bool:
    """Whether a known cell satisfies ``clause``; ``safe`` and ``mines`` are bit boards."""
    known = mines, safe
    return any(known[lit < 0] >> abs(lit) - 1 & 1 for lit in clause)


def follows_from_clue(clause: Iterable[int], covered: int, safe: int, clue: int) -> bool:
    """Whether every layout of the cells around a clue satisfies a clause.

    Args:
        clause: over variables of cells; the variable of a cell is its bit plus 1.
        covered: the neighbours that may be mines, as a bit board.
        safe: the cells that are known to be safe.
        clue: how many of ``covered`` are mines.
    """
    # To falsify the clause, cells of negative literals must be mines, those of positive ones safe.
    must_hold, must_not = 0, 0
    for lit in clause:
        bit = 1 << abs(lit) - 1
        if bit & safe:
            if lit < 0:
                return True
        elif not bit & covered:
            return False
        elif lit < 0:
            must_hold |= bit
        else:
            must_not |= bit
    if must_hold & must_not:
        return True
    # All literals are false with these mines and these safe cells, and any others.
    least = must_hold.bit_count()
    return not least <= clue <= covered.bit_count() - must_not.bit_count()


def follows_from_counts(clause: Iterable[int], of: GameCount, parts: list[GameCount]) -> bool:
    """Whether a clause about a count and its parts holds whatever the parts hold."""
    ranges = _where_false(clause, [of, *parts])
    if ranges is None:
        return False
    # All literals false leave a range for the count and for each part. The count is the sum of its
    # parts, so ranges that do not meet contradict each other, and the clause holds.
    (least, most), *others = ranges
    return sum(low for low, _ in others) > most or sum(high for _, high in others) < least


def follows_from_range(clause: Iterable[int], of: GameCount, low: int, high: int) -> bool:
    """Whether a clause about a count holds when it is between two numbers."""
    ranges = _where_false(clause, [of])
    if ranges is None:
        return False
    ((least, most),) = ranges
    return max(least, low) > min(most, high)


def _where_false(clause: Iterable[int], counts: list[GameCount]) -> list[tuple[int, int]] | None:
    """Return the range of each count if all literals are false; None if a literal is no output."""
    ranges = [(0, count.size) for count in counts]
    for lit in clause:
        for at, count in enumerate(counts):
            # Variable first + k - 1 says "at least k": its negation limits the count to k - 1.
            least = abs(lit) - count.first + 1
            if 1 <= least <= count.most:
                low, high = ranges[at]
                ranges[at] = (max(low, least), high) if lit < 0 else (low, min(high, least - 1))
                break
        else:
            return None
    return ranges


class CountRegister:
    """The counts that a proof has introduced, by their first variable.

    Memory is linear in the statements of the proof.

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
