"""Sets of cells within one another: from ``A`` inside ``B`` follows how many mines ``B - A`` has.

Every such difference becomes a sum like those of the clues, until no new one follows; the
single-clue rules act on all of them. The total, if known, is one more sum.

Promise: sound, incomplete. Of the clues the closure is complete and stays small, for all it derives
lies within a clue. Of the total it is not: what can be taken away from the whole board grows
exponentially, so smaller sets come first, their number is limited, and a note says where the limit
was reached. Overlaps in which no set lies within the other are missed.
"""

from collections.abc import Collection, Iterable, Mapping
from heapq import heappop, heappush
from typing import Final

from satsweeper.answers.classification import Classification
from satsweeper.answers.options import Options
from satsweeper.engines.parts.position_sums import CellSum, PositionSums
from satsweeper.engines.parts.query_loop import OUT_OF_TIME
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline

MOST_WITH_TOTAL: Final = 5_000
"""Sums derived from the total, at the most."""
_MOST_CELLS: Final = 2_000_000
"""Cells of all derived sums together, at the most."""
_CLUE: Final = 8
"""Cells of the largest clue; a larger set stems from the total."""


class _ContradictionError(Exception):
    """A sum has no solution, or two sums of equal cells have different numbers."""


class _StoppedError(Exception):
    """The number of sums, or the time, ran out: the message is a note."""


class _DifferenceClosure:
    """Sums, and the differences that follow from them."""

    def __init__(self, deadline: Deadline) -> None:
        self.need: dict[frozenset[int], int] = {}
        self.found: dict[int, bool] = {}
        self.budget = 0
        """The number of sets with more cells than a clue that may still be added."""
        self._deadline = deadline
        self._waiting: list[tuple[int, int, frozenset[int]]] = []
        self._taken: list[frozenset[int]] = []
        self._with_cell: dict[int, list[frozenset[int]]] = {}

    def add(self, cells: frozenset[int], need: int) -> None:
        """Add a sum and apply the single-clue rules to it."""
        if not 0 <= need <= len(cells) or self.need.get(cells, need) != need:
            raise _ContradictionError
        if not cells or cells in self.need:
            return
        if len(cells) > _CLUE:
            if not self.budget:
                raise _StoppedError("the total was not compared with every set that clues lead to")
            self.budget -= 1
        self.need[cells] = need
        if need in (0, len(cells)):
            for cell in cells:
                if self.found.setdefault(cell, need > 0) != (need > 0):
                    raise _ContradictionError
        # The second entry is the order of arrival: sets of one size are never compared.
        heappush(self._waiting, (len(cells), len(self.need), cells))

    def close(self) -> None:
        """Derive differences until nothing is new. Small sets come first.

        Each set is compared with all sets before it. Sets that stem from the total wait once a
        rule has decided a cell.
        """
        while self._waiting:
            cells = heappop(self._waiting)[2]
            large = len(cells) > _CLUE
            if large and self.found:
                return
            if self._deadline.passed():
                raise _StoppedError("the time was over before all differences were derived")
            need = self.need[cells]
            # Of two sets one can lie in the other only if they share a cell; a large set shares
            # cells with nearly all.
            near: Collection[frozenset[int]] = self._taken
            if not large:
                near = {other for cell in cells for other in self._with_cell.get(cell, ())}
            for other in near:
                if other < cells:
                    self.add(cells - other, need - self.need[other])
                elif cells < other:
                    self.add(other - cells, self.need[other] - need)
            self._taken.append(cells)
            for cell in cells:
                self._with_cell.setdefault(cell, []).append(cells)


def classify(position: Position, options: Options) -> Classification:
    """Close the clues, then the clues and the total, under differences and single-clue rules."""
    deadline = Deadline.after(options.timeout)
    board = PositionSums(position, options)
    decided: dict[int, bool] = {}
    every = frozenset(board.variables)
    budget = min(MOST_WITH_TOTAL, _MOST_CELLS // max(len(every), 1))
    notes: list[str] = []
    sums: Iterable[CellSum] = board.clues
    try:
        while True:
            closure = _DifferenceClosure(deadline)
            for cells, need in sums:
                closure.add(*_without(cells, need, decided))
            closure.close()
            if not closure.found and board.total is not None:
                closure.budget = budget
                try:
                    closure.add(*_without(every, board.total, decided))
                    closure.close()
                except _StoppedError as stopped:
                    if not closure.found:
                        raise
                    notes = [str(stopped)]
                budget = closure.budget
            if not closure.found:
                break
            decided |= closure.found
            if options.tell is not None:
                options.tell(board.answer(decided, complete=False, notes=(OUT_OF_TIME,)))
            # What stems from the total is derived again, if at all.
            sums = [each for each in closure.need.items() if len(each[0]) <= _CLUE]
    except _ContradictionError:
        return board.inconsistent()
    except _StoppedError as stopped:
        notes = [str(stopped)]
    return board.answer(decided, False, notes)


def _without(cells: frozenset[int], need: int, decided: Mapping[int, bool]) -> CellSum:
    gone = [cell for cell in cells if cell in decided]
    return cells.difference(gone), need - sum(decided[cell] for cell in gone)
