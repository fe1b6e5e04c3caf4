"""Nested sets of cells: if ``A`` is a subset of ``B``, the number of mines in ``B - A`` follows.

Every difference of nested sets becomes a new sum, until no new sum follows; the single-clue rules
are applied to all sums. The total, if known, is one more sum.

Promise: sound, incomplete. The closure of the clues under differences is computed completely and
stays small, because every derived set lies within a clue. The closure with the total is not: the
number of subsets that can be subtracted from the whole board grows exponentially, so smaller sets
come first, their number is limited, and a note says if the limit was reached. Overlapping sets of
which neither is a subset of the other are not used.
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
"""The most sums that are derived from the total."""
_MOST_CELLS: Final = 2_000_000
"""The most cells of all derived sums together."""
_CLUE: Final = 8
"""The number of cells of the largest clue; a larger set is derived from the total."""


class _ContradictionError(Exception):
    """A sum has no solution, or two sums of equal cells have different numbers."""


class _StoppedError(Exception):
    """The number of sums, or the time, ran out: the message is a note."""


class _DifferenceClosure:
    """Sums by their set of cells, closed under differences of nested sets.

    ``need``: the mines of each set. ``found``: the cells that single-clue rules decide, True for a
    mine.
    """

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
        # The second entry is unique, so that the heap never compares two sets.
        heappush(self._waiting, (len(cells), len(self.need), cells))

    def close(self) -> None:
        """Derive differences until nothing is new, in ascending order of size.

        Each set is compared with all sets taken before. Once a rule has decided a cell, sets
        derived from the total are not processed: the caller starts again with the decided cells
        removed.
        """
        while self._waiting:
            cells = heappop(self._waiting)[2]
            large = len(cells) > _CLUE
            if large and self.found:
                return
            if self._deadline.passed():
                raise _StoppedError("the time was over before all differences were derived")
            need = self.need[cells]
            # Nested sets share a cell, so for a small set only sets with a common cell are tested.
            # A large set shares cells with nearly every set and is compared with all of them.
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
            # Sums derived from the total are dropped; they are derived again if needed.
            sums = [each for each in closure.need.items() if len(each[0]) <= _CLUE]
    except _ContradictionError:
        return board.inconsistent()
    except _StoppedError as stopped:
        notes = [str(stopped)]
    return board.answer(decided, False, notes)


def _without(cells: frozenset[int], need: int, decided: Mapping[int, bool]) -> CellSum:
    gone = [cell for cell in cells if cell in decided]
    return cells.difference(gone), need - sum(decided[cell] for cell in gone)
