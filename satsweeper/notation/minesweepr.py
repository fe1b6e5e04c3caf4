"""The ASCII boards of minesweepr (github.com/mrgriscom/minesweepr): the player's view.

A row a line: ``x`` covered, ``.`` (or ``0``) an opened cell without mines around, digits, ``*`` a
known mine, read and written as a flag. There is no total: minesweepr takes the total separately.

>>> read(".2x\\n.2*\\n", "b.txt").reading.cells.tolist()
[[0, 2, -1], [0, 2, -2]]
"""

from typing import Final

from satsweeper.board.codes import COVERED, FLAG, MAX_CELLS
from satsweeper.board.size import size_text
from satsweeper.notation.error import BoardError
from satsweeper.notation.grid import Alphabet, content, grid, nothing_more
from satsweeper.notation.record import Record, checked
from satsweeper.notation.solution import HIDDEN, MINE
from satsweeper.notation.symbols import DIGITS, to_text

_ALPHABET: Final = Alphabet(
    {**DIGITS, ".": 0, "x": COVERED, "*": FLAG}, "a cell is x (covered), . or 0-8, * (mine)"
)


def read(data: bytes | str, source: str) -> Record:
    """Read a board of minesweepr; raises ``BoardError``."""
    lines = [(number, line.strip(" \t")) for number, line in content(data, source)]
    rows = next((i for i, (_, line) in enumerate(lines) if not line), len(lines))
    columns = len(lines[0][1])
    if rows * columns > MAX_CELLS:
        what = f"{size_text(rows, columns)} cells: the limit is {MAX_CELLS}"
        raise BoardError(source, message=what)
    padded = grid(lines, rows, columns, _ALPHABET, source)
    nothing_more(lines[rows:], source)
    return checked(Record(padded, columns), lines[0][0], source)


def write(record: Record) -> bytes:
    """Return the rows; ``0`` in place of ``.`` if no cell is covered.

    Without any ``x`` the file would be taken for the text format, in which ``.`` is covered.
    """
    zero = "." if HIDDEN in record.padded else "0"
    return record.padded.translate(to_text({0: zero, HIDDEN: "x", MINE: "*"}))
