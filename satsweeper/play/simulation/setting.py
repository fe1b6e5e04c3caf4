"""The setting of a share of games won: a board, a promise of the first click, and its cell."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

from pbcnf.wording import unknown_name
from satsweeper.board.codes import Cell
from satsweeper.board.size import FORM, BoardSize
from satsweeper.play.draw import game_layout
from satsweeper.play.first_click import FirstClick

BOARDS: Final = {
    "beginner": BoardSize(9, 9, 10),
    "intermediate": BoardSize(16, 16, 40),
    "expert": BoardSize(16, 30, 99),
}
"""The boards that players have names for."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Games on a board with a common promise of the first click and a common first cell."""

    board: BoardSize
    first_click: FirstClick
    start: Cell

    def __str__(self) -> str:
        """The setting in words, for headings."""
        row, column = self.start
        return f"{self.board}, first click {self.first_click} at ({row}, {column})"

    def as_json(self) -> dict[str, Any]:
        """The entries of the setting in an object of JSON."""
        return {
            "board": str(self.board),
            "first_click": str(self.first_click),
            "start": list(self.start),
        }

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> Self:
        """Read what ``as_json`` wrote; KeyError, TypeError or ValueError for anything else."""
        row, column = found["start"]
        board, first_click = BoardSize.parse(found["board"]), FirstClick(found["first_click"])
        return cls(board, first_click, (int(row), int(column)))

    def check(self) -> None:
        """Raise ValueError, in one line, unless some layout allows this first click."""
        game_layout(self.board, self.start, self.first_click, 0, 0)


def board_named(text: str) -> BoardSize:
    """A board by its size, as ``30x16/99``, or by its name.

    Raises:
        ValueError: one line that says what there is.

    >>> str(board_named("expert"))
    '30x16/99'
    """
    if text in BOARDS:
        return BOARDS[text]
    if "/" not in text:
        raise ValueError(unknown_name("board", text, BOARDS, f", and {FORM}"))
    return BoardSize.parse(text)


def first_click_named(text: str) -> FirstClick:
    """Return the promise of the first click called ``name``; ValueError names the known ones."""
    if text not in list(FirstClick):
        raise ValueError(unknown_name("first click", text, FirstClick))
    return FirstClick(text)
