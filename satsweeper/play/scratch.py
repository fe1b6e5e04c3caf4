"""Scratch for games: arrays that are made once for a size of board, and lent to one game each."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

from satsweeper.play.kernel.arrays import Floats, floats
from satsweeper.play.kernel.certain import Moves, room_for_moves
from satsweeper.play.kernel.chances import Workspace
from satsweeper.play.kernel.clue_sets import ClueQuestion, room_for_question, room_for_reasons
from satsweeper.play.kernel.exact import Exact, room_for_exact
from satsweeper.play.kernel.grid import Adjacency, grid_of
from satsweeper.play.kernel.logic_closure import CertainCells, room_for_certain
from satsweeper.play.kernel.move_log import MoveLog, room_for_move_log
from satsweeper.play.kernel.repair import Repair, room_for_repair
from satsweeper.play.kernel.second_safety import Candidates, room_for_candidates


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
    def grid(self) -> Adjacency:
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
    def candidates(self) -> Candidates:
        """For looking one move ahead."""
        return room_for_candidates(self.cells, self.moves.work)

    @cached_property
    def repair(self) -> Repair:
        """For changing a layout where it needs a guess."""
        return room_for_repair(self.cells)

    @cached_property
    def certain(self) -> CertainCells:
        """For what is certain."""
        return room_for_certain(self.cells)

    @cached_property
    def log(self) -> MoveLog:
        """For the proof that a layout needs none."""
        return room_for_move_log(self.cells, _CLUES * self.cells)

    @cached_property
    def question(self) -> ClueQuestion:
        """For the questions of a proof."""
        return room_for_question(self.cells)

    @cached_property
    def reasons(self) -> Workspace:
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
