"""Every malformed file is refused with one line that says where and what, in bounded time."""

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from satsweeper.notation.error import BoardError
from satsweeper.notation.formats import FORMATS, read_record, write_record
from satsweeper.notation.record import Record
from satsweeper.position import Position

FILES = Path(__file__).parents[1] / "data" / "notation"
MALFORMED = FILES / "malformed"

# File name, whose suffix is the format, and what follows the source in the error.
MINE_CELLS = ": a cell is 0-8, H (covered), F (flag), M or ? (mine without a flag)"
VIEW_CELLS = ": a cell of [view] is U (covered), 0-8, F (flag), ?, X, @ or #"
GAME_CELLS = ": a cell is . (covered), ! (flag), a space or 1-8, ? or *"
REACH = " with 2 covered and flagged neighbours: a clue is at most their number"
SIZE_LIMIT = "1000000000 rows x 1000000000 columns: the limit is "

EXPECTED = {
    "huge_header.mine": ":1:1: 1000000000 rows x 1000000000 columns: the limit is 100000000 cells",
    "endless_digits.mine": (
        ":1:1: 1 row x 99999999...(5000 characters) columns: the limit is 100000000 cells"
    ),
    "zero_columns.mine": ":1:1: 3 rows x 0 columns: a board has one of each at least",
    "two_numbers.mine": ":1:1: '3x2': a .mine file begins with columns x rows x mines, as 30x16x99",
    "more_mines_than_cells.mine": ":1:1: 7 mines in 6 cells: the total is 0 to 6",
    "ragged_row.mine": ":3:3: row of 2 cells: every row has 3",
    "row_too_long.mine": ":2:4: row of 4 cells: every row has 3",
    "too_few_rows.mine": ":3: the header says 3 rows, the board has 2",
    "too_many_rows.mine": ":4:1: the header says 2 rows, the board has 3",
    "clue_9.mine": ":3:2: clue 9: a clue is 0 to 8",
    "compressed_flag.mine": ":3:2: unknown character 'O'" + MINE_CELLS,
    "clue_beyond_reach.mine": ":3:2: clue 3" + REACH,
    "clue_against_layout.mine": ":2:2: opened cell 3: the layout has 2 there",
    "not_utf8.mine": ":3:2: byte 0xff at offset 11 is not UTF-8: boards are UTF-8 text",
    "empty.mbf": ": 0 bytes: an .mbf file has 4 for the size, and 2 for each mine",
    "three_bytes.mbf": ": 3 bytes: an .mbf file has 4 for the size, and 2 for each mine",
    "truncated.mbf": ": truncated: 7 bytes: with a mine count of 2 an .mbf file has 8",
    "byte_too_many.mbf": ": 7 bytes: with a mine count of 1 an .mbf file has 6",
    "no_rows.mbf": ": byte 1: 0 rows x 8 columns: a board has one of each at least",
    "more_mines_than_cells.mbf": ": byte 2: 3 mines in 2 cells",
    "mine_off_the_board.mbf": ": byte 4: mine in row 7, column 1 of 7 rows x 8 columns",
    "mine_twice.mbf": ": byte 6: a second mine in row 7, column 1",
    "other_version.board": (
        ":1:1: '# MINESW...(24 characters)': a .board file begins with '# MINESWEEPER-BOARD v0.1'"
    ),
    "other_render.board": ":2:1: 'html': a .board file is rendered as ascii or emoji",
    "rows_missing.board": ": the field 'rows' is missing",
    "mines_unknown.board": ":5:1: mines: '?' is no number",
    "field_twice.board": ":6:1: a second 'rows'; the first is in line 3",
    "no_field.board": ":6:1: 'just words' is no field 'name: value'",
    "huge_size.board": ":3:1: 1000000000 rows x 1000000000 columns: the limit is 100000000 cells",
    "no_grid.board": ": neither [real] nor [view]: there is no grid",
    "unknown_section.board": ":6:1: '[layout]': a section is [real] or [view]",
    "section_twice.board": ":9:1: '[view]': a second one",
    "too_few_rows.board": ":7: the header says 2 rows, the board has 1",
    "section_cut_short.board": ":8:1: the header says 2 rows, [view] has 1",
    "too_many_rows.board": ":9:1: the header says 2 rows, the board has 3",
    "ragged_row.board": ":7:3: row of 2 cells: every row has 3",
    "unknown_character.board": ":8:3: unknown character 'H'" + VIEW_CELLS,
    "wrong_number.board": ":8:2: [real] has 2 here: its mines make it 1",
    "other_total.board": ": total 1: the layout has 2 mines",
    "view_against_real.board": ":12:2: opened cell 2: the layout has 1 there",
    "mine_opened.board": ":11:2: opened cell 1: the layout has a mine there",
    "seed_of_a_generator.tatham": (
        ":1:1: '9x9n10#123456789': it holds the seed of a generator, not a layout"
    ),
    "layout_not_drawn.tatham": (
        ":1:5: 'r': the layout is drawn after the first click; the ID does not hold it"
    ),
    "not_hexadecimal.tatham": ":1:6: 'g' is no hexadecimal digit",
    "too_short.tatham": ":1:10: 20 hexadecimal digits: 9x9 cells take 21",
    "too_long.tatham": ":1:6: 4 hexadecimal digits: 3x3 cells take 3",
    "bits_beyond_the_last_cell.tatham": (
        ":1:7: bits beyond the last cell are set: a digit is wrong, or the size"
    ),
    "first_click_off_the_board.tatham": ":1:5: first click 3,0 is off the board",
    "first_click_on_a_mine.tatham": ":1:5: the first click hits a mine",
    "other_count.tatham": ":1:4: 2 mines claimed: the bitmap has 1",
    "huge_size.tatham": ":1:1: 1000000000 rows x 1000000000 columns: the limit is 4000000 cells",
    "no_rows.tatham": ":1:1: 0 rows x 3 columns: a board has one of each at least",
    "no_digits.tatham": ":1:6: ',' is no hexadecimal digit",
    "second_line.tatham": ":2:1: '3x3:000' behind the last row",
    "bad_header.danamlund": (
        ":1:1: 'Mineswee...(36 characters)': a game begins with 'Minesweeper WxH grid with N mines'"
    ),
    "huge_size.danamlund": ":1:1: 1000000000 rows x 1000000000 columns: the limit is 4000000 cells",
    "row_too_long.danamlund": ":2:4: row of 4 cells: every row has 3",
    "unknown_character.danamlund": ":2:2: unknown character 'F'" + GAME_CELLS,
    "no_solution.danamlund": ": no solution behind the grid",
    "no_seed.danamlund": (
        ":5:1: 'Solution encrypted': 'Solution encrypted with seed N' stands behind the grid"
    ),
    "huge_seed.danamlund": (
        ":5:1: 'Solution...(40 characters)': 'Solution encrypted with seed N' stands"
        " behind the grid"
    ),
    "wrong_seed.danamlund": ":6:1: the solution does not decrypt with seed 2",
    "other_total.danamlund": ": total 2: the layout has 1 mine",
    "truncated.danamlund": ":6: the header says 2 rows, the solution has 1",
    "clue_against_solution.danamlund": ":2:3: opened cell 3: the layout has a mine there",
    "ragged_row.minesweepr": ":2:3: row of 2 cells: every row has 3",
    "clue_9.minesweepr": ":2:2: clue 9: a clue is 0 to 8",
    "unknown_character.minesweepr": (
        ":2:2: unknown character '?': a cell is x (covered), . or 0-8, * (mine)"
    ),
    "two_boards.minesweepr": ":3:1: '.1x' behind the last row",
    "space_between_cells.minesweepr": ":2:4: row of 4 cells: every row has 3",
    "no_json.json": ":2:11: no JSON: Expecting ':' delimiter",
    "truncated.json": ":1:88: no JSON: Expecting ',' delimiter",
    "nested_too_deeply.json": ": JSON nested too deeply to be a board",
    "number_of_thousands_of_digits.json": ": a number of thousands of digits",
    "not_a_number.json": ": NaN is no JSON",
    "name_twice.json": ": 'mines' stands twice in one object",
    "other_schema.json": ": schema satsweeper/board/9: this reads satsweeper/board/1",
    "unknown_name.json": ": 'colour': the schema has no such name",
    "mines_missing.json": ": 'mines' is missing",
    "total_is_a_word.json": ": mines: 'two' is no integer",
    "total_is_true.json": ": mines: True is no integer",
    "negative_total.json": ": mines -1: the total is 0 to 2, or null for unknown",
    "huge_size.json": (
        ": rows 1000000000, columns 1000000000: one of each at least, and 4000000 cells at most"
    ),
    "row_missing.json": ": the board says 2 rows, grid has 1",
    "ragged_row.json": ": the board says 2 columns, grid has 3",
    "row_is_a_number.json": ": grid, row 0: no string: every row has 2",
    "clue_9.json": ": grid, row 0, column 0: clue 9: a clue is 0 to 8",
    "layout_character.json": (
        ": layout, row 0, column 1: unknown character 'F': a cell is * (mine) or ."
    ),
    "clue_against_layout.json": ": cell 0,0: opened cell 1: the layout has 0 there",
    "first_click_off_the_board.json": ": first_click [1, 0]: off the board",
    "first_click_is_a_word.json": ": first_click: [row, column]",
    "note_is_a_number.json": ": notes: an object of strings",
    "a_list.json": ": a board is a JSON object",
}


