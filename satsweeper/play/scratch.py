"""Arrays for the kernel: scratch lent to one game at a time, and layouts as arrays."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

from satsweeper.board.geometry import Square
from satsweeper.board.layout import Layout
from satsweeper.board.planes import flat, indices
from satsweeper.play.kernel.certain import (
    EXPLODED,
    CertainCells,
    Moves,
    room_for_certain,
    room_for_moves,
)
from satsweeper.play.kernel.chances import Workspace
from satsweeper.play.kernel.clue_sets import ClueQuestion, room_for_question, room_for_reasons
from satsweeper.play.kernel.exact import Exact, room_for_exact
from satsweeper.play.kernel.grid import Adjacency, Bytes, Floats, floats, grid_of, numpy, octets
from satsweeper.play.kernel.learned import SecondMove, WinNetwork, room_for_second_move
from satsweeper.play.kernel.proof import MoveLog, room_for_move_log
from satsweeper.play.kernel.repair import Repair, room_for_repair
from satsweeper.play.kernel.second_safety import Candidates, room_for_candidates


@dataclass
class Scratch:
    """Arrays for one game on a board of ``rows`` by ``columns``, each made when first needed."""

    rows: int
    columns: int
    _exact: tuple[int, Exact] | None = None
    """The argument of the last call of ``exact`` that made scratch, and this scratch."""
    _second: tuple[WinNetwork, SecondMove] | None = None
    """The same of ``second_move``."""

    @property
    def cells(self) -> int:
        """The number of cells of the board."""
        return self.rows * self.columns

    @cached_property
    def grid(self) -> Adjacency:
        """The neighbours of each cell."""
        return grid_of(self.rows, self.columns)

    @cached_property
    def moves(self) -> Moves:
        """Scratch for certain moves and chances."""
        return room_for_moves(self.cells)

    @cached_property
    def chances(self) -> Floats:
        """The chance of a mine in each cell."""
        return floats(self.cells)

    @cached_property
    def candidates(self) -> Candidates:
        """Scratch for looking one move ahead."""
        return room_for_candidates(self.cells, self.moves.work)

    @cached_property
    def repair(self) -> Repair:
        """Scratch for changing a layout where a guess is needed."""
        return room_for_repair(self.cells)

    @cached_property
    def certain(self) -> CertainCells:
        """Room for cells that are found certain."""
        return room_for_certain(self.cells)

    @cached_property
    def log(self) -> MoveLog:
        """Room for the proof that a layout needs no guess."""
        return room_for_move_log(self.cells, _CLUES * self.cells)

    @cached_property
    def question(self) -> ClueQuestion:
        """Room for a question of a proof."""
        return room_for_question(self.cells)

    @cached_property
    def reasons(self) -> Workspace:
        """Scratch for answers to questions of a proof."""
        return room_for_reasons(self.cells)

    def exact(self, layouts: int) -> Exact:
        """Scratch for a tree over at most ``layouts`` layouts."""
        if self._exact is None or self._exact[0] != layouts:
            self._exact = layouts, room_for_exact(self.cells, layouts)
        return self._exact[1]

    def second_move(self, network: WinNetwork) -> SecondMove:
        """Scratch for looking two moves ahead by ``network``."""
        if self._second is None or self._second[0] is not network:
            self._second = network, room_for_second_move(self.cells, self.moves.work, network)
        return self._second[1]


_FREE: dict[tuple[int, int], list[Scratch]] = {}
_CLUES = 200
"""Room for the clues of a whole proof: this number times the cells of the board."""
_KEPT = 4
"""The number of sizes of boards whose scratch is kept."""


def numbers_of(layout: Layout) -> Bytes:
    """The clue of each cell of ``layout``, row by row; ``EXPLODED`` for a mine."""
    geometry = layout.geometry
    assert isinstance(geometry, Square)
    planes = (*layout.numbers, layout.mines)
    worth = (1, 2, 4, 8, EXPLODED)
    if numpy is None:
        numbers = octets(geometry.rows * geometry.columns)
        for plane, value in zip(planes, worth, strict=True):
            for index in indices(plane, geometry.size):
                row, column = geometry.cell(index)
                numbers[row * geometry.columns + column] += value
        return numbers
    b0, b1, b2, b3, mines = (flat(plane, geometry.size)[: geometry.size] for plane in planes)
    shown = b0 + 2 * b1 + 4 * b2 + 8 * b3 + EXPLODED * mines
    grid = shown.reshape(geometry.rows, geometry.stride)[:, : geometry.columns]
    shown_rows: Bytes = numpy.ascontiguousarray(grid, dtype="int8").reshape(-1)
    return shown_rows


@contextmanager
def lend_scratch(rows: int, columns: int) -> Iterator[Scratch]:
    """Lend scratch to the block, which alone uses the scratch until its end.

    Scratch is kept for the next block on a board of the same size.
    """
    free = _FREE.setdefault((rows, columns), [])
    scratch = free.pop() if free else Scratch(rows, columns)
    try:
        yield scratch
    finally:
        free.append(scratch)
        while len(_FREE) > _KEPT:
            del _FREE[next(iter(_FREE))]
