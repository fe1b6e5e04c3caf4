"""The size of a board as players write sizes: columns first, ``30x16/99`` for expert."""

import re
from typing import Final, NamedTuple

from satsweeper.board.codes import MAX_CELLS

FORM: Final = "COLUMNSxROWS/MINES"
_WORDS: Final = r"([0-9]{1,9})x([0-9]{1,9})/(?:([0-9]{1,9})|([0-9]{1,3}(?:\.[0-9]{1,9})?)%)"


def size_text(rows: int, columns: int) -> str:
    """The size without mines, columns first.

    >>> size_text(rows=16, columns=30)
    '30x16'
    """
    return f"{columns}x{rows}"


class BoardSize(NamedTuple):
    """Rows, columns and number of mines of a game; ``str`` writes and ``parse`` reads a size."""

    rows: int
    columns: int
    mines: int

    @classmethod
    def parse(cls, text: str) -> "BoardSize":
        """Read ``30x16/99``; the mines may be a share of the cells, as in ``30x16/20%``.

        Raises:
            ValueError: another form, no cells or too many, or more mines than cells; the message is
                one line.

        >>> BoardSize.parse("30x16/99")
        BoardSize(rows=16, columns=30, mines=99)
        """
        words = re.fullmatch(_WORDS, text)
        if words is None:
            raise ValueError(f"board {text!r}: {FORM} is needed, as 30x16/99")
        columns, rows = int(words[1]), int(words[2])
        cells = rows * columns
        if not cells:
            raise ValueError(f"board {text!r}: at least one column and one row")
        if cells > MAX_CELLS:
            raise ValueError(f"board {text!r}: its cells are {cells}, the limit is {MAX_CELLS}")
        mines = int(words[3]) if words[3] else round(float(words[4]) * cells / 100)
        if mines > cells:
            raise ValueError(f"board {text!r}: more mines than cells, {mines} and {cells}")
        return cls(rows, columns, mines)

    def __str__(self) -> str:
        return f"{size_text(self.rows, self.columns)}/{self.mines}"
