"""A header that does not fit the board is told to be that, in every format that has one."""

import re
from random import Random

import pytest

from satsweeper.notation.error import BoardError
from satsweeper.notation.formats import read_record
from satsweeper.notation.text import read_text

WRONG = {
    "5 9 10\n" + 4 * "?????????\n": "1:1: the header says 5 rows, the board has 4",
    "4 9 10\n" + 4 * "????????\n": "1:3: the header says 9 columns, the board has 8",
    "9 9 10\n????????\n": "1:1: the header says 9 rows and 9 columns, the board has 1 and 8",
    "1 4 2\n??\n??\n": "1:1: the header says 1 row and 4 columns, the board has 2 and 2",
    # As players write it.
    "30 16 99\n" + 16 * (30 * "?" + "\n"): (
        "1:1: the header says 30 rows and 16 columns, the board has 16 and 30: rows come first"
    ),
    # Of the wrong size and with a wrong total: the size is said first.
    "9 9 ten\n" + 8 * "?????????\n": "1:1: the header says 9 rows, the board has 8",
    # Not a clue 9, nor a row of two cells.
    "9 9\n" + 9 * "?????????\n": "1:1: header '9 9': a header is 'rows columns mines', as",
    "2 4\n????\n????\n": "1:1: header '2 4': a header is 'rows columns mines', as",
    "9 9 10 1\n" + 9 * "?????????\n": "1:1: header '9 9 10 1': a header is 'rows columns",
    "8 4 ?\n???\n???\n": (
        "1:1: the header says 8 rows and 4 columns, the board has 2 and 3 (or, if that is a row:"
        " clue 8 with 2 covered and flagged neighbours: a clue is at most their number)"
    ),
    # Other formats.
    "3x2x1\nHHH\nHHH\nHHH\n": "4:1: the header says 2 rows, the board has 3",
    "3x1x1\nHH\n": "2:3: the header says 3 columns, the board has 2",
    "Minesweeper 3x2 grid with 1 mines\n...\n...\n...\n\nSolution encrypted with seed 1\n": (
        "4:1: the header says 2 rows, the board has 3"
    ),
    "# MINESWEEPER-BOARD v0.1\nrows: 1\ncolumns: 3\nmines: 1\n[view]\nUUU\nUUU\n": (
        "7:1: the header says 1 row, the board has 2"
    ),
    '{"schema": "satsweeper/board/1", "rows": 1, "columns": 3, "mines": 1, "grid": ["??"]}': (
        ": the board says 3 columns, grid has 2"
    ),
}


@pytest.mark.parametrize(("text", "said"), WRONG.items(), ids=range(len(WRONG)))
def test_what_the_header_says_and_what_the_board_has_is_told(text: str, said: str) -> None:
    with pytest.raises(BoardError, match=r"\S") as caught:
        read_record(text, "b")
    assert re.sub(r"^b:? ?", "", str(caught.value)).startswith(said.removeprefix(": "))


def test_no_header_of_the_wrong_size_is_a_wrong_clue() -> None:
    random = Random(1)
    for _ in range(3000):
        rows, columns = random.randint(1, 12), random.randint(1, 12)
        size = [rows + random.choice((-1, 0, 1, 4)), columns + random.choice((-1, 0, 1, 4))]
        total = random.choice(("?", "0", "3", "12", "99"))
        head = f"{size[0]} {size[1]} {total}"
        may_be_a_row = columns == 3 and all(word in "012345678?" for word in head.split())
        if size == [rows, columns] or may_be_a_row:
            continue
        with pytest.raises(BoardError, match=r"^b:1:[0-9]+: the header says [0-9]+ (row|column)"):
            read_text(f"{head}\n" + rows * (columns * "?" + "\n"), "b")
