"""The layouts that a game's proof shows, each kept as long as it fits what has been opened."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Shown(NamedTuple):
    """Mines, and cells that are left open: any of them may hold what the total still lacks."""

    mines: int
    free: int

    def fits(self, around: int, clue: int) -> bool:
        """Whether a clue counts its neighbours right, and none of them is left open."""
        return not self.free & around and (self.mines & around).bit_count() == clue


class Layouts:
    """Layouts of a position; bit boards."""

    def __init__(self, total: int | None) -> None:
        self._total = total
        self._shown: list[Shown] = []

    def add(self, layout: Shown, clues: Iterable[tuple[int, int, int]]) -> None:
        """Keep a layout if it fits the total and all clues: cell, neighbours, number."""
        if self._possible(layout) and all(
            not layout.mines & cell and layout.fits(around, clue) for cell, around, clue in clues
        ):
            self._shown.append(layout)

    def open(self, cell: int, around: int, clue: int) -> None:
        """Drop what a newly opened cell contradicts."""
        kept = []
        for layout in self._shown:
            layout = layout._replace(free=layout.free & ~cell)
            if not layout.mines & cell and layout.fits(around, clue) and self._possible(layout):
                kept.append(layout)
        self._shown = kept

    def put(self, mine: int) -> None:
        """Drop what has no mine where one is given."""
        moved = [each for each in self._shown if (each.mines | each.free) & mine]
        moved = [Shown(each.mines | mine, each.free & ~mine) for each in moved]
        self._shown = [each for each in moved if self._possible(each)]

    def both_ways(self, covered: int) -> int:
        """The covered cells that are a mine in one layout, and safe in another."""
        mine = safe = 0
        for layout in self._shown:
            left = self._left(layout)
            mine |= layout.mines
            safe |= covered & ~(layout.mines | layout.free)
            if left is None or left > 0:
                mine |= layout.free
            if left is None or left < layout.free.bit_count():
                safe |= layout.free
        return mine & safe & covered

    def _possible(self, layout: Shown) -> bool:
        left = self._left(layout)
        return left is None or 0 <= left <= layout.free.bit_count()

    def _left(self, layout: Shown) -> int | None:
        return None if self._total is None else self._total - layout.mines.bit_count()
