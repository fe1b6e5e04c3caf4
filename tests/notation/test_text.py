"""The text format: every accepted spelling, boards as they are pasted, and the fast reader."""

import pickle
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from satsweeper import Position
from satsweeper.board.codes import COVERED, FLAG
from satsweeper.board.planes import Planes, pad
from satsweeper.checker.expected_board import plain_board
from satsweeper.notation.error import BoardError
from satsweeper.notation.formats import FORMATS, read_record, write_record
from satsweeper.notation.mbf import read as read_mbf
from satsweeper.notation.pasted import read_lines
from satsweeper.notation.reading import Reading
from satsweeper.notation.record import Record
from satsweeper.notation.solution import MINE
from satsweeper.notation.text import read_regular, read_text
from tests.boards import boards

GRID = [[1, -1, -1], [1, 2, -1], [0, 1, -1]]


CELLS = boards(most=99, consistent=True).map(lambda board: board.cells)
"""Cells as a game shows them: mines are laid first and counted cell by cell."""


def same(a: Reading, b: Reading) -> bool:
    return np.array_equal(a.cells, b.cells) and a.mines == b.mines and a.planes == b.planes


def outcome(read: Callable[[Any, str], Reading], data: str | bytes) -> Reading | BoardError:
    try:
        return read(data, "board")
    except BoardError as error:
        return error


@pytest.mark.parametrize(
    "text",
    ["1??\n12?\n01?\n", "1??\n12?\n01?", "1??\r\n12?\r\n01?\r\n", "\ufeff1??\n12?\n01?\n",
     "1??  \n12?\t\n01?\n", "1 ? ?\n1 2 ?\n0 1 ?\n", " 1\t?\t?\n\t1 2 ?\n0  1  ?\n",
     "\n\n1??\n\n12?\n   \n01?\n\n\n", "1#.\n12H\n01-\n",
     "; a comment\n1??\n  ; between rows \u2713 \0\n12?\n01?\n;",
     "# 3 rows of a known game\n# source: a book\n1??\n12?\n01?\n",
     "# rows: 3\n3 3 ?\n# legend: ? covered\n1??\n12?\n01?\n", "3 3 ?\n1??\n12?\n01?\n",
     "  3\t03   ?  \r\n1??\n12?\n01?\n",
     "\ufeff; comment\n\n3 3 ?\n; comment\n\n1??\n12?\n01?\n"],
)  # fmt: skip
def test_spellings_of_one_board(text):
    for data in (text, text.encode()):
        reading = read_text(data)
        assert reading.cells.tolist() == GRID
        assert reading.cells.dtype == np.int8
        assert not reading.cells.flags.writeable
        assert reading.mines is None


def test_every_symbol_of_a_flag_and_of_a_covered_cell_and_every_clue_is_read():
    assert read_text("?#.H-\nF!*F!\n").cells.tolist() == [[COVERED] * 5, [FLAG] * 5]
    assert read_text("0????\n???8?\n?????\n").cells[[0, 1], [0, 3]].tolist() == [0, 8]
    for clue in range(9):
        assert read_text(f"???\n?{clue}?\n???\n").cells[1, 1] == clue


THREE = "???\n???\n???\n"
FIRST_LINES = [
    ("3 3 0\n" + THREE, (3, 3), 0), ("3 3 9\n" + THREE, (3, 3), 9),
    ("3 3 007\n" + THREE, (3, 3), 7), ("3 3 ?\n" + THREE, (3, 3), None),
    # A header, since it fits the grid below; three cells, since none would.
    ("1 2 1\n??\n", (1, 2), 1), ("1 3 1\n???\n", (1, 3), 1),
    ("3 3 3\n? ? ?\n? ? ?\n? ? ?\n", (3, 3), 3), ("1 2 1\n? ? ?\n", (2, 3), None),
    ("0 0 0\n", (1, 3), None), ("1 1 ?\n" + THREE, (4, 3), None), ("1 1 F\n? ? ?\n", (2, 3), None),
    # A row that begins like a remark.
    ("# # # 1\n????\n", (2, 4), None), ("# H F 1\n????\n", (2, 4), None),
    ("# HHH 1\n?????\n", (2, 5), None), ("# ?? 1\n????\n", (2, 4), None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "shape", "mines"), FIRST_LINES)
def test_the_first_line_is_a_header_that_fits_the_grid_below_or_a_row(text, shape, mines):
    reading = read_text(text)
    assert (reading.cells.shape, reading.mines) == (shape, mines)
    if not mines and text.startswith(("1 2 1", "0 0 0")):
        assert reading.cells[0].tolist() == [int(word) for word in text[:5].split()]


