"""Boards that need no guess: layouts changed where a player would have to, and then proved."""

from collections.abc import Callable
from hashlib import shake_256
from typing import Final, NamedTuple

from satsweeper.board.codes import Cell
from satsweeper.board.geometry import Square
from satsweeper.board.layout import Layout
from satsweeper.board.planes import board_of, indices
from satsweeper.board.size import BoardSize
from satsweeper.play.draw import FirstClick, draw_layout, promised
from satsweeper.play.generation.board import ProvedMove, Strength
from satsweeper.play.kernel.certain import EXPLODED, UNSAFE, WON
from satsweeper.play.kernel.grid import UNKNOWN, Bytes, octets
from satsweeper.play.kernel.logic_closure import COMPLETE, SINGLE_CLUE, SUBSET
from satsweeper.play.kernel.proof import (
    BY_TOTAL,
    CELLS_END,
    CLUES_END,
    IRREDUCIBLE,
    LOGIC,
    MOVES,
    PROVED,
    MoveLog,
    prove,
)
from satsweeper.play.kernel.repair import CHANGES, PAUSED, repair
from satsweeper.play.scratch import Scratch, lend_scratch, numbers_of

_SLICE: Final = 50
"""The number of changes made at a time; signals are answered between two slices."""
_SLICES: Final = 40
"""The most slices of changes of a layout."""

_LOGIC: Final = {
    Strength.SINGLE_CLUE: SINGLE_CLUE,
    Strength.SUBSET: SUBSET,
    Strength.COMPLETE: COMPLETE,
}
_STRENGTH: Final = {code: strength for strength, code in _LOGIC.items()}


class NoGuessLayout(NamedTuple):
    """A layout that needs no guess, its proof, and the numbers of attempts and changes."""

    layout: Layout
    moves: tuple[ProvedMove, ...]
    attempts: int
    changes: int


def first_without_guess(
    board: BoardSize,
    first: Cell,
    safe: FirstClick,
    strength: Strength,
    total: bool,
    words: str,
    budget: int,
    going_on: Callable[[], object],
) -> NoGuessLayout | None:
    """The first drawn layout that could be repaired; None if ``budget`` layouts could not.

    ``words`` and the number of the attempt draw each; the others are those of ``generate``.
    """
    with lend_scratch(board.rows, board.columns) as scratch:
        repairer = _Repairer(scratch, board, first, safe, _LOGIC[strength], total)
        for attempt in range(budget):
            drawn = f"{words} attempt {attempt}"
            numbers = numbers_of(draw_layout(board, first, safe, drawn))
            going_on()
            if repairer.repaired(numbers, drawn, going_on):
                moves = repairer.proved(numbers)
                changes = int(scratch.repair.spent[CHANGES])
                return NoGuessLayout(_layout(numbers, board), moves, attempt + 1, changes)
    return None


class _Repairer:
    """The requirements on a board, and the scratch to repair layouts until they hold."""

    def __init__(
        self,
        scratch: Scratch,
        board: BoardSize,
        first: Cell,
        safe: FirstClick,
        logic: int,
        total: bool,
    ) -> None:
        self.scratch = scratch
        self.board = board
        self.first = first[0] * board.columns + first[1]
        self.logic = logic
        self.total = total
        self.cells = octets(scratch.cells)
        self.cells.fill(UNKNOWN)
        geometry = Square(board.rows, board.columns)
        self.kept = octets(scratch.cells)
        for index in indices(promised(safe, geometry, geometry.index(first)), geometry.size):
            row, column = geometry.cell(index)
            self.kept[row * board.columns + column] = 1

    def repaired(self, numbers: Bytes, words: str, going_on: Callable[[], object]) -> bool:
        """Change a layout until it needs no guess; return False if that failed."""
        scratch, cells = self.scratch, self.cells
        room = scratch.repair
        digest = shake_256(f"{words} changes".encode()).digest(16)
        for i in range(2):
            # Both generators take anything from 1 to 2147483398.
            part = int.from_bytes(digest[8 * i : 8 * i + 8], "little")
            room.draw[i] = part % 2147483398 + 1
        room.spent.fill(0)
        for _ in range(_SLICES):
            done = repair(
                scratch.grid,
                numbers,
                cells,
                self.board.mines,
                self.first,
                self.kept,
                self.logic,
                self.total,
                scratch.moves,
                scratch.certain,
                room,
                _SLICE,
            )
            if done == UNSAFE:
                raise AssertionError(f"{words}: a cell that was proved to be safe is a mine")
            if done != PAUSED:
                return done == WON
            going_on()
        return False

    def proved(self, numbers: Bytes) -> tuple[ProvedMove, ...]:
        """The proof of a layout that needs no guess."""
        scratch = self.scratch
        done = prove(
            scratch.grid,
            numbers,
            self.cells,
            self.board.mines,
            self.first,
            self.logic,
            self.total,
            scratch.log,
            scratch.question,
            scratch.certain,
            scratch.moves.work,
            scratch.reasons,
        )
        if done != PROVED:
            raise AssertionError(f"{self.board}: what was solved is not proved")
        return _moves(scratch.log, self.board.columns)


def _moves(proof: MoveLog, columns: int) -> tuple[ProvedMove, ...]:
    moves = proof.moves.tolist()[: proof.made[MOVES]]
    if not moves:
        return ()
    cells = [divmod(cell, columns) for cell in proof.cells.tolist()[: moves[-1][CELLS_END]]]
    clues = [divmod(cell, columns) for cell in proof.clues.tolist()[: moves[-1][CLUES_END]]]
    found, cell, clue = [], 0, 0
    for move in moves:
        found.append(
            ProvedMove(
                cells=tuple(sorted(cells[cell : move[CELLS_END]])),
                clues=tuple(sorted(clues[clue : move[CLUES_END]])),
                total=bool(move[BY_TOTAL]),
                logic=_STRENGTH[move[LOGIC]],
                irreducible=bool(move[IRREDUCIBLE]),
            )
        )
        cell, clue = move[CELLS_END], move[CLUES_END]
    return tuple(found)


def _layout(numbers: Bytes, board: BoardSize) -> Layout:
    """The layout of an array of numbers: a mine wherever EXPLODED stands."""
    geometry = Square(board.rows, board.columns)
    shown = enumerate(numbers.tolist())
    mines = [geometry.index(divmod(at, board.columns)) for at, n in shown if n == EXPLODED]
    return Layout(geometry, board_of(mines, geometry.size))
