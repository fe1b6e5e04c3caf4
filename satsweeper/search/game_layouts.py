"""The layouts that a proof has shown so far, as its writer keeps them."""

from __future__ import annotations

from collections.abc import Collection


class GameLayouts:
    """Layouts of a position, mines and cells left open, as sets of variables."""

    def __init__(self, total: int | None) -> None:
        self._total = total
        self._kept: list[tuple[set[int], set[int]]] = []

    def __len__(self) -> int:
        return len(self._kept)

    def add(self, mines: set[int], free: set[int]) -> None:
        """Keep a layout of all clues, if it fits the total too."""
        if self._fits(mines, free):
            self._kept.append((mines, free))

    def open(self, variable: int, around: Collection[int], clue: int) -> None:
        """Drop what a newly opened cell contradicts."""
        kept = []
        for mines, free in self._kept:
            fits = variable not in mines and free.isdisjoint(around)
            if fits and sum(v in mines for v in around) == clue:
                free = free - {variable}
                if self._fits(mines, free):
                    kept.append((mines, free))
        self._kept = kept

    def shows(self, variable: int, mine: bool) -> bool:
        """Whether a layout has the cell as a mine, or safe."""
        for mines, free in self._kept:
            if variable in free:
                left = None if self._total is None else self._total - len(mines)
                if left is None or (left > 0 if mine else left < len(free)):
                    return True
            elif (variable in mines) is mine:
                return True
        return False

    def _fits(self, mines: set[int], free: set[int]) -> bool:
        return self._total is None or 0 <= self._total - len(mines) <= len(free)
