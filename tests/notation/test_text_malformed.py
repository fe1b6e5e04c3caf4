"""Every malformed board is refused with one line that names the place and what is allowed."""

import re
from pathlib import Path

import pytest

from satsweeper.notation.error import BoardError
from satsweeper.notation.text import read_text
from satsweeper.position import Position

FILES = Path(__file__).parents[1] / "data" / "malformed"

LINE_ENDS = ": a line ends with '\\n' or '\\r\\n'"
TOTALS = ": the total is 0 to 9, or ? for unknown"
CELLS = ": a cell is 0-8, ? (also # . H -) or F (also ! *)"
UTF8 = " is not UTF-8: boards are UTF-8 text"
REACH = "neighbours: a clue is at most their number"

MARKED = " the byte order mark announces"
ONE_CELL = " between separators: one cell is needed there, 0 if it is open and empty"
UNSURE = ": which of them is covered is not certain; ? is a covered cell, 0 an open one"
LAST = " must follow the last row, and nothing else"

SWAPPED = ": rows come first"

# File name without its suffix, and what follows the source in the error.
EXPECTED = {
    "empty": ": no rows: the file is empty",
    "blank_lines": ": no rows: only blank lines, comments and remarks",
    "only_comments": ": no rows: only blank lines, comments and remarks",
    "only_remarks": ": no rows: only blank lines, comments and remarks",
    "byte_order_mark_alone": ": no rows: the file is empty",
    "header_alone": ":1:1: no rows: a header and nothing below it",
    "row_too_short": ":3:3: row of 2 cells: every row has 3, as in line 2",
    "row_too_long": ":3:4: row of 4 cells: every row has 3, as in line 1",
    "row_too_short_for_header": ":2:3: row of 2 cells: every row has 3, by the header in line 1",
    "row_too_long_with_spaces": ":3:7: row of 4 cells: every row has 3, as in line 1",
    "unknown_character": ":2:2: unknown character 'x'" + CELLS,
    "clue_9": ":2:2: clue 9: a clue is 0 to 8",
    "arabic_digit": ":2:2: non-ASCII digit '٣': a clue is one of the ASCII digits 0 to 8",
    "superscript_digit": ":2:2: non-ASCII digit '²': a clue is one of the ASCII digits 0 to 8",
    "nul_byte": ":2:2: NUL byte '\\x00'" + CELLS,
    "escape_sequence": ":2:1: unknown character '\\x1b'" + CELLS,
    "form_feed": ":2:4: unknown character '\\x0c'" + CELLS,
    "no_break_space": ":2:2: unknown character '\\xa0'" + CELLS,
    "carriage_return_inside": ":1:4: carriage return '\\r' inside a line" + LINE_ENDS,
    "crlf_with_bad_character": ":3:2: unknown character 'x'" + CELLS,
    "byte_order_mark_inside": ":2:1: unknown character '\\ufeff'" + CELLS,
    "comment_behind_row": ":1:5: ';' after the beginning of a line: a comment is a line of its own",
    "remark_between_rows": ":2:3: unknown character 's'" + CELLS,
    "html": ":1:1: unknown character '<'" + CELLS,
    "clue_beyond_reach": ":3:2: clue 4 with 2 covered and flagged " + REACH,
    "clue_beyond_reach_with_header": ":3:7: clue 1 with 0 covered and flagged " + REACH,
    "lone_clue": ":1:1: clue 1 with 0 covered and flagged " + REACH,
    "clue_without_neighbours_first_of_two": ":2:1: clue 1 with 0 covered and flagged " + REACH,
    "more_mines_than_cells": ":1:5: 10 mines in 9 cells" + TOTALS,
    "endless_total": ":1:5: 99999999...(5000 characters) mines in 9 cells" + TOTALS,
    "negative_total": ":1:5: total '-2': the total is an integer or ? for unknown",
    "total_is_a_word": ":1:5: total 'two': the total is an integer or ? for unknown",
    "header_with_other_size": ":1:1: the header says 3 rows and 3 columns, the board has 2 and 4",
    "header_read_as_a_row": (
        ":1:1: the header says 4 rows and 4 columns, the board has 3 and 3 (or, if that is a row: "
        "clue 4 with 2 covered and flagged " + REACH + ")"
    ),
    "header_swapped": ":1:1: the header says 2 rows and 4 columns, the board has 4 and 2" + SWAPPED,
    "header_with_too_few_rows": ":1:1: the header says 16 rows, the board has 3",
    "header_of_zero_rows": ":1:1: the header says 0 rows and 30 columns, the board has 2 and 3",
    "huge_header": ":1:1: 1000000000x1000000000 cells: the limit is 100000000",
    "header_just_beyond_limit": ":1:1: 10000x10001 cells: the limit is 100000000",
    "endless_rows": ":1:1: 1x11111111...(5000 characters) cells: the limit is 100000000",
    "not_utf8": ":3:2: byte 0xff at offset 15" + UTF8,
    "latin1_comment": ":1:6: byte 0xe9 at offset 5" + UTF8,
    "utf16_truncated": ":2:4: byte 0x0a at offset 16 is not UTF-16, which" + MARKED,
    "empty_place_between_bars": ":2:4: nothing" + ONE_CELL,
    "comma_at_the_end": ":1:7: nothing" + ONE_CELL,
    "two_cells_between_bars": ":2:2: '12'" + ONE_CELL,
    "bar_at_one_end": ":1:6: '|' at one end of the row only: at both ends or at none",
    "rule_of_a_markdown_table": ":2:2: '---'" + ONE_CELL,
    "dashes_of_a_markdown_table": ":2:2: '-' beside '?'" + UNSURE,
    "rule_below_the_head_of_a_table": (
        ":2:1: a rule below this row and not below all: it may be the head of a table, and no cells"
    ),
    "header_with_commas": (
        ":1:1: '2,3,1' may be a row or the size: 'rows columns mines' stand apart by blanks"
    ),
    "two_kinds_of_squares": ":2:4: '⬛' beside '⬜'" + UNSURE,
    "square_beside_a_covered_cell": ":2:2: '?' beside '■'" + UNSURE,
    "underscore_beside_a_covered_cell": ":1:3: '?' beside '_'" + UNSURE,
    "keycap_9": ":2:1: clue 9: a clue is 0 to 8",
    "code_fence_not_closed": ":2:3: code fence '```': a line '```'" + LAST,
    "text_behind_a_code_fence": ":1:1: code fence '```': a line '```'" + LAST,
    "two_code_fences": ":3:1: unknown character '`'" + CELLS,
    "truncated_utf8": ":2:2: byte 0xd9 at offset 5" + UTF8,
    "not_utf8_after_letters": ":2:8: byte 0xe9 at offset 21" + UTF8,
    "not_utf8_after_byte_order_mark": ":2:2: byte 0xfe at offset 7" + UTF8,
}