def test_every_malformed_file_has_its_expected_message() -> None:
    assert {path.name for path in MALFORMED.iterdir()} == set(EXPECTED)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_the_error_names_the_place_and_the_defect(name: str) -> None:
    raw = (MALFORMED / name).read_bytes()
    form = name.rpartition(".")[2]
    with pytest.raises(BoardError) as caught:
        read_record(raw, "board", form)
    assert str(caught.value) == f"board{EXPECTED[name]}"
    assert str(caught.value).isprintable()
    with pytest.raises(BoardError):
        Position.parse(raw, source="board")


GOOD = [path.read_bytes() for path in FILES.glob("*.*") if path.suffix != ".md"]
PIECES = [
    b"",
    b"\n",
    b"\r\n",
    b"0",
    b"9",
    b"x",
    b"?",
    b"F",
    b"*",
    b":",
    b"-1",
    b"\xff",
    b"\0",
    b"{",
]


def outcome(data: bytes | str, name: str | None) -> Record | BoardError:
    try:
        return read_record(data, "board", name)
    except BoardError as error:
        return error


def is_read_or_refused(raw: bytes, name: str | None) -> None:
    record = outcome(raw, name)
    if isinstance(record, BoardError):
        assert str(record).isprintable()
        return
    bare = record.without("layout").without("notes").without("marks")
    again = read_record(write_record(bare, "text"), "again")
    assert (again.padded, again.mines) == (bare.padded, bare.mines)
    assert Position.parse(raw, format=name).mines == record.mines


