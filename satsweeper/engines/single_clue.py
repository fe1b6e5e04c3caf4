"""Two engines on single clues: the two rules alone, and the rules after one assumption.

A clue whose mines are all known makes its other cells safe; a clue that needs all its cells makes
these cells mines.

Promise of `single_clue`: sound, fast at any size, incomplete. The engine never combines two clues
and never uses the total, so it misses ``1 2 1`` along a wall. It detects a contradiction only if
the decided cells leave some clue with too many mines or too few cells, and it can report a board as
consistent only if it has decided every cell.

`assumption` assumes that a cell is a mine, then that the cell is safe. An assumption from which the
rules derive a contradiction proves the opposite value; this is repeated until no assumption is
refuted. The method is failed-literal probing on the direct encoding of the clues. Promise: sound,
polynomial, stronger than `single_clue`, incomplete. The engine misses verdicts that need two
assumptions at once, a cell that is a mine in both cases of another cell, and verdicts that need the
total.
"""

from collections.abc import Sequence

from satsweeper.answers.classification import Classification
from satsweeper.answers.options import Options
from satsweeper.engines.parts.position_sums import CellSum, PositionSums
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline


class Propagation:
    """Propagation by the two rules, one cell at a time, with backtracking.

    A sum that needs no more mines makes its other cells safe; a sum that needs all its cells makes
    these cells mines. A sum with a need below 0 or above its undecided cells is a contradiction.
    ``decided``: the decided cells, True for a mine; ``trail``: these cells in order of decision.
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
        """Undo the decisions made after the trail had ``length`` cells."""
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
                    # The opposite value holds in every layout; it stays decided, with its
                    # consequences.
                    if not state.assume(cell, not mine):
                        return sums.inconsistent()
                    refuted = True
                    break
    return sums.answer(state.decided, complete=False)
