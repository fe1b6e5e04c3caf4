"""The layouts that a game's proof shows, each kept as long as it fits what has been opened.

Kept are the mines of a layout among the covered cells next to a clue, and nothing else. The other
covered cells are *free*: no clue counts them, so what the total still lacks may be in any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

Mines = frozenset[int]
"""Cells by number, not a bit board: of a large board a proof may show many layouts of few mines."""


class Room(NamedTuple):
    """The ``least`` and ``most`` mines that the total allows next to clues.

    Free cells hold the rest of the total: with ``least`` each of them is a mine, with ``most`` each
    of them is safe.
    """

    least: int
    most: int


class Possible(NamedTuple):
    """The values of covered cells over all kept layouts."""

    mines_in_some: Mines
    """Cells next to clues that are mines in at least one layout."""
    mines_in_all: Mines
    """Cells next to clues that are mines in every layout."""
    free_mine: bool
    """Whether each free cell is a mine in some layout."""
    free_safe: bool
    """Whether each free cell is safe in some layout."""


class ShownLayouts:
    """The layouts that a proof has shown so far and that fit the present position."""

    def __init__(self) -> None:
        self._shown: set[Mines] = set()

    def __len__(self) -> int:
        return len(self._shown)

    def add(self, mines: Mines, room: Room) -> None:
        """Keep the layout with ``mines``, which fits all clues, if ``room`` allows their number."""
        if room.least <= len(mines) <= room.most:
            self._shown.add(mines)

    def clear(self) -> None:
        """Drop all layouts, as when a clue counts a cell whose value they do not fix."""
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

    def possible(self, room: Room) -> Possible:
        """Return the values of covered cells over the kept layouts; there must be a layout."""
        some, every = Mines().union(*self._shown), Mines.intersection(*self._shown)
        # Free cells are alike: if one of them can be a mine, or safe, each can.
        sizes = {len(shown) for shown in self._shown}
        return Possible(some, every, min(sizes) < room.most, max(sizes) > room.least)

    def _keep(self, fits: Callable[[Mines], bool], room: Room) -> None:
        least, most = room
        self._shown = {each for each in self._shown if least <= len(each) <= most and fits(each)}
