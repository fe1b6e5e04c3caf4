"""A generated board for a person."""

from contextlib import suppress
from typing import Final

from pbcnf.wording import counted
from satsweeper.notation.error import CannotHoldError
from satsweeper.notation.formats import write_record
from satsweeper.play.generation.board import GeneratedBoard

_EVEN: Final = "all layouts that the first click allows are equally likely"
_MOVED: Final = "layouts are not equally likely: mines are moved where a guess would be needed"
_WINDOWS: Final = "layouts are not equally likely: a mine at the first click moves to the top left"


def sentence(board: GeneratedBoard) -> str:
    """What it is, and what the proof needs."""
    row, column = board.start
    said = f"{board.board}, first click {row},{column} ({board.first_click}), seed {board.seed}"
    if board.number:
        said += f", board {board.number}"
    if board.moves is None:
        return said
    needed = sum(move.total for move in board.moves)
    total = f"the total is needed for {needed}" if needed else "the total is never needed"
    return f"{said}: no guess, {counted(len(board.moves), 'move')}, {total}"


def lines(board: GeneratedBoard) -> list[str]:
    """The same, how such layouts are distributed, the layout, and its game ID."""
    spread = _EVEN if board.uniform else _WINDOWS if board.moves is None else _MOVED
    shown = [sentence(board), spread, *board.rows]
    # A large board has none.
    with suppress(CannotHoldError):
        shown.append(write_record(board.record("tatham"), "tatham").decode("ascii").strip())
    return shown