@given(CELLS, st.integers(0, 3))
def test_what_is_written_is_read_back(cells, mines):
    for total in (None, min(mines, cells.size)):
        reading = read_text(Position(cells, total).text())
        assert np.array_equal(reading.cells, cells)
        assert reading.mines == total
        assert reading.planes == Planes.of(pad(cells))


@given(CELLS, st.booleans(), st.sampled_from(["", "; x\n", "\ufeff", "\ufeff; x\n; y\n"]))
def test_regular_text_takes_the_fast_path_and_both_paths_agree(cells, header, opening):
    text = Position(cells, None).text()
    text = opening + (text if header else text.split("\n", 1)[1])
    for spelt in (text, text.rstrip("\n")):
        fast = read_regular(spelt.encode())
        slow = read_lines(spelt.removeprefix("\ufeff"), "board")
        assert np.array_equal(slow.cells, cells)
        assert fast is not None
        assert same(fast, slow)


@pytest.mark.parametrize("rows", [2, 4_000])
@pytest.mark.parametrize("letter", "x7?")
def test_no_other_character_ends_a_row(rows, letter):
    text = "??\n" * rows
    assert read_regular(text.encode()) is not None
    assert read_regular(f"{text}??{letter}??\n".encode()) is None


PIECES = [*"01238?F9# \t\n;\0é\ud800", "\r\n"]
LINES = ["1 2 1\n", "2 2 1\n", "2 2 ?\n", "3 1 4\n", "10 10 3\n", "# a remark\n", "; a comment\n"]


@settings(max_examples=400)
@given(
    CELLS,
    st.booleans(),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 2), st.sampled_from(PIECES)), max_size=3),
    st.lists(st.sampled_from(LINES), max_size=2),
)
@example(np.zeros((1, 3), np.int8), True, [], ["1 3 ?\n"])
def test_the_paths_agree_on_damaged_text(cells, header, edits, opening):
    text = Position(cells, 1).text()
    text = "".join(opening) + (text if header else text.split("\n", 1)[1])
    for place, removed, piece in edits:
        text = text[:place] + piece + text[place + removed :]
    fast = read_regular(text.encode("utf-8", "surrogatepass"))
    slow = outcome(read_lines, text)
    both = outcome(read_text, text)
    if isinstance(slow, BoardError):
        assert fast is None
        assert isinstance(both, BoardError)
        assert str(both) == str(slow)
    else:
        assert fast is None or same(fast, slow)
        assert isinstance(both, Reading)
        assert same(both, slow)


@given(st.binary(max_size=60) | st.text(max_size=40))
def test_anything_at_all_is_a_board_or_a_board_error(data):
    found = outcome(read_text, data)
    if isinstance(found, BoardError):
        assert str(found).isprintable()
    else:
        assert found.cells.size
        assert same(read_text(Position(found.cells, found.mines).text()), found)


def test_an_error_stays_on_one_line_whatever_the_source_is_called_and_survives_pickling():
    error = BoardError("a\nb\x1b[31m", 3, 4, "message")
    assert str(error) == "a\\nb\\x1b[31m:3:4: message"
    assert str(BoardError("board.txt", message="no rows")) == "board.txt: no rows"
    error = pickle.loads(pickle.dumps(BoardError("board.txt", 3, 4, "message")))
    assert (error.source, error.line, error.column) == ("board.txt", 3, 4)
    assert str(error) == "board.txt:3:4: message"


# -- Boards as people paste them are what they would be in the plain notation, or are refused.


SQUARES = "_■□▢▣█▓▒░◼◻⬛⬜🟦🟩🔲🔳"
KEYCAP = "\ufe0f\u20e3"

Rows = list[list[str]]


def bars(rows: Rows, bar: str = "|") -> str:
    return "\n".join(bar + bar.join(row) + bar for row in rows)


def grid(rows: Rows) -> str:
    rule = "+" + "-+" * len(rows[0])
    return "\n".join([rule, *(f"|{'|'.join(row)}|\n{rule}" for row in rows)])


def box(rows: Rows) -> str:
    width = 2 * len(rows[0]) - 1
    lines = [f"│{'│'.join(row)}│" for row in rows]
    return "\n".join(["┌" + "─" * width + "┐", *lines, "└" + "─" * width + "┘"])


def emoji(rows: Rows, covered: str = "⬜", flag: str = "🚩") -> str:
    signs = {"?": covered, "F": flag, **{str(clue): f"{clue}{KEYCAP}" for clue in range(9)}}
    return "\n".join("".join(signs[cell] for cell in row) for row in rows)


def wide(rows: Rows) -> str:
    digits = {ord("0") + digit: chr(0xFF10 + digit) for digit in range(9)}
    return plain(rows, "■").translate({ord("F"): "⚑"} | digits)


def plain(rows: Rows, covered: str = "?") -> str:
    return "\n".join("".join(row) for row in rows).replace("?", covered)


