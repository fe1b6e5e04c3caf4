"""The layouts that a game's proof shows, each kept as long as it fits what has been opened.

Of a layout its mines among the covered cells next to a clue are kept, and nothing else. The other
covered cells are *free*: no clue counts them, so any of them may hold what the total still lacks.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

Mines = frozenset[int]
"""Cells by number, not a bit board: of a large board a proof may show many layouts of few mines."""


class Room(NamedTuple):
    """A layout has ``least`` to ``most`` mines next to clues, and the free cells have the others.

    With ``least`` of them every free cell is a mine, with ``most`` of them every one is safe.
    """

    least: int
    most: int


class Layouts:
    """The layouts of one position."""

    def __init__(self) -> None:
        self._shown: set[Mines] = set()

    def __len__(self) -> int:
        return len(self._shown)

    def add(self, mines: Mines, room: Room) -> None:
        """Keep a layout that fits all clues, if the total has room for it."""
        if room.least <= len(mines) <= room.most:
            self._shown.add(mines)

    def clear(self) -> None:
        """Drop all layouts: none says what a cell holds that a clue counts from now on."""
        self._shown = set()

    def open(self, cell: int, around: Collection[int], mines: int, room: Room) -> None:
        """Keep the layouts in which ``cell`` is safe and has ``mines`` mines among ``around``."""

        def fits(shown: Mines) -> bool:
            return cell not in shown and sum([each in shown for each in around]) == mines

        self._keep(fits, room)

    def put(self, cell: int, counted: bool, room: Room) -> None:
        """Keep the layouts that have a mine in ``cell``, which is not counted with them any more.

        Args:
            cell: a cell that is now known to be a mine.
            counted: whether it is next to a clue; if not, it was free.
            room: what the total leaves from now on.
        """
        if counted:
            self._shown = {shown - {cell} for shown in self._shown if cell in shown}
        self._keep(lambda shown: True, room)

    def ways(self, room: Room) -> tuple[Mines, Mines, bool, bool]:
        """Cells next to clues that are a mine in some layout, and in all; then of the free cells,
        whether each is a mine in some layout, and whether each is safe in some.

        There must be a layout.
        """
        some, every = Mines().union(*self._shown), Mines.intersection(*self._shown)
        sizes = {len(shown) for shown in self._shown}
        return some, every, min(sizes) < room.most, max(sizes) > room.least

    def _keep(self, fits: Callable[[Mines], bool], room: Room) -> None:
        least, most = room
        self._shown = {each for each in self._shown if least <= len(each) <= most and fits(each)}
