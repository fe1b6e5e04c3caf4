"""Boards that need no guess: layouts changed where a player would have to, and then proved."""

from collections.abc import Callable
from hashlib import shake_256
from typing import Final

from satsweeper.board.codes import Cell
from satsweeper.board.geometry import Square
from satsweeper.board.layout import Layout
from satsweeper.board.planes import board_of, indices
from satsweeper.board.size import BoardSize
from satsweeper.play.draw import FirstClick, draw_layout, promised
from satsweeper.play.generation.board import ProvedMove, Strength
from satsweeper.play.kernel.certain import COMPLETE, EXPLODED, SINGLE_CLUE, SUBSET, UNSAFE, WON
from satsweeper.play.kernel.grid import UNKNOWN, octets
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
from satsweeper.play.scratch import lend_scratch, numbers_of

_SLICE: Final = 50
"""The number of changes that one call of ``repair`` may make."""
_SLICES: Final = 40
"""The most calls of ``repair`` for one layout."""

_LOGIC: Final = {
    Strength.SINGLE_CLUE: SINGLE_CLUE,
    Strength.SUBSET: SUBSET,
    Strength.COMPLETE: COMPLETE,
}
_STRENGTH: Final = {code: strength for strength, code in _LOGIC.items()}


def first_without_guess(
    board: BoardSize,
    first: Cell,
    safe: FirstClick,
    strength: Strength,
    total: bool,
    words: str,
    budget: int,
    going_on: Callable[[], object],
) -> tuple[Layout, tuple[ProvedMove, ...], int, int] | None:
    """The first drawn layout that could be repaired; None if ``budget`` layouts could not.

    ``words`` and the number of the attempt draw each layout. ``first`` is the first cell, ``safe``
    its promise; the other arguments are those of ``generate``. The result is the layout, the moves
    of the proof, the number of attempts and the number of changes of the last attempt.
    """
    geometry, logic = Square(board.rows, board.columns), _LOGIC[strength]
    start = first[0] * board.columns + first[1]
    with lend_scratch(board.rows, board.columns) as scratch:
        # ``cells``: the codes of what is known during play. ``kept``: 1 for cells that the first
        # click keeps without mines.
        cells, kept = octets(scratch.cells), octets(scratch.cells)
        cells.fill(UNKNOWN)
        for index in indices(promised(safe, geometry, geometry.index(first)), geometry.size):
            row, column = geometry.cell(index)
            kept[row * board.columns + column] = 1
        room = scratch.repair
        for attempt in range(budget):
            drawn = f"{words} attempt {attempt}"
            numbers = numbers_of(draw_layout(board, first, safe, drawn))
            going_on()
            digest = shake_256(f"{drawn} changes".encode()).digest(16)
            for i in range(2):
                # Both generators of ``repair`` take every state from 1 to 2147483398.
                part = int.from_bytes(digest[8 * i : 8 * i + 8], "little")
                room.draw[i] = part % 2147483398 + 1
            room.spent.fill(0)
            # After each slice of changes ``going_on`` is called, so that signals are answered. A
            # layout that is still PAUSED after the last slice is given up.
            for _ in range(_SLICES):
                done = repair(
                    scratch.grid, numbers, cells, board.mines, start, kept, logic, total,
                    scratch.moves, scratch.certain, room, _SLICE,
                )  # fmt: skip
                if done == UNSAFE:
                    raise AssertionError(f"{drawn}: a cell that was proved to be safe is a mine")
                if done != PAUSED:
                    break
                going_on()
            if done != WON:
                continue
            # The layout was solved in one play without a change, so ``prove`` finds the clues of
            # every move in another play from the start.
            done = prove(
                scratch.grid, numbers, cells, board.mines, start, logic, total, scratch.log,
                scratch.question, scratch.certain, scratch.moves.work, scratch.reasons,
            )  # fmt: skip
            if done != PROVED:
                raise AssertionError(f"{board}: what was solved is not proved")
            mines = [
                geometry.index(divmod(at, board.columns))
                for at, number in enumerate(numbers.tolist())
                if number == EXPLODED
            ]
            layout = Layout(geometry, board_of(mines, geometry.size))
            changes = int(room.spent[CHANGES])
            return layout, _moves(scratch.log, board.columns), attempt + 1, changes
    return None


def _moves(proof: MoveLog, columns: int) -> tuple[ProvedMove, ...]:
    """The moves of a log.

    The log has the cells of all moves in one array and the clues in another; each move has the ends
    of its parts.
    """
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
