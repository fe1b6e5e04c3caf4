"""Two engines on single clues: the two rules alone, and the rules after one assumption.

A clue that is met makes its other cells safe; one that needs all its cells makes them mines.

Promise of `single_clue`: sound, fast at any size, incomplete. It never compares two clues and never
uses the total, so it misses ``1 2 1`` along a wall. It sees a contradiction only if some clue, by
what was decided before, has too many mines around it or too few cells; that a board is consistent
it can say only when it has decided every cell.

`assumption` assumes that a cell is a mine, then that it is safe: an assumption that leads the rules
to a contradiction proves the other value; so on, until no assumption is refuted. This is
failed-literal probing on the direct encoding of the clues. Promise: sound, polynomial, stronger
than `single_clue`, incomplete. It misses what needs two assumptions at once, a cell that is a mine
in both cases of another cell, and whatever needs the total.
"""

from collections.abc import Sequence

from satsweeper.answers.classification import Classification
from satsweeper.answers.options import Options
from satsweeper.engines.parts.position_sums import CellSum, PositionSums
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline


class Propagation:
    """Cells decided by the two rules, one at a time, with a way back.

    A sum that needs no more mines makes its other cells safe; one that needs all its cells makes
    them mines. A sum that needs fewer than no mines, or more than it has cells left, is a
    contradiction. ``decided`` says True for a mine; ``trail`` holds its cells in order.
    """

    def __init__(self, sums: Sequence[CellSum]) -> None:
        self.decided: dict[int, bool] = {}
        self.trail: list[int] = []
        self._cells = [sorted(cells) for cells, _ in sums]
        self._need = [need for _, need in sums]
        self._left = [len(cells) for cells, _ in sums]
        self._sums_of: dict[int, list[int]] = {}
        for i, cells in enumerate(self._cells):
            for cell in cells:
                self._sums_of.setdefault(cell, []).append(i)

    def close(self) -> bool:
        """Apply the rules to every sum until nothing changes; False for a contradiction."""
        return self._run(list(range(len(self._cells))))

    def assume(self, cell: int, mine: bool) -> bool:
        """Decide an undecided cell and apply the rules; False for a contradiction."""
        pending: list[int] = []
        self._decide(cell, mine, pending)
        return self._run(pending)

    def back_to(self, length: int) -> None:
        """Take back whatever was decided after the trail had this length."""
        while len(self.trail) > length:
            cell = self.trail.pop()
            mine = self.decided.pop(cell)
            for i in self._sums_of.get(cell, ()):
                self._left[i] += 1
                self._need[i] += mine

    def _decide(self, cell: int, mine: bool, pending: list[int]) -> None:
        self.decided[cell] = mine
        self.trail.append(cell)
        for i in self._sums_of.get(cell, ()):
            self._left[i] -= 1
            self._need[i] -= mine
            pending.append(i)

    def _run(self, pending: list[int]) -> bool:
        # Invariant: every sum that lost a cell since its last check is pending.
        while pending:
            i = pending.pop()
            need, left = self._need[i], self._left[i]
            if need < 0 or need > left:
                return False
            if left and need in (0, left):
                for cell in self._cells[i]:
                    if cell not in self.decided:
                        self._decide(cell, need > 0, pending)
        return True


def classify(position: Position, options: Options) -> Classification:
    """Apply both rules until nothing changes."""
    sums = PositionSums(position, options)
    state = Propagation(sums.clues)
    if not state.close():
        return sums.inconsistent()
    return sums.answer(state.decided, complete=False)


def by_assumptions(position: Position, options: Options) -> Classification:
    """Test both values of every cell next to a clue until nothing changes."""
    deadline = Deadline.after(options.timeout)
    sums = PositionSums(position, options)
    state = Propagation(sums.clues)
    if not state.close():
        return sums.inconsistent()
    frontier = sorted({cell for cells, _ in sums.clues for cell in cells})
    refuted = True
    while refuted:
        refuted = False
        for cell in frontier:
            if cell in state.decided:
                continue
            if deadline.passed():
                note = "the time was over before every cell was tested"
                return sums.answer(state.decided, complete=False, notes=[note])
            for mine in (True, False):
                before = len(state.trail)
                possible = state.assume(cell, mine)
                state.back_to(before)
                if not possible:
                    # The other value holds; what follows from it stays decided.
                    if not state.assume(cell, not mine):
                        return sums.inconsistent()
                    refuted = True
                    break
    return sums.answer(state.decided, complete=False)