def test_every_malformed_file_has_its_expected_message() -> None:
    assert {path.stem for path in FILES.glob("*.txt")} == set(EXPECTED)


@pytest.mark.parametrize("defect", sorted(EXPECTED))
def test_the_error_names_line_column_defect_and_what_is_allowed(defect: str) -> None:
    data = (FILES / f"{defect}.txt").read_bytes()
    with pytest.raises(BoardError) as caught:
        read_text(data, "board.txt")
    assert str(caught.value) == f"board.txt{EXPECTED[defect]}"
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    "defect", [name for name in EXPECTED if " at offset " not in EXPECTED[name]]
)
def test_text_gives_the_same_error_as_its_bytes(defect: str) -> None:
    text = (FILES / f"{defect}.txt").read_bytes().decode("utf-8")
    with pytest.raises(BoardError, match=re.escape(EXPECTED[defect])):
        read_text(text)


@pytest.mark.parametrize("defect", sorted(EXPECTED))
def test_line_and_column_point_into_the_file(defect: str) -> None:
    data = (FILES / f"{defect}.txt").read_bytes()
    with pytest.raises(BoardError) as caught:
        read_text(data)
    error = caught.value
    assert (error.line is None) == (error.column is None)
    if error.line is not None and error.column is not None:
        lines = data.split(b"\n")
        assert 1 <= error.line <= len(lines)
        assert 1 <= error.column <= len(lines[error.line - 1]) + 1


def test_a_file_is_named_by_its_path() -> None:
    path = FILES / "clue_9.txt"
    with pytest.raises(BoardError) as caught:
        Position.read(path)
    assert str(caught.value) == f"{path}:2:2: clue 9: a clue is 0 to 8"
