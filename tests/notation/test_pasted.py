"""Boards as people paste them are what they would be in the plain notation, or are refused."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from satsweeper import Position
from satsweeper.checker.expected_board import plain_board
from satsweeper.notation.error import BoardError
from satsweeper.notation.formats import FORMATS, read_record, write_record
from satsweeper.notation.mbf import read as read_mbf
from satsweeper.notation.record import Record
from satsweeper.notation.solution import MINE

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
    return "\n".join(
        "".join({"?": "■", "F": "⚑"}.get(cell) or chr(0xFF10 + int(cell)) for cell in row)
        for row in rows
    )


def squares(square: str, rows: Rows) -> str:
    """The plain notation with another symbol for covered cells."""
    return plain(rows).replace("?", square)


def plain(rows: Rows) -> str:
    return "\n".join("".join(row) for row in rows)


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
    **{f"squares {each}": partial(squares, each) for each in SQUARES},
}


def rows_of(board: Any) -> Rows:
    signs = {-1: "?", -2: "F"}
    return [[signs.get(int(code)) or str(code) for code in row] for row in board.cells]


@pytest.mark.parametrize("shape", SHAPES)
@settings(max_examples=20)
@given(data=st.data())
def test_a_board_in_every_shape_is_the_board_in_the_plain_notation(
    small_boards: Callable[..., Any], shape: str, data: st.DataObject
) -> None:
    board = data.draw(small_boards(consistent=True))
    rows = rows_of(board)
    written = SHAPES[shape](rows)
    if (
        "commas" in shape
        and rows[1:]
        and rows[0][:2] == [str(len(rows) - 1), "3"]
        and rows[0][2] != "F"
    ):
        with pytest.raises(BoardError, match="may be a row or the size"):
            Position.parse(written)
        return
    position = Position.parse(written)
    assert np.array_equal(position.cells, board.cells)
    assert position.mines is None
    assert read_record(written).padded == position.padded


def test_one_row_with_commas_is_no_header() -> None:
    assert Position.parse("0,1,?\n").text() == "1 3 ?\n01?\n"


@pytest.mark.parametrize("shape", SHAPES)
def test_a_header_stands_above_any_shape(shape: str) -> None:
    board = SHAPES[shape](list(map(list, ["1??", "12?", "01?"])))
    if isinstance(board, bytes) or "fence" in shape:
        return
    position = Position.parse(f"3 3 2\n{board}\n")
    assert position.text() == "3 3 2\n1??\n12?\n01?\n"


@pytest.mark.parametrize("shape", SHAPES)
def test_the_checker_reads_no_shape_otherwise(shape: str) -> None:
    text = SHAPES[shape](list(map(list, ["1?F", "12?", "01?"])))
    found = plain_board(text)
    assert found is None or (found.rows, found.mines) == (("1?F", "12?", "01?"), None)


@pytest.mark.parametrize("name", [name for name in FORMATS if not FORMATS[name].binary])
def test_every_format_of_text_is_found_in_a_code_fence_and_in_utf16(name: str) -> None:
    covered, solution = bytes([255, 255, 127]), bytes([1, MINE, 127])
    record = Record(covered, 2, 1, solution)
    for part in sorted({"layout", "total"} - FORMATS[name].holds):
        record = record.without(part)
    text = write_record(record, name).decode("ascii")
    for wrapped in (f"```\n{text}\n```\n", text.encode("utf-16")):
        assert read_record(wrapped).reading.padded == read_record(text).reading.padded
        assert read_record(wrapped).solution == read_record(text).solution


@given(board=st.data())
def test_an_mbf_file_that_begins_like_utf16_is_one_if_its_length_says_so(
    board: st.DataObject,
) -> None:
    cells = st.tuples(st.integers(0, 253), st.integers(0, 253))
    mines = board.draw(st.lists(cells, unique=True, max_size=60))
    start = board.draw(st.sampled_from([b"\xfe\xff", b"\xff\xfe"]))
    raw = start + len(mines).to_bytes(2, "big") + b"".join(map(bytes, mines))
    assume(Position.parse(raw, format="mbf").mines == len(mines))
    assert Position.parse(raw).rows == read_mbf(raw, "b").rows


def test_utf16_of_the_length_of_an_mbf_file_is_text() -> None:
    # The mark and a 0 are 254 x 255 cells and 48 mines, and 48 more characters follow.
    text = "0?????\n" * 6 + "0?????\n"
    raw = b"\xfe\xff" + text.encode("utf-16-be")
    assert len(raw) == 4 + 2 * 48
    assert Position.parse(raw).text() == "7 6 ?\n" + text
