"""The setting of a share of games won: a board, a promise of the first click, and its cell."""

from dataclasses import dataclass
from typing import Final

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
