"""The numbered boards, 0 to 3, as danamlund's minesweeper counts them."""

from typing import Final

from satsweeper.board.size import BoardSize

LEVELS: Final = {
    "beginner": BoardSize(8, 8, 10),
    "normal": BoardSize(16, 16, 40),
    "expert": BoardSize(16, 30, 99),
    "insane": BoardSize(21, 78, 450),
}
"""By name, in the order of their numbers. Its page says of the first that it has 40 mines, and
counts them from 1; its program has 10 mines there, and counts from 0."""
