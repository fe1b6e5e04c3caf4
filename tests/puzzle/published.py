"""Published answers: positions of 4x4 cells, and numbers of layouts of empty boards.

Both were counted by hand-written brute force over all layouts, apart from this project.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

DATA = Path(__file__).parents[1] / "data" / "variants"


class Worked(NamedTuple):
    """A position: its layouts, and in how many of them each covered cell is a mine.

    ``answers``, a letter a cell: ``s`` safe, ``m`` mine, ``?`` both, ``=`` an opened cell.
    """

    rule: str
    mines: int
    rows: list[str]
    layouts: int
    answers: str
    mined: list[int]

    @property
    def text(self) -> str:
        return f"rules: {self.rule}\nmines: {self.mines}\n" + "\n".join(self.rows) + "\n"

    @property
    def verdicts(self) -> str:
        """The verdicts of the covered cells, as commands print them."""
        return self.answers.replace("=", "").upper()


class Empty(NamedTuple):
    """The numbers of layouts under a rule of layouts, and those with 0, 1, 2 ... mines.

    ``four_by_mines`` is empty where only the sum is known.
    """

    rule: str
    three: list[int]
    four: int
    four_by_mines: list[int]


def _fields(name: str) -> Iterator[list[str]]:
    for line in (DATA / name).read_text("utf-8").splitlines():
        if not line.startswith(";"):
            yield [field.strip() for field in line.split("|")]


def _numbers(text: str) -> list[int]:
    return [*map(int, text.split())]


WORKED = [
    Worked(rule, int(mines), rows.split(" / "), int(layouts), answers.replace("/", ""),
           _numbers(mined))
    for rule, mines, rows, layouts, answers, mined in _fields("worked.txt")
]  # fmt: skip
EMPTY = [
    Empty(rule, _numbers(three), int(four), _numbers(by_mines))
    for rule, three, four, by_mines in _fields("empty.txt")
]

RING = {
    "W": "0:1 1:8 2:8 3:8 4:8 5:8 6:8 7:8 8:1 11:20 12:32 13:24 14:16 15:8 22:12 23:16 24:8 33:4"
    " 111:16 112:24 113:8 122:8 1111:2",
    "P": "0:1 1:57 2:140 3:56 4:2",
    "M": "0:1 1:4 2:10 3:20 4:31 5:40 6:44 7:40 8:31 9:20 10:10 11:4 12:1",
    "N": "0:70 1:112 2:56 3:16 4:2",
    "2M": "0:85 1:86 2:85",
    "2X": "00:1 01:8 02:12 03:8 04:2 11:16 12:48 13:32 14:8 22:36 23:48 24:12 33:16 34:8 44:1",
    "V": "0:1 1:8 2:28 3:56 4:70 5:56 6:28 7:8 8:1",
}
"""Rule of clues -> each text of an inner cell, with its share of the 256 layouts of the ring."""
