"""Scratch for games: arrays that are made once for a size of board, and lent to one game each."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

from satsweeper.play.kernel.arrays import Floats, floats
from satsweeper.play.kernel.certain import Moves, room_for_moves
from satsweeper.play.kernel.chances import Work
from satsweeper.play.kernel.exact import Exact, room_for_exact
from satsweeper.play.kernel.forced import Asked, room_for_asked, room_for_reasons
from satsweeper.play.kernel.grid import Grid, grid_of
from satsweeper.play.kernel.proved import Proof, room_for_proof
from satsweeper.play.kernel.reach import Reach, room_for_reach
from satsweeper.play.kernel.repair import Repair, room_for_repair
from satsweeper.play.kernel.second import Second, room_for_second


@dataclass
class Scratch:
    """What is worked out of one position of a board of a size: made as it is needed."""

    rows: int
    columns: int

    @property
    def cells(self) -> int:
        """Cells of the board."""
        return self.rows * self.columns

    @cached_property
    def grid(self) -> Grid:
        """The neighbours."""
        return grid_of(self.rows, self.columns)

    @cached_property
    def moves(self) -> Moves:
        """For certain moves and chances."""
        return room_for_moves(self.cells)

    @cached_property
    def chances(self) -> Floats:
        """Of a mine in each cell."""
        return floats(self.cells)

    @cached_property
    def second(self) -> Second:
        """For looking one move ahead."""
        return room_for_second(self.cells, self.moves.work)

    @cached_property
    def repair(self) -> Repair:
        """For changing a layout where it needs a guess."""
        return room_for_repair(self.cells)

    @cached_property
    def reach(self) -> Reach:
        """For what is certain."""
        return room_for_reach(self.cells)

    @cached_property
    def proof(self) -> Proof:
        """For the proof that a layout needs none."""
        return room_for_proof(self.cells, _CLUES * self.cells)

    @cached_property
    def asked(self) -> Asked:
        """For the questions of a proof."""
        return room_for_asked(self.cells)

    @cached_property
    def reasons(self) -> Work:
        """For their answers."""
        return room_for_reasons(self.cells)

    def exact(self, layouts: int) -> Exact:
        """For a tree over at most so many layouts."""
        room = self._exact.get(layouts)
        if room is None:
            self._exact.clear()
            room = self._exact[layouts] = room_for_exact(self.cells, layouts)
        return room

    @cached_property
    def _exact(self) -> dict[int, Exact]:
        return {}


_FREE: dict[tuple[int, int], list[Scratch]] = {}
_CLUES = 200
"""Clues of a whole proof by cell of the board: there is a move for each at the most."""
_KEPT = 4
"""Sizes of boards whose scratch is kept."""


@contextmanager
def lend_scratch(rows: int, columns: int) -> Iterator[Scratch]:
    """Scratch that nobody else has, for as long as the block runs."""
    free = _FREE.setdefault((rows, columns), [])
    scratch = free.pop() if free else Scratch(rows, columns)
    try:
        yield scratch
    finally:
        free.append(scratch)
        while len(_FREE) > _KEPT:
            del _FREE[next(iter(_FREE))]
