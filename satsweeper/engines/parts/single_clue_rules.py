"""The two single-clue rules on plain sums, one cell at a time, with a way back.

A sum that needs no more mines makes its other cells safe; one that needs all its cells makes them
mines. A sum that needs fewer than no mines, or more than it has cells left, is a contradiction.
"""

from collections.abc import Sequence

from satsweeper.engines.parts.cell_sums import Sum


class Propagation:
    """Cells decided so far, in the order of ``trail``; ``decided`` says True for a mine."""

    def __init__(self, sums: Sequence[Sum]) -> None:
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
