"""Boards that players know by name, for all commands and pages that take a board."""

from typing import Final

from pbcnf.wording import unknown_name
from satsweeper.board.size import FORM, BoardSize

PRESETS: Final = {
    "beginner": BoardSize(9, 9, 10),
    "intermediate": BoardSize(16, 16, 40),
    "expert": BoardSize(16, 30, 99),
    "insane": BoardSize(21, 78, 450),
}
"""Name -> board: the three boards that players know by name, and danamlund's largest."""


def board_named(text: str) -> BoardSize:
    """A board by its size, as ``30x16/99``, or by its name.

    Raises:
        ValueError: no such board; one line that lists the known names.

    >>> str(board_named("expert"))
    '30x16/99'
    """
    if text in PRESETS:
        return PRESETS[text]
    if not text[:1].isdigit():
        raise ValueError(unknown_name("board", text, PRESETS, f", and {FORM}"))
    return BoardSize.parse(text)