SHAPES: dict[str, Callable[[Rows], str | bytes]] = {
    "bars": bars,
    "bars between cells": lambda rows: "\n".join(" | ".join(row) for row in rows),
    "bars at both ends": lambda rows: "\n".join(f"|{''.join(row)}|" for row in rows),
    "a grid": grid,
    "a box": box,
    "commas": lambda rows: "\n".join(",".join(row) for row in rows),
    "commas and blanks": lambda rows: "\n".join(", ".join(row) for row in rows),
    "emoji": emoji,
    "emoji with bombs": lambda rows: emoji(rows, "🟦\ufe0f", "💣"),
    "emoji question marks": lambda rows: emoji(rows, "❓"),
    "full width": wide,
    "dashes between bars": lambda rows: bars(rows).replace("?", "-"),
    "a code fence": lambda rows: f"```\n{plain(rows)}\n```\n",
    "a code fence with a word": lambda rows: f"; b\n~~~~ text\n{plain(rows)}\n~~~~\n\n",
    "emoji in a code fence": lambda rows: f"```text\r\n{emoji(rows)}\r\n```",
    "UTF-16": lambda rows: plain(rows).encode("utf-16"),
    "UTF-16 with the high byte first": lambda rows: b"\xfe\xff" + plain(rows).encode("utf-16-be"),
    "UTF-8 with its mark": lambda rows: bars(rows).encode("utf-8-sig"),
    "emoji in UTF-16": lambda rows: emoji(rows).encode("utf-16"),
    **{f"squares {each}": partial(plain, covered=each) for each in SQUARES},
}


@pytest.mark.parametrize("shape", SHAPES)
@settings(max_examples=20)
@given(data=st.data())
def test_a_board_in_every_shape_is_the_board_in_the_plain_notation(small_boards, shape, data):
    board = data.draw(small_boards(consistent=True))
    signs = {-1: "?", -2: "F"}
    rows = [[signs.get(int(code)) or str(code) for code in row] for row in board.cells]
    written = SHAPES[shape](rows)
    like_a_size = rows[1:] and rows[0][:2] == [str(len(rows) - 1), "3"] and rows[0][2] != "F"
    if "commas" in shape and like_a_size:
        with pytest.raises(BoardError, match="may be a row or the size"):
            Position.parse(written)
        return
    position = Position.parse(written)
    assert np.array_equal(position.cells, board.cells)
    assert position.mines is None
    assert read_record(written).padded == position.padded


def test_one_row_with_commas_is_no_header():
    assert Position.parse("0,1,?\n").text() == "1 3 ?\n01?\n"


@pytest.mark.parametrize("shape", SHAPES)
def test_a_header_stands_above_any_shape_and_the_checker_reads_none_otherwise(shape):
    board = SHAPES[shape](list(map(list, ["1?F", "12?", "01?"])))
    if isinstance(board, str) and "fence" not in shape:
        position = Position.parse(f"3 3 2\n{board}\n")
        assert position.text() == "3 3 2\n1?F\n12?\n01?\n"
    found = plain_board(board)
    assert found is None or (found.rows, found.mines) == (("1?F", "12?", "01?"), None)


@pytest.mark.parametrize("name", [name for name in FORMATS if not FORMATS[name].binary])
def test_every_format_of_text_is_found_in_a_code_fence_and_in_utf16(name):
    covered, solution = bytes([255, 255, 127]), bytes([1, MINE, 127])
    record = Record(covered, 2, 1, solution)
    for part in sorted({"layout", "total"} - FORMATS[name].holds):
        record = record.without(part)
    text = write_record(record, name).decode("ascii")
    for wrapped in (f"```\n{text}\n```\n", text.encode("utf-16")):
        assert read_record(wrapped).reading.padded == read_record(text).reading.padded
        assert read_record(wrapped).solution == read_record(text).solution


@given(board=st.data())
def test_an_mbf_file_that_begins_like_utf16_is_one_if_its_length_says_so(board):
    cells = st.tuples(st.integers(0, 253), st.integers(0, 253))
    mines = board.draw(st.lists(cells, unique=True, max_size=60))
    start = board.draw(st.sampled_from([b"\xfe\xff", b"\xff\xfe"]))
    raw = start + len(mines).to_bytes(2, "big") + b"".join(map(bytes, mines))
    assume(Position.parse(raw, format="mbf").mines == len(mines))
    assert Position.parse(raw).rows == read_mbf(raw, "b").rows


def test_utf16_of_the_length_of_an_mbf_file_is_text():
    # The mark and a 0 are 254 x 255 cells and 48 mines, and 48 more characters follow.
    text = "0?????\n" * 6 + "0?????\n"
    raw = b"\xfe\xff" + text.encode("utf-16-be")
    assert len(raw) == 4 + 2 * 48
    assert Position.parse(raw).text() == "7 6 ?\n" + text