@settings(deadline=None, max_examples=300)
@given(
    st.sampled_from(GOOD),
    st.lists(
        st.tuples(st.integers(0, 250), st.integers(0, 3), st.sampled_from(PIECES) | st.binary()),
        min_size=1,
        max_size=3,
    ),
    st.sampled_from([None, *FORMATS]),
)
def test_damaged_files_are_read_or_refused(
    raw: bytes, edits: list[tuple[int, int, bytes]], name: str | None
) -> None:
    for place, removed, piece in edits:
        place %= len(raw) + 1
        raw = raw[:place] + piece + raw[place + removed :]
    is_read_or_refused(raw, name)
    is_read_or_refused(raw, None)


@settings(deadline=None, max_examples=300)
@given(st.binary(max_size=80), st.sampled_from([None, *FORMATS]))
@example(b"\xff" * 4, "mbf")
@example(b"", "board")
@example(b"\n", "danamlund")
def test_any_bytes_are_read_or_refused(raw: bytes, name: str | None) -> None:
    is_read_or_refused(raw, name)


@settings(deadline=None, max_examples=200)
@given(st.text(max_size=60), st.sampled_from([None, *FORMATS]))
@example("\ud800x", None)
@example('{"schema": "satsweeper/board/1", "\ud800": 1}', "json")
def test_any_text_is_read_or_refused(text: str, name: str | None) -> None:
    found = outcome(text, name)
    if isinstance(found, BoardError):
        assert str(found).isprintable()
    else:
        assert Position.parse(text, format=name).mines == found.mines


LONG = {
    "digits": b"9" * 500_000,
    "digits and an x": b"9" * 1_000_000 + b"x" + b"9" * 1_000_000,
    "spaces": b" " * 500_000 + b"\x0b",
    "a field of spaces": b"# MINESWEEPER-BOARD v0.1\na:" + b" " * 500_000 + b"\x0b",
    "line ends": b"\n" * 300_000,
    "an ID": b"3x3" + b"n" * 500_000,
    "brackets": b"{" + b"[" * 500_000,
    "a game": b"Minesweeper " + b"1" * 500_000,
    "more lines than any board": b"2x2x1" + b"\n" * 2_100_000,
}


@pytest.mark.parametrize("raw", LONG.values(), ids=LONG.keys())
def test_long_files_take_no_more_than_linear_time(raw: bytes) -> None:
    # Anything quadratic would take hours, and the time limit of the suite would end it.
    for name in [None, *FORMATS]:
        with pytest.raises(BoardError) as caught:
            read_record(raw, "board", name)
        assert len(str(caught.value)) < 300
